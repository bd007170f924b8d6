// Half-spaces against shapes with bounds: where the shape reaches lowest. Touching overlaps.
#pragma once

#include <sightline/capsule.hpp>
#include <sightline/overlap/wide_box.hpp>
#include <sightline/plane.hpp>
#include <sightline/sphere.hpp>

namespace sightline {

/// Whether a ball around a point that lies `height` above the plane, in units of n's length,
/// reaches it.
SIGHTLINE_HD bool reaches_down(double height, double radius, const WideVec3& n) {
  return height <= 0 || height * height <= radius * radius * square(n);
}

SIGHTLINE_HD bool overlaps(const Plane& a, const Sphere& b) {
  const WideVec3 n = widened(a.normal);
  return reaches_down(dot(n, widened(b.center)) - a.offset, b.radius, n);
}

SIGHTLINE_HD bool overlaps(const Plane& a, const Capsule& b) {
  return overlaps(a, Sphere{b.a, b.radius}) || overlaps(a, Sphere{b.b, b.radius});
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
  return overlaps(a, wide_box(b, {0, 0, 0}));
}
SIGHTLINE_HD bool overlaps(const Plane& a, const ObbFrame& b) {
  return overlaps(a, wide_box(b, {0, 0, 0}));
}

}  // namespace sightline
