// The reference: brute force over every shape, one thread, no tree. The other backends are compared
// with it.
#include "host/backend/every_shape.hpp"
#include "host/backend/near_rows.hpp"
#include "host/backend/overlap_rows.hpp"
#include "host/backend/ray_queries.hpp"

#include <sightline/queries/field_of_view.hpp>
#include <sightline/queries/overlap.hpp>

#include <algorithm>

namespace sightline::detail {
namespace {

void set_bit(std::uint64_t* row, std::uint64_t i) { row[i / 64] |= std::uint64_t{1} << i % 64; }

/// The bounds of a shape, grown by the moving shape.
Aabb seen_by(const Query&, const Aabb& bounds) { return bounds; }
template <class Mover>
Aabb seen_by(const SweepQuery<Mover>& q, const Aabb& bounds) {
  return grown(bounds, q.mover);
}

/// The Search of ray_queries.hpp: one part, limits ignored.
struct EveryShape {
  ShapesView shapes;

  template <class Q, class Leaf>
  bool along(const Q& q, const Leaf& leaf) const {
    const ScaledRay& ray = ray_of(q).ray;
    return !ray.bad && any_of_all(shapes, [&](std::uint32_t id) {
      if (!counts(ray_of(q), shapes, id)) return false;
      if (id >= shapes.bounded()) return leaf(id, ray.t_min);
      const Aabb box = seen_by(q, shapes.bounds[id]);
      const SlabInterval gate = slab(ray.line, ray.t_min, ray.t_max, box);
      return !is_empty(gate) && leaf(id, gate.t_near);
    });
  }
  template <class Q, class Limit, class Leaf>
  void along(const Q& q, const Limit&, const Leaf& leaf) const {
    along(q, leaf);
  }

  std::uint64_t part_of(std::uint64_t n) const { return std::max<std::uint64_t>(n, 1); }
  template <class Use>
  void for_each_part(std::uint64_t n, const Use& use) const {
    if (n > 0) use(0, n);
  }
};

/// The Queries of overlap_rows.hpp.
struct OverlapQueries {
  const ShapesView &shapes, &queries;

  std::uint64_t count() const { return queries.size(); }
  template <class Use, class Done>
  void for_each_run(const Use& use, const Done& done) const {
    const auto find_one = [&](std::uint64_t i, const auto& leaf) {
      visit_query(queries, static_cast<std::uint32_t>(i), [&](const auto& q) {
        any_of_all(shapes,
                   [&](std::uint32_t id) { return overlaps_shape(q, shapes, id) && leaf(id); });
      });
    };
    for_each_run_between(0, count(), find_one, use);
    done(0, count());
  }
  template <class Use>
  void for_each(std::uint64_t n, const Use& use) const {
    for (std::uint64_t i = 0; i < n; ++i) use(i);
  }
};

bool sees(const EveryShape& search, const SightPoint& p, const SightPoint& q,
          const SightOptions& options) {
  const SightQuery sight = sight_query(p, q, options);
  return sight.possible && !search.along(sight.query, [&](std::uint32_t id, float gate_near) {
    return search.shapes.visit(id,
                               [&](const auto& s) { return blocks(sight.query, s, gate_near); });
  });
}

/// Counts the bad points, and the good ones that lie in or touch a shape that their mask and
/// exclusions admit.
VisibilityReport report_of(const EveryShape& search, std::uint64_t pairs, const PointsView& from,
                           const PointsView& to) {
  VisibilityReport report{pairs};
  const auto count = [&](const PointsView& points, std::uint64_t& bad, std::uint64_t& touching) {
    for (std::uint64_t i = 0; i < points.count; ++i) {
      const SightPoint p = points[i];
      bad += is_bad(p);
      touching += !is_bad(p) && any(search, touch_query(p));
    }
  };
  count(from, report.bad_viewpoints, report.touching_viewpoints);
  count(to, report.bad_targets, report.touching_targets);
  return report;
}

VisibilityReport find(const EveryShape& search, const VisibilityMatrix& asked) {
  const auto& [viewpoints, fields, targets, bits, options] = asked;
  const std::uint64_t words = bit_words(targets.count);
  VisibilityReport report =
      report_of(search, viewpoints.count * targets.count, viewpoints, targets);
  std::fill_n(bits, viewpoints.count * words, 0);
  for (std::uint64_t i = 0; i < viewpoints.count; ++i) {
    const SightPoint p = viewpoints[i];
    FieldTest field{};
    if (fields != nullptr) field = field_test((*fields)[i], fields->shape);
    for (std::uint64_t j = 0; j < targets.count; ++j) {
      if (fields != nullptr && !in_field(field, p, targets[j])) continue;
      ++report.in_field;
      if (!sees(search, p, targets[j], options)) continue;
      set_bit(bits + i * words, j);
      ++report.visible;
    }
  }
  return report;
}

VisibilityReport find(const EveryShape& search, const SelfVisibility& asked) {
  const auto& [points, bits, options] = asked;
  const std::uint64_t n = points.count, words = bit_words(n);
  VisibilityReport report = report_of(search, n * n, points, points);
  std::fill_n(bits, n * words, 0);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = i; j < n; ++j) {
      if (!sees(search, points[i], points[j], options)) continue;
      set_bit(bits + i * words, j);
      set_bit(bits + j * words, i);
      report.visible += i == j ? 1 : 2;
    }
  }
  return report;
}

VisibilityReport find(const EveryShape& search, const VisibilityPairs& asked) {
  VisibilityReport report = report_of(search, asked.from.count, asked.from, asked.to);
  std::fill_n(asked.bits, bit_words(asked.from.count), 0);
  for (std::uint64_t i = 0; i < asked.from.count; ++i) {
    if (!sees(search, asked.from[i], asked.to[i], asked.options)) continue;
    set_bit(asked.bits, i);
    ++report.visible;
  }
  return report;
}

template <class Asked>
requires std::same_as<decltype(Asked::queries), ShapesView>
typename Asked::Report find(const EveryShape& search, const Asked& asked) {
  return answer_overlaps(OverlapQueries{search.shapes, asked.queries}, asked);
}

template <class Queries, class Out>
NearestReport find(const EveryShape& search, const NearestOf<Queries, Out>& asked) {
  const ShapesView& shapes = search.shapes;
  NearestReport report{asked.queries.count, 0, 0};
  NearRow row(asked.k, asked.range);
  for (std::uint64_t i = 0; i < asked.queries.count; ++i) {
    const auto q = asked.queries[i];
    row.list().clear();
    report.bad_points += is_bad(q);
    if (!is_bad(q)) {
      any_of_all(shapes, [&](std::uint32_t id) {
        offer_shape(row.list(), shapes, q, id);
        return false;
      });
    }
    report.found += row.store(shapes, q, i, asked.out);
  }
  return report;
}

class ReferenceBackend final : public CastBackend {
 public:
  explicit ReferenceBackend(const ShapesView& shapes) : search_{shapes} {}

#define SIGHTLINE_ANSWER(Query) \
  Query::Report answer(const Query& query) const override { return find(search_, query); }
  SIGHTLINE_FOR_EACH_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

  void update(const ShapesView& shapes, Update) override { search_.shapes = shapes; }

  std::string description() const override { return "reference: brute force, 1 thread"; }
  std::uint64_t memory_bytes() const override { return 0; }

 private:
  EveryShape search_;
};

}  // namespace

std::unique_ptr<CastBackend> make_reference_backend(const ShapesView& shapes) {
  return std::make_unique<ReferenceBackend>(shapes);
}

}  // namespace sightline::detail
