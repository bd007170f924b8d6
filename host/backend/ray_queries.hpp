// The queries of rays, sweeps and segments, one by one, for any way to search the scene.
//
// A `Search` has the shapes' view and
//   along(q, limit, leaf)     calls leaf(id, gate_near) for every shape that counts for the query
//                             and whose gate is not empty, until leaf returns true. Gates beyond
//                             limit(), which may shrink, may be skipped. None for a bad ray
//   along(q, leaf)            the same without a limit
//   part_of(n)                queries of a part, a multiple of 64
//   for_each_part(n, use)     calls use(begin, end) for all parts, possibly in parallel
#pragma once

#include "host/backend/backend.hpp"
#include "host/backend/hit_rows.hpp"
#include "host/backend/sweeps.hpp"

#include <sightline/geometry/queries/winding.hpp>

#include <numeric>

namespace sightline::detail {

/// The ray of a Query or a SweepQuery, with its masks and exclusions.
inline const Query& ray_of(const Query& q) { return q; }
template <class Mover>
const Query& ray_of(const SweepQuery<Mover>& q) {
  return q.query;
}

/// The answer of a shape whose gate is not empty.
inline Found found(const Query& q, const ShapesView& shapes, std::uint32_t id, float gate_near) {
  return shapes.visit(id, [&](const auto& s) { return cast_past_gate(q, s, gate_near); });
}
/// The answer for the caller, with the normal if `with_normal`.
inline Hit hit_for(const Query& q, const ShapesView& shapes, const Best& best, const Ray& ray,
                   bool with_normal) {
  return hit_of(q, shapes, best, ray, with_normal);
}

template <class Search, class Q>
Best closest(const Search& search, const Q& q) {
  Best best;
  search.along(
      q, [&] { return best.t; },
      [&](std::uint32_t id, float gate_near) {
        best.offer(found(q, search.shapes, id, gate_near), id);
        return false;
      });
  return best;
}

template <class Search, class Q>
bool any(const Search& search, const Q& q) {
  bool hit = false;
  search.along(
      q, [] { return largest_float; },
      [&](std::uint32_t id, float gate_near) {
        return hit = found(q, search.shapes, id, gate_near).hit;
      });
  return hit;
}

/// Calls use(crossing) for every shape that the ray hits, in no order.
template <class Search, class Use>
void for_each_hit(const Search& search, const Query& q, const Use& use) {
  search.along(q, [&](std::uint32_t id, float gate_near) {
    search.shapes.visit(id, [&](const auto& s) { use_crossing(q, s, id, gate_near, use); });
    return false;
  });
}

inline std::uint64_t count_of(const RaysView& rays) { return rays.count; }
inline std::uint64_t count_of(const SweepsView& sweeps) { return sweeps.rays.count; }

/// Calls f(query, ray), as visit_sweep() does.
template <class Function>
void visit_ray(const RaysView& rays, std::uint64_t i, RayPolicy policy, const Function& f) {
  const Ray ray = rays[i];
  f(make_query(ray, policy), ray);
}
template <class Function>
void visit_ray(const SweepsView& sweeps, std::uint64_t i, Inside inside, const Function& f) {
  visit_sweep(sweeps, i, inside, f);
}

/// Calls use(begin, end, report) for all parts; returns the reports' sum.
template <class Report, class Search, class Use>
Report sum_parts(const Search& search, std::uint64_t n, const Use& use) {
  ReportSum<Report> sum;
  search.for_each_part(n, [&](std::uint64_t begin, std::uint64_t end) {
    Report here{};
    use(begin, end, here);
    sum += here;
  });
  return sum.total();
}

/// Answers ray or sweep i; returns whether anything is hit.
template <class Search, class Rays, class Q>
bool answer_one(const Search& search, const ClosestHitsOf<Rays>& asked, std::uint64_t i, const Q& q,
                const Ray& ray) {
  const HitsView& hits = asked.hits;
  const Best best = closest(search, q);
  hits.store(i, hit_for(q, search.shapes, best, ray, hits.normal != nullptr));
  return best.id != none;
}
/// The word of bit i is this thread's, and its bits are 0 before.
template <class Search, class Rays, class Q>
bool answer_one(const Search& search, const AnyHitsOf<Rays>& asked, std::uint64_t i, const Q& q,
                const Ray&) {
  const bool hit = any(search, q);
  asked.blocked[i / 64] |= std::uint64_t{hit} << i % 64;
  return hit;
}
template <class Rays>
void clear(const ClosestHitsOf<Rays>&) {}
template <class Rays>
void clear(const AnyHitsOf<Rays>& asked) {
  std::fill_n(asked.blocked, bit_words(count_of(asked.rays)), 0);
}

/// Answers the rays or sweeps whose numbers index_of(begin) to index_of(end - 1) are.
template <class Search, class Asked, class IndexOf>
void answer_some(const Search& search, const Asked& asked, std::uint64_t begin, std::uint64_t end,
                 const IndexOf& index_of, CastReport& here) {
  here.rays = end - begin;
  for (std::uint64_t k = begin; k < end; ++k) {
    const std::uint64_t i = index_of(k);
    visit_ray(asked.rays, i, asked.policy, [&](const auto& q, const Ray& ray) {
      here.hits += answer_one(search, asked, i, q, ray);
      if (ray_of(q).ray.bad) add_bad_ray(here, i);
    });
  }
}

/// ClosestHitsOf or AnyHitsOf. Parts begin at multiples of 64, so that no two share a word.
template <class Search, class Asked>
requires requires(const Asked& asked) { clear(asked); }
CastReport answer_by_search(const Search& search, const Asked& asked) {
  clear(asked);
  const auto same = [](std::uint64_t i) { return i; };
  return sum_parts<CastReport>(search, count_of(asked.rays),
                               [&](std::uint64_t begin, std::uint64_t end, CastReport& here) {
                                 answer_some(search, asked, begin, end, same, here);
                               });
}

template <class Search>
HitRowsReport answer_by_search(const Search& search, const CountHits& asked) {
  std::uint32_t* const counts = asked.counts;
  const auto use = [&](std::uint64_t begin, std::uint64_t end, HitRowsReport& here) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Query q = make_query(asked.rays[i], asked.policy);
      counts[i] = 0;
      for_each_hit(search, q, [&](const Crossing&) { ++counts[i]; });
      add_ray(here, i, q.ray.bad, counts[i], 0);
    }
  };
  return sum_parts<HitRowsReport>(search, asked.rays.count, use);
}

/// Every part keeps its own rows until all are counted.
template <class Search>
HitRowsReport answer_by_search(const Search& search, const AllHits& asked) {
  const RaysView& rays = asked.rays;
  HitRows& rows = asked.rows;
  const HitRowsOptions& options = asked.options;
  const std::uint64_t n = rays.count, part = search.part_of(n);
  set_rays(rows, n);
  std::vector<HitRows> parts(n / part + 1);
  const auto find = [&](std::uint64_t begin, std::uint64_t end, HitRowsReport& here) {
    HitRow row(options.first);
    HitRows& mine = parts[begin / part];
    for (std::uint64_t i = begin; i < end; ++i) {
      const Ray ray = rays[i];
      const Query q = make_query(ray, policy_of(options));
      row.clear();
      for_each_hit(search, q, [&](const Crossing& c) { row.offer(c); });
      const std::uint64_t before = mine.t.size();
      rows.flags[i] = row.append(q, search.shapes, ray, options.t_out, mine);
      rows.count[i] = row.count();
      rows.offsets[i + 1] = mine.t.size() - before;
      add_ray(here, i, q.ray.bad, row.count(), options.first);
    }
  };
  const auto report = sum_parts<HitRowsReport>(search, n, find);
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.t.resize(rows.offsets[n]);
  rows.id.resize(rows.offsets[n]);
  rows.t_out.resize(options.t_out ? rows.offsets[n] : 0);
  search.for_each_part(n, [&](std::uint64_t begin, std::uint64_t) {
    const HitRows from = std::move(parts[begin / part]);
    const auto at = static_cast<std::ptrdiff_t>(rows.offsets[begin]);
    std::copy(from.t.begin(), from.t.end(), rows.t.begin() + at);
    std::copy(from.id.begin(), from.id.end(), rows.id.begin() + at);
    std::copy(from.t_out.begin(), from.t_out.end(), rows.t_out.begin() + (options.t_out ? at : 0));
  });
  return report;
}

inline void set_bit(std::uint64_t* row, std::uint64_t i) {
  row[i / 64] |= std::uint64_t{1} << i % 64;
}

/// Whether a shape whose gate is not empty blocks the segment.
template <class Search>
bool blocks(const Search& search, const Query& q, std::uint32_t id, float gate_near) {
  return search.shapes.visit(id, [&](const auto& s) { return blocks(q, s, gate_near); });
}

template <class Search>
bool sees(const Search& search, const SightPoint& p, const SightPoint& q,
          const SightOptions& options) {
  const SightQuery sight = sight_query(p, q, options);
  if (!sight.possible) return false;
  bool blocked = false;
  search.along(
      sight.query, [] { return largest_float; },
      [&](std::uint32_t id, float gate_near) {
        return blocked = blocks(search, sight.query, id, gate_near);
      });
  return !blocked;
}

/// Counts the bad points, and the good ones that lie in or touch a shape that their mask and
/// exclusions admit.
template <class Search>
VisibilityReport report_of(const Search& search, std::uint64_t pairs, const PointsView& from,
                           const PointsView& to) {
  struct Counts {
    std::uint64_t bad = 0, touching = 0;
  };
  const auto count = [&](const PointsView& points) {
    std::mutex mutex;
    Counts all;
    search.for_each_part(points.count, [&](std::uint64_t begin, std::uint64_t end) {
      Counts here;
      for (std::uint64_t i = begin; i < end; ++i) {
        const SightPoint p = points[i];
        here.bad += is_bad(p);
        here.touching += !is_bad(p) && any(search, touch_query(p));
      }
      const std::lock_guard lock(mutex);
      all = {all.bad + here.bad, all.touching + here.touching};
    });
    return all;
  };
  const Counts of_from = count(from), of_to = count(to);
  VisibilityReport report{pairs};
  report.bad_viewpoints = of_from.bad;
  report.touching_viewpoints = of_from.touching;
  report.bad_targets = of_to.bad;
  report.touching_targets = of_to.touching;
  return report;
}

template <class Search>
VisibilityReport answer_by_search(const Search& search, const VisibilityPairs& asked) {
  ReportSum<VisibilityReport> sum;
  sum += report_of(search, asked.from.count, asked.from, asked.to);
  std::fill_n(asked.bits, bit_words(asked.from.count), 0);
  search.for_each_part(asked.from.count, [&](std::uint64_t begin, std::uint64_t end) {
    VisibilityReport here;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (!sees(search, asked.from[i], asked.to[i], asked.options)) continue;
      set_bit(asked.bits, i);
      ++here.visible;
    }
    sum += here;
  });
  return sum.total();
}

template <class Search>
WindingReport answer_by_search(const Search& search, const Winding& asked) {
  const auto use = [&](std::uint64_t begin, std::uint64_t end, WindingReport& here) {
    here.points = end - begin;
    for (std::uint64_t i = begin; i < end; ++i) {
      const Query q = half_line_from(asked.points[i]);
      std::int32_t sum = 0;
      search.along(q, [&](std::uint32_t id, float) {
        sum += search.shapes.visit(id, [&](const auto& s) { return winding_part(q.ray.line, s); });
        return false;
      });
      asked.numbers[i] = sum;
      here.inside += sum != 0;
      here.bad_points += q.ray.bad;
    }
  };
  return sum_parts<WindingReport>(search, asked.points.count, use);
}

}  // namespace sightline::detail
