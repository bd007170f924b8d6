// Sphere: the closed ball.
#pragma once

#include <sightline/geometry/exact/two_float.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline {

/// A float box that contains the ball: one float outward of the rounded ends.
SIGHTLINE_HD Aabb bounds(const Sphere& s) {
  const Vec3 c = s.center;
  const float r = s.radius;
  return {{next_down(c.x - r), next_down(c.y - r), next_down(c.z - r)},
          {next_up(c.x + r), next_up(c.y + r), next_up(c.z + r)}};
}

/// Whether the closed ball contains the point, in two-floats.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const SphereT<F>& s, const Vec3T<F>& p) {
  const TwoVec3<F> w = two_diff(p, s.center);
  return rounded(dot(w, w) - two_prod(s.radius, s.radius)) <= F(0);
}

}  // namespace sightline
