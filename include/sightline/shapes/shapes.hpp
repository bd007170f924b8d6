// All kinds of shapes together: ids, and the columns that a backend reads.
#pragma once

#include <sightline/queries/ray.hpp>
#include <sightline/shapes/aabb.hpp>
#include <sightline/shapes/capsule.hpp>
#include <sightline/shapes/obb.hpp>
#include <sightline/shapes/plane.hpp>
#include <sightline/shapes/sphere.hpp>

namespace sightline {

/// In the order in which ids are given.
enum class Kind : std::uint8_t { aabb, obb, sphere, capsule, plane };
inline constexpr int kind_count = 5;

/// Structure-of-arrays shapes, owned elsewhere. Ids of kind k are [begin[k], begin[k + 1]).
struct ShapesView {
  std::uint32_t begin[kind_count + 1] = {};

  const Vec3* aabb_min = nullptr;  // [aabbs]
  const Vec3* aabb_max = nullptr;
  const Vec3* obb_center = nullptr;  // [obbs]
  const Vec3* obb_half_extents = nullptr;
  const Vec3* obb_axis[3] = {};
  const Vec3* sphere_center = nullptr;  // [spheres]
  const float* sphere_radius = nullptr;
  const Vec3* capsule_a = nullptr;  // [capsules]
  const Vec3* capsule_b = nullptr;
  const float* capsule_radius = nullptr;
  const Vec3* plane_normal = nullptr;  // [planes]
  const float* plane_offset = nullptr;

  const Aabb* bounds = nullptr;          ///< by id, [begin[Kind::plane]]: planes have none
  const std::uint32_t* mask = nullptr;   ///< by id; null: all ones
  const std::uint32_t* group = nullptr;  ///< by id; null: no groups

  SIGHTLINE_HD std::uint32_t size() const { return begin[kind_count]; }
  /// Shapes with bounds: they come first.
  SIGHTLINE_HD std::uint32_t bounded() const { return begin[static_cast<int>(Kind::plane)]; }
  SIGHTLINE_HD Kind kind_of(std::uint32_t id) const {
    int k = 0;
    while (k + 1 < kind_count && id >= begin[k + 1]) ++k;
    return static_cast<Kind>(k);
  }

  SIGHTLINE_HD std::uint32_t mask_of(std::uint32_t id) const {
    return mask == nullptr ? 0xFFFFFFFFu : mask[id];
  }
  SIGHTLINE_HD std::uint32_t group_of(std::uint32_t id) const {
    return group == nullptr ? none : group[id];
  }

  // Shapes by their index within the kind.
  SIGHTLINE_HD Aabb aabb(std::uint32_t i) const { return {aabb_min[i], aabb_max[i]}; }
  SIGHTLINE_HD ObbFrame obb(std::uint32_t i) const {
    return {obb_center[i], obb_half_extents[i], {obb_axis[0][i], obb_axis[1][i], obb_axis[2][i]}};
  }
  SIGHTLINE_HD Sphere sphere(std::uint32_t i) const { return {sphere_center[i], sphere_radius[i]}; }
  SIGHTLINE_HD Capsule capsule(std::uint32_t i) const {
    return {capsule_a[i], capsule_b[i], capsule_radius[i]};
  }
  SIGHTLINE_HD Plane plane(std::uint32_t i) const { return {plane_normal[i], plane_offset[i]}; }

  /// Shapes [first, first + n), which are there: their ids count from 0.
  ShapesView slice(std::uint32_t first, std::uint32_t n) const {
    ShapesView v = *this;
    std::uint32_t skipped[kind_count];
    for (int k = 0; k < kind_count; ++k) {
      const std::uint32_t of_kind = begin[k + 1] - begin[k];
      skipped[k] = first <= begin[k] ? 0 : first >= begin[k + 1] ? of_kind : first - begin[k];
    }
    for (std::uint32_t& b : v.begin) b = b <= first ? 0 : b - first < n ? b - first : n;
    const auto move = [&](auto&... columns) {
      return [&columns...](std::uint32_t by) {
        ((columns = columns == nullptr ? columns : columns + by), ...);
      };
    };
    move(v.aabb_min, v.aabb_max)(skipped[0]);
    move(v.obb_center, v.obb_half_extents, v.obb_axis[0], v.obb_axis[1], v.obb_axis[2])(skipped[1]);
    move(v.sphere_center, v.sphere_radius)(skipped[2]);
    move(v.capsule_a, v.capsule_b, v.capsule_radius)(skipped[3]);
    move(v.plane_normal, v.plane_offset)(skipped[4]);
    move(v.bounds, v.mask, v.group)(first);
    return v;
  }

  /// Calls f(shape) with the shape of this id.
  template <class Function>
  SIGHTLINE_HD auto visit(std::uint32_t id, Function&& f) const {
    const Kind kind = kind_of(id);
    const std::uint32_t i = id - begin[static_cast<int>(kind)];
    switch (kind) {
      case Kind::aabb:
        return f(aabb(i));
      case Kind::obb:
        return f(obb(i));
      case Kind::sphere:
        return f(sphere(i));
      case Kind::capsule:
        return f(capsule(i));
      default:
        return f(plane(i));
    }
  }
};

}  // namespace sightline
