// Every query of a scene without a tree: each is asked of every shape.
//
// A `Search` is the Search of ray_queries.hpp, and has
//   for_each_row(n, use)   calls use(i) for i < n, possibly in parallel
//   description(), memory_bytes(), and update(shapes)
#pragma once

#include "host/backend/bodies.hpp"
#include "host/backend/every_shape.hpp"
#include "host/backend/near_rows.hpp"
#include "host/backend/overlap_rows.hpp"
#include "host/backend/ray_queries.hpp"

#include <sightline/geometry/queries/field_of_view.hpp>
#include <sightline/geometry/queries/overlap_query.hpp>

#include <algorithm>

namespace sightline::detail {

/// The bounds of a shape, grown by the moving shape.
inline Aabb seen_by(const Query&, const Aabb& bounds) { return bounds; }
template <class Mover>
Aabb seen_by(const SweepQuery<Mover>& q, const Aabb& bounds) {
  return grown(bounds, q.mover);
}

/// The along() of a Search, one shape after the other; bounds(id) are those of a shape. Returns
/// whether leaf did.
template <class Bounds, class Q, class Leaf>
bool any_along(const ShapesView& shapes, const Bounds& bounds, const Q& q, const Leaf& leaf) {
  const ScaledRay& ray = ray_of(q).ray;
  return !ray.bad && any_of_all(shapes, [&](std::uint32_t id) {
    if (!passes_filter(ray_of(q), shapes, id)) return false;
    if (id >= shapes.bounded()) return leaf(id, ray.t_min);
    const Aabb box = seen_by(q, bounds(id));
    const SlabInterval gate = slab(ray.line, ray.t_min, ray.t_max, box);
    return !is_empty(gate) && leaf(id, gate.t_near);
  });
}

template <class Search, class Asked>
requires std::same_as<decltype(Asked::queries), ShapesView>
typename Asked::Report answer_by_search(const Search& search, const Asked& asked) {
  if constexpr (std::same_as<Asked, OverlapAny>) {
    if (asked.body > 1) {
      return fold_bodies(asked,
                         [&](const OverlapAny& all) { return answer_by_search(search, all); });
    }
  }
  const ShapesView& shapes = search.shapes;
  const auto find_one = [&](std::uint64_t i, const auto& leaf) {
    visit_query(asked.queries, static_cast<std::uint32_t>(i), [&](const auto& q) {
      any_of_all(shapes,
                 [&](std::uint32_t id) { return overlaps_shape(q, shapes, id) && leaf(id); });
    });
  };
  return answer_overlaps(
      QueriesInTurn<Search, decltype(find_one)>{search, asked.queries.size(), find_one}, asked);
}

template <class Search, class Queries, class Out>
NearestReport answer_by_search(const Search& search, const NearestOf<Queries, Out>& asked) {
  const ShapesView& shapes = search.shapes;
  const auto use = [&](std::uint64_t begin, std::uint64_t end, NearestReport& here) {
    NearRow row(asked.k, asked.range);
    here.points = end - begin;
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto q = asked.queries[i];
      row.list().clear();
      here.bad_points += is_bad(q);
      if (!is_bad(q)) {
        any_of_all(shapes, [&](std::uint32_t id) {
          offer_shape(row.list(), shapes, q, id);
          return false;
        });
      }
      here.found += row.store(shapes, q, i, asked.out);
    }
  };
  return sum_parts<NearestReport>(search, asked.queries.count, use);
}

/// Calls use(i, report) for each row; returns the reports' sum, `pairs` and points included.
template <class Search, class Use>
VisibilityReport sum_rows(const Search& search, const PointsView& from, const PointsView& to,
                          const Use& use) {
  ReportSum<VisibilityReport> sum;
  sum += report_of(search, from.count * to.count, from, to);
  search.for_each_row(from.count, [&](std::uint64_t i) {
    VisibilityReport here;
    use(i, here);
    sum += here;
  });
  return sum.total();
}

template <class Search>
VisibilityReport answer_by_search(const Search& search, const VisibilityMatrix& asked) {
  const auto& [viewpoints, fields, targets, bits, options] = asked;
  const std::uint64_t words = bit_words(targets.count);
  std::fill_n(bits, viewpoints.count * words, 0);
  return sum_rows(search, viewpoints, targets, [&](std::uint64_t i, VisibilityReport& here) {
    const SightPoint p = asked.viewpoints[i];
    FieldTest field{};
    if (asked.fields != nullptr) field = field_test((*asked.fields)[i], asked.fields->shape);
    for (std::uint64_t j = 0; j < asked.targets.count; ++j) {
      if (asked.fields != nullptr && !in_field(field, p, asked.targets[j])) continue;
      ++here.in_field;
      if (!sees(search, p, asked.targets[j], asked.options)) continue;
      set_bit(asked.bits + i * words, j);
      ++here.visible;
    }
  });
}

/// The upper half of the matrix; then its mirror image.
template <class Search>
VisibilityReport answer_by_search(const Search& search, const SelfVisibility& asked) {
  const PointsView& points = asked.points;
  const std::uint64_t n = points.count, words = bit_words(n);
  std::fill_n(asked.bits, n * words, 0);
  const auto report = sum_rows(search, points, points, [&](std::uint64_t i, auto& here) {
    for (std::uint64_t j = i; j < n; ++j) {
      if (!sees(search, points[i], points[j], asked.options)) continue;
      set_bit(asked.bits + i * words, j);
      here.visible += i == j ? 1 : 2;
    }
  });
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = i + 1; j < n; ++j) {
      const std::uint64_t bit = asked.bits[i * words + j / 64] >> j % 64 & 1;
      asked.bits[j * words + i / 64] |= bit << i % 64;
    }
  }
  return report;
}

template <class Search>
class BruteForce final : public CastBackend {
 public:
  explicit BruteForce(Search search) : search_(std::move(search)) {}

#define SIGHTLINE_ANSWER(Query)                             \
  Query::Report answer(const Query& query) const override { \
    return answer_by_search(search_, query);                \
  }
  SIGHTLINE_FOR_EACH_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

  void update(const ShapesView& shapes, Update) override { search_.update(shapes); }
  std::string description() const override { return search_.description(); }
  std::uint64_t memory_bytes() const override { return search_.memory_bytes(); }

 private:
  Search search_;
};

}  // namespace sightline::detail
