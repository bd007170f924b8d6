// Cylinder: all points within a radius of a line, between two planes at right angles to it.
#pragma once

#include <sightline/geometry/shapes/capsule.hpp>

namespace sightline {

/// A float box that contains the set. The disc at an end reaches r * sqrt(1 - n_i^2) along axis i,
/// n being the unit axis; the two other squares under the root do not cancel. 2^-20 of that is more
/// than its rounding, and 2^-70 r more than what underflows
/// (docs/project/proofs/traversal.md).
SIGHTLINE_HD Aabb bounds(const Cylinder& s) {
  const Vec3 e = {s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z};
  const float r = s.radius, p = normalising_power(max(max_abs(e), 0x1p-126f));
  const float x = e.x * p, y = e.y * p, z = e.z * p;
  const float xx = x * x, yy = y * y, zz = z * z, ee = (xx + yy) + zz;
  const auto reach = [&](float others) {
    return fma(r * sqrt(others / ee), 1.0f + 0x1p-20f, r * 0x1p-70f);
  };
  // Ends too near each other for a direction: the ball.
  const bool is_short = !(max_abs(e) > 0x1p-100f);
  const Vec3 d = is_short ? Vec3{r, r, r} : Vec3{reach(yy + zz), reach(zz + xx), reach(xx + yy)};
  return {{next_down(min(s.a.x, s.b.x) - d.x), next_down(min(s.a.y, s.b.y) - d.y),
           next_down(min(s.a.z, s.b.z) - d.z)},
          {next_up(max(s.a.x, s.b.x) + d.x), next_up(max(s.a.y, s.b.y) + d.y),
           next_up(max(s.a.z, s.b.z) + d.z)}};
}

/// The capsule about the same segment, which contains the cylinder.
template <class F>
SIGHTLINE_HD CapsuleT<F> capsule_around(const CylinderT<F>& s) {
  return {s.a, s.b, s.radius};
}

/// Whether the ends are far enough apart for a direction. Others contain nothing that an answer
/// sees: they are below the sizes for which accuracy is promised.
template <class F>
SIGHTLINE_HD MaskOf<F> has_length(const CapsuleAxis<F>& axis) {
  return axis.scale > F(0);
}

/// Whether the closed set contains the point, in two-floats.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const CylinderT<F>& s, const Vec3T<F>& p) {
  const CapsuleAxis<F> axis = axis_of(capsule_around(s));
  const TwoVec3<F> wa = two_diff(p, s.a), wb = two_diff(p, s.b);
  const TwoVec3<F> k = cross(wa, axis.e);
  const Two<F> excess = dot(k, k) - two_prod(s.radius, s.radius) * dot(axis.e, axis.e);
  const auto above_a = dot(wa, axis.e).hi >= F(0), below_b = dot(wb, axis.e).hi <= F(0);
  return above_a & below_b & (rounded(excess) <= F(0)) & has_length(axis);
}

}  // namespace sightline
