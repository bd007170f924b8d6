// Oriented box.
#pragma once

#include <sightline/geometry/exact/two_float.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline {

/// The axes of a box: the homogeneous rotation form in binary64 divided by q.q and rounded once,
/// so that a quarter turn gives exact zeros and ones whatever the quaternion's length.
SIGHTLINE_HD ObbFrame frame(const Obb& s) {
  const double x = s.rotation.x, y = s.rotation.y, z = s.rotation.z, w = s.rotation.w;
  const double xx = x * x, yy = y * y, zz = z * z, ww = w * w;
  const double qq = ((xx + yy) + zz) + ww;
  const auto part = [qq](double v) { return static_cast<float>(v / qq) + 0.0f; };
  ObbFrame f;
  f.center = s.center;
  f.half_extents = s.half_extents;
  f.axis[0] = {part((ww + xx) - (yy + zz)), part(2 * (x * y + w * z)), part(2 * (x * z - w * y))};
  f.axis[1] = {part(2 * (x * y - w * z)), part((ww + yy) - (xx + zz)), part(2 * (y * z + w * x))};
  f.axis[2] = {part(2 * (x * z + w * y)), part(2 * (y * z - w * x)), part((ww + zz) - (xx + yy))};
  return f;
}

/// A float box that contains the set of the stored half-spaces.
///
/// The set's corners are along the dual basis of the stored axes, which differs from them by up to
/// sqrt(3) * 2^-24 per unit of every half extent, not only of those that extend far along a
/// coordinate axis; hence padding by the sum of half extents (docs/project/proofs/traversal.md).
SIGHTLINE_HD Aabb bounds(const ObbFrame& s) {
  const Vec3 h = s.half_extents;
  const float padding = ((h.x + h.y) + h.z) * 0x1p-20f;
  const auto extent = [&](float a, float b, float c) {
    return ((abs(a) * h.x + abs(b) * h.y) + abs(c) * h.z) + padding;
  };
  const Vec3 e = {extent(s.axis[0].x, s.axis[1].x, s.axis[2].x),
                  extent(s.axis[0].y, s.axis[1].y, s.axis[2].y),
                  extent(s.axis[0].z, s.axis[1].z, s.axis[2].z)};
  const Vec3 c = s.center;
  return {{next_down(c.x - e.x), next_down(c.y - e.y), next_down(c.z - e.z)},
          {next_up(c.x + e.x), next_up(c.y + e.y), next_up(c.z + e.z)}};
}

/// Whether the closed set contains the point; dots are two-floats.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const ObbFrameT<F>& s, const Vec3T<F>& p) {
  const TwoVec3<F> w = two_diff(p, s.center);
  const auto within = [&](const Vec3T<F>& axis, F extent) SIGHTLINE_LAMBDA {
    const Two<F> y = dot(w, axis);
    const Two<F> above = y + extent, below = y + (-extent);
    return (above.hi >= F(0)) & (below.hi <= F(0));
  };
  const auto x = within(s.axis[0], s.half_extents.x);
  const auto y = within(s.axis[1], s.half_extents.y);
  const auto z = within(s.axis[2], s.half_extents.z);
  return x & y & z;
}

}  // namespace sightline
