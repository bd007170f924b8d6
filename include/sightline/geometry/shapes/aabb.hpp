// Axis-aligned box: the closed set min <= x <= max.
#pragma once

#include <sightline/geometry/base/lane.hpp>
#include <sightline/shapes.hpp>

namespace sightline {

/// The float box that contains the shape: itself.
SIGHTLINE_HD Aabb bounds(const Aabb& s) { return s; }

/// Whether the closed box contains the point; exact.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const AabbT<F>& s, const Vec3T<F>& p) {
  return (s.min.x <= p.x) & (p.x <= s.max.x) & (s.min.y <= p.y) & (p.y <= s.max.y) &
         (s.min.z <= p.z) & (p.z <= s.max.z);
}

SIGHTLINE_HD bool is_empty(const Aabb& s) {
  return s.min.x > s.max.x || s.min.y > s.max.y || s.min.z > s.max.z;
}

/// The smallest box that contains both; exact. Of zeros of both signs b's is taken.
SIGHTLINE_HD Aabb unite(const Aabb& a, const Aabb& b) {
  return {{min(a.min.x, b.min.x), min(a.min.y, b.min.y), min(a.min.z, b.min.z)},
          {max(a.max.x, b.max.x), max(a.max.y, b.max.y), max(a.max.z, b.max.z)}};
}

/// Half the surface area, for the surface area heuristic.
SIGHTLINE_HD float half_area(const Aabb& s) {
  const float x = s.max.x - s.min.x, y = s.max.y - s.min.y, z = s.max.z - s.min.z;
  return x * y + y * z + z * x;
}

}  // namespace sightline
