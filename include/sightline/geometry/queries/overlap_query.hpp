// The shapes of a scene that a query shape overlaps: shared by all backends.
#pragma once

#include <sightline/geometry/overlap/overlaps.hpp>
#include <sightline/geometry/shapes/all_shapes.hpp>

#include <type_traits>

namespace sightline {

/// A query shape of any kind with bounds; a point is a sphere of radius 0.
template <class Shape>
struct OverlapQuery {
  Shape shape;
  Aabb bounds;         ///< the shape's own; shapes outside them are skipped
  std::uint32_t mask;  ///< shapes with a common bit count
};

template <class Shape>
SIGHTLINE_HD OverlapQuery<Shape> overlap_query(const Shape& shape, std::uint32_t mask) {
  return {shape, bounds(shape), mask};
}

/// Whether the query overlaps a shape, masks apart: bounds do, and then the shapes. A kernel for
/// scenes without triangles does not hold the code of these.
template <bool triangles = true, class Shape, class Other>
SIGHTLINE_HD bool overlaps_other(const OverlapQuery<Shape>& q, const Other& other) {
  if constexpr (!triangles && std::is_same_v<Other, Triangle>) {
    return false;
  } else {
    if constexpr (is_bounded<Other>) {
      if (!overlaps(q.bounds, bounds(other))) return false;
    }
    return overlaps(q.shape, other);
  }
}

/// Whether the query's mask admits the shape of this id, and the two overlap.
template <bool triangles = true, class Shape>
SIGHTLINE_HD bool overlaps_shape(const OverlapQuery<Shape>& q, const ShapesView& shapes,
                                 std::uint32_t id) {
  if ((q.mask & shapes.mask_of(id)) == 0) return false;
  return shapes.visit(id, [&](const auto& other) { return overlaps_other<triangles>(q, other); });
}

/// Calls use(query) with query shape `id`, which is no plane.
template <class Use>
SIGHTLINE_HD void visit_query(const ShapesView& queries, std::uint32_t id, Use&& use) {
  const std::uint32_t mask = queries.mask_of(id);
  queries.visit_bounded(id, [&]<class S>(const S& shape) {
    if constexpr (!RaysAlone<S>) use(overlap_query(shape, mask));
  });
}

}  // namespace sightline
