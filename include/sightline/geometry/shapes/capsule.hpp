// Capsule: all points within a radius of a segment.
#pragma once

#include <sightline/geometry/exact/two_float.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline {

/// A float box that contains the set: one float outward of the rounded ends.
SIGHTLINE_HD Aabb bounds(const Capsule& s) {
  const float r = s.radius;
  return {{next_down(min(s.a.x, s.b.x) - r), next_down(min(s.a.y, s.b.y) - r),
           next_down(min(s.a.z, s.b.z) - r)},
          {next_up(max(s.a.x, s.b.x) + r), next_up(max(s.a.y, s.b.y) + r),
           next_up(max(s.a.z, s.b.z) + r)}};
}

/// A capsule's segment in two-floats, scaled by an exact power of two so that its largest
/// component lies in [1, 2): only its direction matters for the cylinder around it.
template <class F>
struct CapsuleAxis {
  TwoVec3<F> e;  ///< scale * (b - a); 0 for a == b
  F scale;
};

template <class F>
SIGHTLINE_HD CapsuleAxis<F> axis_of(const CapsuleT<F>& s) {
  const TwoVec3<F> e = two_diff(s.b, s.a);
  const F largest = max_abs(high(e));
  // Lengths below 2^-100 cannot be normalised; they count as zero.
  const F scale = select(largest > F(0x1p-100f), normalising_power(largest), F(0));
  return {scaled(e, scale), scale};
}

/// Whether the closed set contains the point, in two-floats.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const CapsuleT<F>& s, const Vec3T<F>& p) {
  const CapsuleAxis<F> axis = axis_of(s);
  const TwoVec3<F> wa = two_diff(p, s.a);
  const TwoVec3<F> wb = two_diff(p, s.b);
  const Two<F> r2 = two_prod(s.radius, s.radius);
  const Two<F> off_line = [&]() SIGHTLINE_LAMBDA {
    const TwoVec3<F> k = cross(wa, axis.e);
    return dot(k, k) - r2 * dot(axis.e, axis.e);
  }();
  const auto beyond_a = dot(wa, axis.e).hi <= F(0);
  const auto beyond_b = dot(wb, axis.e).hi >= F(0);
  const Two<F> excess =
      select(beyond_a, dot(wa, wa) - r2, select(beyond_b, dot(wb, wb) - r2, off_line));
  return rounded(excess) <= F(0);
}

}  // namespace sightline
