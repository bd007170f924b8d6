// Which way is up: z, or y.
#pragma once

#include <sightline/shapes/shapes.hpp>

namespace sightline {

enum class UpAxis : std::uint8_t { z, y };

/// The point as (x, y, z) of a world with z up: where y is up, y and z change places. It is its own
/// inverse, and mirrors, which distances do not mind.
template <class F>
SIGHTLINE_HD Vec3T<F> upright(const Vec3T<F>& p, UpAxis up) {
  return up == UpAxis::z ? p : Vec3T<F>{p.x, p.z, p.y};
}

// The shapes of such a world.
SIGHTLINE_HD Aabb upright(const Aabb& s, UpAxis up) {
  return {upright(s.min, up), upright(s.max, up)};
}
SIGHTLINE_HD ObbFrame upright(const ObbFrame& s, UpAxis up) {
  return {upright(s.center, up),
          s.half_extents,
          {upright(s.axis[0], up), upright(s.axis[1], up), upright(s.axis[2], up)}};
}
SIGHTLINE_HD Sphere upright(const Sphere& s, UpAxis up) {
  return {upright(s.center, up), s.radius};
}
SIGHTLINE_HD Capsule upright(const Capsule& s, UpAxis up) {
  return {upright(s.a, up), upright(s.b, up), s.radius};
}
SIGHTLINE_HD Plane upright(const Plane& s, UpAxis up) { return {upright(s.normal, up), s.offset}; }

}  // namespace sightline
