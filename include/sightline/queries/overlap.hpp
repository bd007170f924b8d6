// Which shapes of a scene another shape overlaps: what every backend answers.
#pragma once

#include <sightline/overlap/overlaps.hpp>
#include <sightline/shapes/shapes.hpp>

#include <type_traits>

namespace sightline {

/// A shape that asks: an Aabb, ObbFrame, Sphere or Capsule; a point is a sphere of radius 0.
template <class Shape>
struct OverlapQuery {
  Shape shape;
  Aabb bounds;         ///< the shape's own: what does not overlap them is passed over
  std::uint32_t mask;  ///< shapes count whose masks have a bit in common
};

template <class Shape>
SIGHTLINE_HD OverlapQuery<Shape> overlap_query(const Shape& shape, std::uint32_t mask) {
  return {shape, bounds(shape), mask};
}

/// Whether the query overlaps the shape of this id, which counts.
template <class Shape>
SIGHTLINE_HD bool overlaps_shape(const OverlapQuery<Shape>& q, const ShapesView& shapes,
                                 std::uint32_t id) {
  if ((q.mask & shapes.mask_of(id)) == 0) return false;
  return shapes.visit(id, [&](const auto& other) {
    if constexpr (is_bounded<std::decay_t<decltype(other)>>) {
      if (!overlaps(q.bounds, bounds(other))) return false;
    }
    return overlaps(q.shape, other);
  });
}

/// Calls ask(query) with shape `id` of those that ask, which is no plane.
template <class Ask>
SIGHTLINE_HD void visit_query(const ShapesView& asking, std::uint32_t id, Ask&& ask) {
  const std::uint32_t mask = asking.mask_of(id);
  asking.visit_bounded(id, [&](const auto& shape) { ask(overlap_query(shape, mask)); });
}

}  // namespace sightline
