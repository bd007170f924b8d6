// Shapes with bounds by their ids.
#pragma once

#include <sightline/shapes/shapes.hpp>

namespace sightline::detail {

/// Calls use(shape) with the shape of this id, which is no plane.
template <class Use>
void visit_bounded(const ShapesView& shapes, std::uint32_t id, const Use& use) {
  const Kind kind = shapes.kind_of(id);
  const std::uint32_t i = id - shapes.begin[static_cast<int>(kind)];
  switch (kind) {
    case Kind::aabb:
      return use(shapes.aabb(i));
    case Kind::obb:
      return use(shapes.obb(i));
    case Kind::sphere:
      return use(shapes.sphere(i));
    default:
      return use(shapes.capsule(i));
  }
}

/// Puts the shape on its way into the cache.
inline void prefetch(const ShapesView& shapes, std::uint32_t id) {
  const Kind kind = shapes.kind_of(id);
  const std::uint32_t i = id - shapes.begin[static_cast<int>(kind)];
  switch (kind) {
    case Kind::aabb:
      __builtin_prefetch(shapes.aabb_min + i);
      __builtin_prefetch(shapes.aabb_max + i);
      return;
    case Kind::obb:
      __builtin_prefetch(shapes.obb_center + i);
      __builtin_prefetch(shapes.obb_half_extents + i);
      for (const Vec3* axes : shapes.obb_axis) __builtin_prefetch(axes + i);
      return;
    case Kind::sphere:
      __builtin_prefetch(shapes.sphere_center + i);
      __builtin_prefetch(shapes.sphere_radius + i);
      return;
    default:
      __builtin_prefetch(shapes.capsule_a + i);
      __builtin_prefetch(shapes.capsule_b + i);
      __builtin_prefetch(shapes.capsule_radius + i);
  }
}

}  // namespace sightline::detail
