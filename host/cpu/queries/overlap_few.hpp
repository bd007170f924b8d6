// Overlaps with few shapes: every query is tested against all of them, 64 queries at a time in the
// caller's order. Neither a tree nor an order would pay: sorting a query costs as much as sixty
// boxes.
#pragma once

#include "host/backend/overlap_rows.hpp"
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/shapes/certain_overlap.hpp"
#include "host/cpu/shapes/shape_kernels.hpp"

#include <sightline/geometry/queries/overlap_query.hpp>

namespace sightline::detail {

/// overlaps(q, s) of two shapes whose bounds overlap.
template <class Q, class CertainQ, class S, class CertainS>
bool overlap_of(const Q& q, const CertainQ& certain_q, const S& s, const CertainS& certain_s) {
  if constexpr (std::is_same_v<Q, Aabb> && std::is_same_v<S, Aabb>) return true;
  const Certainty sure = certain_overlap(certain_q, certain_s);
  return sure == Certainty::yes || (sure == Certainty::unsure && overlaps(q, s));
}

/// The bounds of all bounded shapes.
inline std::vector<Aabb> boxes_of(const ShapesView& shapes) {
  std::vector<Aabb> boxes;
  boxes.reserve(shapes.bounded());
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) boxes.push_back(bounds_of(shapes, id));
  return boxes;
}

/// Calls hit(k, id) for every shape that query `first` + k, k < count <= 64, overlaps, until it
/// returns 1; the queries are of one kind. decide_for(shape)(query) is overlaps() of two shapes
/// whose bounds overlap.
template <class Shape, class DecideFor, class Hit>
void find_in_few(const ShapeKernels& kernels, const ShapesView& shapes,
                 const std::vector<Aabb>& boxes, const ShapesView& queries, std::uint64_t first,
                 std::uint32_t count, const DecideFor& decide_for, const Hit& hit) {
  constexpr std::uint32_t some = 8;  // so that few boxes are compared in vain
  const auto query = [&](std::uint32_t k) {
    return queries.get<Shape>(static_cast<std::uint32_t>(first) + k -
                              queries.begin[static_cast<int>(kind_for<Shape>)]);
  };
  const auto mask = [&](std::uint32_t k) {
    return queries.mask_of(static_cast<std::uint32_t>(first) + k);
  };
  QueryBoxes bounds_of_queries;
  for (std::uint32_t k = 0; k < count; ++k) bounds_of_queries.set(k, bounds(query(k)));
  bounds_of_queries.clear_from(count);
  std::uint64_t open = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  const auto test = [&](std::uint32_t id, std::uint64_t candidates, const auto& decides) {
    const std::uint32_t shape_mask = shapes.mask_of(id);
    for (std::uint64_t rest = candidates & open; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<std::uint32_t>(__builtin_ctzll(rest));
      if ((mask(k) & shape_mask) == 0 || !decides(query(k))) continue;
      open &= ~(std::uint64_t{hit(k, id)} << k);
    }
  };
  for (std::uint32_t from = 0; from < shapes.bounded() && open != 0; from += some) {
    std::uint64_t near[some];
    const std::uint32_t n = std::min(some, shapes.bounded() - from);
    kernels.boxes_meeting(bounds_of_queries, &boxes[from], n, near);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (near[i] == 0) continue;
      shapes.visit_bounded(from + i,
                           [&](const auto& s) { test(from + i, near[i], decide_for(s)); });
    }
  }
  for (std::uint32_t id = shapes.bounded(); id < shapes.size() && open != 0; ++id) {
    shapes.visit_unbounded(
        id, [&](const auto& s) { test(id, open, [&](const Shape& q) { return overlaps(q, s); }); });
  }
}

/// The Queries of overlap_rows.hpp.
struct OverlapsWithFew {
  const CpuScene& scene;
  const ShapesView& batch;
  const std::vector<Aabb> boxes = boxes_of(scene.shapes);

  std::uint64_t count() const { return batch.size(); }
  template <class Use, class Done>
  void for_each_run(const Use& use, const Done& done) const {
    scene.search().for_each_part(count(), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t first = begin; first < end; first += most_of_run) {
        const QueryRun run = {first, nullptr, std::min(end - first, most_of_run)};
        use(run, [&](const auto& hit) { find(run, hit); });
      }
      done(begin, end);
    });
  }
  template <class Use>
  void for_each(std::uint64_t n, const Use& use) const {
    scene.threads.for_each_part(
        n, 1, [] { return 0; }, [&](int, std::uint64_t i, std::uint64_t) { use(i); });
  }

 private:
  template <class Hit>
  void find(const QueryRun& run, const Hit& hit) const {
    const std::uint64_t end = run.begin + run.count;
    for (std::uint64_t first = run.begin; first < end;) {
      const Kind kind = batch.kind_of(static_cast<std::uint32_t>(first));
      const std::uint64_t end_of_kind = batch.begin[static_cast<int>(kind) + 1];
      const std::uint64_t last = std::min({end, end_of_kind, first + QueryBoxes::most});
      with_query_kind(kind, [&]<class S>(ShapeTag<S>) {
        const auto decide_for = [](const auto& s) {
          return [&s, certain_s = certain_shape(s)](const S& q) {
            return overlap_of(q, certain_shape(q), s, certain_s);
          };
        };
        find_in_few<S>(scene.simd.shapes, scene.shapes, boxes, batch, first,
                       static_cast<std::uint32_t>(last - first), decide_for,
                       [&](std::uint32_t k, std::uint32_t id) {
                         return hit_one(hit, first - run.begin + k, id);
                       });
      });
      first = last;
    }
  }
};

}  // namespace sightline::detail
