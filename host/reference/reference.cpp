#include "host/reference/reference.hpp"

#include "host/backend/hit_rows.hpp"
#include "host/backend/near_rows.hpp"
#include "host/backend/overlap_loops.hpp"
#include "host/reference/visibility.hpp"

#include <sightline/queries/overlap.hpp>
#include <sightline/queries/sweep.hpp>

#include <algorithm>

namespace sightline::detail {
namespace {

/// As overlap_loops.hpp asks for it.
auto asked_by(const ShapesView& shapes, const ShapesView& asking) {
  return [&](std::uint64_t i, const auto& leaf) {
    visit_query(asking, static_cast<std::uint32_t>(i), [&](const auto& q) {
      for (std::uint32_t id = 0; id < shapes.size(); ++id) {
        if (overlaps_shape(q, shapes, id) && leaf(id)) return;
      }
    });
  };
}

class ReferenceBackend final : public PairwiseBackend {
 public:
  explicit ReferenceBackend(const ShapesView& shapes) : shapes_(shapes) {}

  CastReport closest_hit(const RaysView& rays, const HitsView& hits, Inside inside) const override {
    CastReport report;
    for (std::uint64_t i = 0; i < rays.count; ++i) {
      const Ray ray = rays[i];
      const Query query = make_query(ray, inside);
      const Best best = closest(query);
      hits.store(i, hit_of(query, shapes_, best, ray, hits.normal != nullptr));
      add(report, i, query, best.id != none);
    }
    return report;
  }

  CastReport any_hit(const RaysView& rays, std::uint64_t* blocked, Inside inside) const override {
    CastReport report;
    std::fill_n(blocked, words_for(rays.count), 0);
    for (std::uint64_t i = 0; i < rays.count; ++i) {
      const Query query = make_query(rays[i], inside);
      const bool hit = any(query);
      if (hit) blocked[i / 64] |= std::uint64_t{1} << (i % 64);
      add(report, i, query, hit);
    }
    return report;
  }

  CastReport closest_hit(const SweepsView& sweeps, const HitsView& hits,
                         Inside inside) const override {
    CastReport report;
    for (std::uint64_t i = 0; i < sweeps.rays.count; ++i) {
      visit_sweep(sweeps, i, inside, [&](const auto& q, const Ray& ray) {
        const Best best = closest(q);
        hits.store(i, hit_of(q, shapes_, best, ray, hits.normal != nullptr));
        add(report, i, q.query, best.id != none);
      });
    }
    return report;
  }

  CastReport any_hit(const SweepsView& sweeps, std::uint64_t* blocked,
                     Inside inside) const override {
    CastReport report;
    std::fill_n(blocked, words_for(sweeps.rays.count), 0);
    for (std::uint64_t i = 0; i < sweeps.rays.count; ++i) {
      visit_sweep(sweeps, i, inside, [&](const auto& q, const Ray&) {
        const bool hit = any(q);
        blocked[i / 64] |= std::uint64_t{hit} << i % 64;
        add(report, i, q.query, hit);
      });
    }
    return report;
  }

  HitRowsReport count_hits(const RaysView& rays, std::uint32_t* counts,
                           Inside inside) const override {
    HitRowsReport report;
    for (std::uint64_t i = 0; i < rays.count; ++i) {
      const Query query = make_query(rays[i], inside);
      counts[i] = 0;
      for_each_hit(query, [&](const Crossing&) { ++counts[i]; });
      add_ray(report, i, query.ray.bad, counts[i], 0);
    }
    return report;
  }

  HitRowsReport all_hits(const RaysView& rays, HitRows& rows,
                         const HitRowsOptions& options) const override {
    HitRowsReport report;
    HitRow row(options.first);
    set_rays(rows, rays.count);
    for (std::uint64_t i = 0; i < rays.count; ++i) {
      const Ray ray = rays[i];
      const Query query = make_query(ray, options.inside);
      row.clear();
      for_each_hit(query, [&](const Crossing& c) { row.offer(c); });
      rows.flags[i] = row.append(query, ray, options.t_out, rows);
      rows.count[i] = row.count();
      rows.offsets[i + 1] = rows.t.size();
      add_ray(report, i, query.ray.bad, row.count(), options.first);
    }
    return report;
  }

  OverlapReport overlap_any(const ShapesView& asking, std::uint64_t* bits) const override {
    std::fill_n(bits, words_for(asking.size()), 0);
    return {asking.size(), mark_overlapping(0, asking.size(), asked_by(shapes_, asking), bits), 0};
  }
  OverlapReport overlap_count(const ShapesView& asking, std::uint32_t* counts) const override {
    return count_overlaps(0, asking.size(), asked_by(shapes_, asking), counts);
  }
  OverlapRows overlap_all(const ShapesView& asking) const override {
    OverlapRows rows;
    rows.offsets.resize(std::uint64_t{asking.size()} + 1);
    append_overlaps(0, asking.size(), asked_by(shapes_, asking), rows.ids, rows.offsets.data() + 1);
    return rows;
  }

  NearestReport nearest(const PointsView& points, std::uint32_t k, float range,
                        const NearestView& out) const override {
    return near_rows(points, k, range, out);
  }
  NearestReport clearance(const PointPairsView& segments, std::uint32_t k, float range,
                          const ClearanceView& out) const override {
    return near_rows(segments, k, range, out);
  }

  void update(const ShapesView& shapes, Update) override { shapes_ = shapes; }

  std::string description() const override { return "reference: brute force, 1 thread"; }
  std::uint64_t memory_bytes() const override { return 0; }

 private:
  template <class Use>
  void for_each_hit(const Query& query, const Use& use) const {
    for (std::uint32_t id = 0; !query.ray.bad && id < shapes_.size(); ++id) {
      if (counts(query, shapes_, id)) use_crossing(query, shapes_, id, use);
    }
  }

  template <class Asked, class Out>
  NearestReport near_rows(const Asked& asked, std::uint32_t k, float range, const Out& out) const {
    NearestReport report{asked.count, 0, 0};
    NearRow row(k, range);
    for (std::uint64_t i = 0; i < asked.count; ++i) {
      const auto q = asked[i];
      row.list().clear();
      for (std::uint32_t id = 0; !is_bad(q) && id < shapes_.size(); ++id) {
        offer_shape(row.list(), shapes_, q, id);
      }
      if (is_bad(q)) ++report.bad_points;
      report.found += row.store(shapes_, q, i, out);
    }
    return report;
  }

  static const Query& filter_of(const Query& q) { return q; }
  template <class Mover>
  static const Query& filter_of(const SweepQuery<Mover>& q) {
    return q.query;
  }

  /// Of a Query or a SweepQuery.
  template <class Q>
  Best closest(const Q& query) const {
    Best best;
    const Query& filter = filter_of(query);
    if (filter.ray.bad) return best;
    for (std::uint32_t id = 0; id < shapes_.size(); ++id) {
      if (counts(filter, shapes_, id)) best.offer(cast_shape(query, shapes_, id), id);
    }
    return best;
  }

  template <class Q>
  bool any(const Q& query) const {
    const Query& filter = filter_of(query);
    if (filter.ray.bad) return false;
    for (std::uint32_t id = 0; id < shapes_.size(); ++id) {
      if (counts(filter, shapes_, id) && cast_shape(query, shapes_, id).hit) return true;
    }
    return false;
  }

  bool sees(const SightPoint& p, const SightPoint& q, const SightOptions& options) const override {
    const SightQuery sight = sight_query(p, q, options);
    if (!sight.possible) return false;
    for (std::uint32_t id = 0; id < shapes_.size(); ++id) {
      if (counts(sight.query, shapes_, id) && blocks(sight.query, shapes_, id)) return false;
    }
    return true;
  }

  bool touches(const SightPoint& p) const override { return any(touch_query(p)); }

  void for_each_range(std::uint64_t n, const RangeTask& task) const override { task(0, n); }

  static void add(CastReport& report, std::uint64_t i, const Query& query, bool hit) {
    ++report.rays;
    if (hit) ++report.hits;
    if (query.ray.bad && report.bad_rays++ == 0) report.first_bad_ray = i;
  }

  ShapesView shapes_;
};

}  // namespace

std::unique_ptr<CastBackend> make_reference_backend(const ShapesView& shapes) {
  return std::make_unique<ReferenceBackend>(shapes);
}

}  // namespace sightline::detail
