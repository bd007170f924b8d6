// Half-spaces against bounded shapes, by the shape's lowest point. Touching overlaps.
#pragma once

#include <sightline/geometry/overlap/finite.hpp>
#include <sightline/geometry/overlap/wide_box.hpp>

namespace sightline {

/// Whether a ball reaches down to the plane.
SIGHTLINE_HD bool reaches_down(const Plane& plane, const Vec3& center, double radius) {
  const WideVec3 n = widened(plane.normal);
  const double height = dot(n, widened(center)) - plane.offset;  // in units of n's length
  return height <= 0 || height * height <= radius * radius * square(n);
}

SIGHTLINE_HD bool overlaps(const Plane& a, const Sphere& b) {
  return is_finite(a) && is_finite(b) && reaches_down(a, b.center, b.radius);
}

SIGHTLINE_HD bool overlaps(const Plane& a, const Capsule& b) {
  return is_finite(a) && is_finite(b) &&
         (reaches_down(a, b.a, b.radius) || reaches_down(a, b.b, b.radius));
}

SIGHTLINE_HD bool overlaps(const Plane& a, const Triangle& b) {
  return is_finite(a) && is_finite(b) &&
         (reaches_down(a, b.a, 0) || reaches_down(a, b.b, 0) || reaches_down(a, b.c, 0));
}

SIGHTLINE_HD bool overlaps(const Plane& a, const WideBox& box) {
  const WideVec3 n = widened(a.normal);
  double height = dot(n, box.origin) - a.offset;
  for (int i = 0; i < 3; ++i) {
    const double up = dot(n, box.edge[i]);
    height += up * (up < 0 ? box.high[i] : box.low[i]);
  }
  return height <= 0;
}
SIGHTLINE_HD bool overlaps(const Plane& a, const Aabb& b) {
  return is_finite(a) && is_finite(b) && overlaps(a, wide_box(b, {0, 0, 0}));
}
SIGHTLINE_HD bool overlaps(const Plane& a, const ObbFrame& b) {
  return is_finite(a) && is_finite(b) && overlaps(a, wide_box(b, {0, 0, 0}));
}

}  // namespace sightline
