// The answers of closest-point queries. They are computed in doubles and rounded once; -0 never
// comes out. Input that is not finite gives the answer of a miss: distance +inf, all else 0.
#pragma once

#include <sightline/geometry/exact/wide_vec.hpp>
#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/plane.hpp>
#include <sightline/geometry/shapes/rays_alone.hpp>
#include <sightline/geometry/shapes/sphere.hpp>
#include <sightline/geometry/shapes/triangle.hpp>

namespace sightline {

/// The point of a surface nearest to a point.
struct Nearest {
  float distance;  ///< signed: negative inside, 0 on the surface
  Vec3 point;      ///< the nearest of the surface
  Vec3 direction;  ///< unit, out of the shape: the gradient of `distance`
};

/// All points a + t (b - a), 0 <= t <= 1.
struct Segment {
  Vec3 a, b;
};

SIGHTLINE_HD float rounded_once(double x) { return narrowed(x) + 0.0f; }
SIGHTLINE_HD Vec3 rounded_once(const WideVec3& v) {
  return {rounded_once(v.x), rounded_once(v.y), rounded_once(v.z)};
}

/// 0, or NaN where a number is not finite: added to a distance it makes the answer a miss.
SIGHTLINE_HD double zero_if_finite(const Vec3& v) { return ((widened(v.x) + v.y) + v.z) * 0.0; }
SIGHTLINE_HD double zero_if_finite(const Segment& s) {
  return zero_if_finite(s.a) + zero_if_finite(s.b);
}
SIGHTLINE_HD double zero_if_finite(const Aabb& s) {
  return zero_if_finite(s.min) + zero_if_finite(s.max);
}
SIGHTLINE_HD double zero_if_finite(const ObbFrame& s) {
  return (zero_if_finite(s.center) + zero_if_finite(s.half_extents)) +
         (zero_if_finite(s.axis[0]) + zero_if_finite(s.axis[1]) + zero_if_finite(s.axis[2]));
}
SIGHTLINE_HD double zero_if_finite(const Sphere& s) {
  return zero_if_finite(s.center) + s.radius * 0.0;
}
SIGHTLINE_HD double zero_if_finite(const Capsule& s) {
  return zero_if_finite(s.a) + zero_if_finite(s.b) + s.radius * 0.0;
}
SIGHTLINE_HD double zero_if_finite(const Triangle& s) {
  return (zero_if_finite(s.a) + zero_if_finite(s.b)) + zero_if_finite(s.c);
}
SIGHTLINE_HD double zero_if_finite(const Plane& s) {
  return zero_if_finite(s.normal) + s.offset * 0.0;
}

SIGHTLINE_HD Nearest nearest_of(double distance, const WideVec3& point, const WideVec3& direction) {
  if (!(distance == distance)) return {infinity, {0, 0, 0}, {0, 0, 0}};
  return {rounded_once(distance), rounded_once(point), rounded_once(direction)};
}

}  // namespace sightline
