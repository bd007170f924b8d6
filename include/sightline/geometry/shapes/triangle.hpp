// Triangle: the convex hull of three points, flat.
#pragma once

#include <sightline/geometry/exact/edge_sign.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline {

/// The least float box that contains the shape; exact.
template <class F>
SIGHTLINE_HD AabbT<F> bounds(const TriangleT<F>& s) {
  return {
      {min(min(s.a.x, s.b.x), s.c.x), min(min(s.a.y, s.b.y), s.c.y), min(min(s.a.z, s.b.z), s.c.z)},
      {max(max(s.a.x, s.b.x), s.c.x), max(max(s.a.y, s.b.y), s.c.y),
       max(max(s.a.z, s.b.z), s.c.z)}};
}

/// Whether the closed set contains the point, exactly: the point is within the bounds and in the
/// corners' plane, and in no projection along an axis are two edges on different sides of it. The
/// three sides add up to the projection's area. So of corners on one line all sides are 0, and the
/// point is on that line.
template <class P>
SIGHTLINE_APART bool exactly_contains(SIGHTLINE_SELDOM_PARAMETER(Triangle) s,
                                      SIGHTLINE_SELDOM_PARAMETER(P) p) {
  const SplitVec3 to[3] = {split_difference(s.a, p), split_difference(s.b, p),
                           split_difference(s.c, p)};
  if (determinant_sign(to[0], to[1], to[2]) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    bool left = false, right = false;
    for (int k = 0; k < 3; ++k) {
      const int side = minor_sign(to[k], to[(k + 1) % 3], (axis + 1) % 3, (axis + 2) % 3);
      left = left || side > 0;
      right = right || side < 0;
    }
    if (left && right) return false;
  }
  return true;
}

/// (b - a) x (c - a), within 2^-50 of its length for corners that are at most 2^-53 of the edges
/// away; 0 exactly where the triangle has no area.
SIGHTLINE_HD WideVec3 face_normal(const Triangle& t) {
  const WideVec3 u = wide_diff(t.b, t.a), v = wide_diff(t.c, t.a);
  const WideVec3 n = sharp_cross(u, v);
  // A needle of more than 2^23 widths: what differences and sharp_cross() lose of lengths counts.
  if (square(n) <= 0x1p-46 * square(u) * square(v)) {
    return exact_cross(split_difference(t.b, t.a), split_difference(t.c, t.a));
  }
  return n;
}

/// The lanes of some vectors as floats, for what is computed one lane at a time.
template <class F, int vectors>
struct LaneVectors {
  static constexpr int lanes = LaneTraits<F>::lanes;
  float row[3 * vectors][lanes];

  SIGHTLINE_HD void store(int k, const Vec3T<F>& v) {
    LaneTraits<F>::store(v.x, row[3 * k]);
    LaneTraits<F>::store(v.y, row[3 * k + 1]);
    LaneTraits<F>::store(v.z, row[3 * k + 2]);
  }
  SIGHTLINE_HD Vec3 vector(int k, int lane) const {
    return {row[3 * k][lane], row[3 * k + 1][lane], row[3 * k + 2][lane]};
  }
};
template <class F>
SIGHTLINE_HD MaskOf<F> mask_of(const float (&set)[LaneTraits<F>::lanes]) {
  return LaneTraits<F>::load(set) > F(0);
}

template <class F>
SIGHTLINE_HD MaskOf<F> contains(const TriangleT<F>& s, const Vec3T<F>& p) {
  const MaskOf<F> within = contains(bounds(s), p);
  if (!any(within)) return within;
  LaneVectors<F, 4> v;
  v.store(0, s.a), v.store(1, s.b), v.store(2, s.c), v.store(3, p);
  float inside[LaneTraits<F>::lanes];
  LaneTraits<F>::store(select(within, F(1), F(0)), inside);
  for (int i = 0; i < LaneTraits<F>::lanes; ++i) {
    const Triangle one = {v.vector(0, i), v.vector(1, i), v.vector(2, i)};
    if (inside[i] > 0) inside[i] = exactly_contains<Vec3>(one, v.vector(3, i)) ? 1.0f : 0.0f;
  }
  return mask_of<F>(inside);
}

}  // namespace sightline
