// Whether all numbers of a shape are finite. Other shapes overlap nothing: NaN makes comparisons
// fail, but not every predicate rejects by a failing comparison.
#pragma once

#include <sightline/geometry/intersect/line.hpp>
#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/cylinder.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/plane.hpp>
#include <sightline/geometry/shapes/sphere.hpp>
#include <sightline/geometry/shapes/triangle.hpp>

namespace sightline {

SIGHTLINE_HD bool is_finite(float x) { return abs(x) <= largest_float; }
SIGHTLINE_HD bool is_finite(const Aabb& s) { return is_finite(s.min) && is_finite(s.max); }
SIGHTLINE_HD bool is_finite(const ObbFrame& s) {
  return is_finite(s.center) && is_finite(s.half_extents) && is_finite(s.axis[0]) &&
         is_finite(s.axis[1]) && is_finite(s.axis[2]);
}
SIGHTLINE_HD bool is_finite(const Sphere& s) { return is_finite(s.center) && is_finite(s.radius); }
SIGHTLINE_HD bool is_finite(const Capsule& s) {
  return is_finite(s.a) && is_finite(s.b) && is_finite(s.radius);
}
SIGHTLINE_HD bool is_finite(const Cylinder& s) { return is_finite(Capsule{s.a, s.b, s.radius}); }
SIGHTLINE_HD bool is_finite(const Triangle& s) {
  return is_finite(s.a) && is_finite(s.b) && is_finite(s.c);
}
SIGHTLINE_HD bool is_finite(const Plane& s) { return is_finite(s.normal) && is_finite(s.offset); }

}  // namespace sightline
