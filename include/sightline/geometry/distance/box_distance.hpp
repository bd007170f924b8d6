// The culling bound of nearest-shape queries.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline {

/// A lower bound of the distance of two boxes, 0 where they overlap.
///
/// Every step is monotone, rounding included, so that a box that contains another is never further,
/// as computed. The last factor outweighs all roundings, and squares out of float's range count as
/// 0 or 2^128; so the bound never exceeds the true distance, rounded
/// (docs/project/proofs/overlap-distance-sweep.md, "Culling").
/// The empty box is 2^64 away, like everything further.
template <class F>
SIGHTLINE_HD F box_distance(const AabbT<F>& s, const AabbT<F>& q) {
  const auto gap = [](F low, F high, F from, F to) {
    return max(F(0), max(low - to, from - high));
  };
  const F x = gap(s.min.x, s.max.x, q.min.x, q.max.x), y = gap(s.min.y, s.max.y, q.min.y, q.max.y);
  const F z = gap(s.min.z, s.max.z, q.min.z, q.max.z);
  const F square = (x * x + y * y) + z * z;
  const F distance = min(sqrt(square), F(0x1p64f)) * F(1 - 0x1p-21f);
  return select(square < F(0x1p-100f), F(0), distance);
}
/// The same for a point.
template <class F>
SIGHTLINE_HD F box_distance(const AabbT<F>& s, const Vec3T<F>& p) {
  return box_distance(s, AabbT<F>{p, p});
}

/// A lower bound of the signed distance to anything in the box: -inf where it contains p.
template <class F>
SIGHTLINE_HD F signed_distance_bound(const AabbT<F>& s, const Vec3T<F>& p) {
  return select(contains(s, p), F(-infinity), box_distance(s, p));
}

/// The gate of a distance, which makes brute force and trees agree: a shape is at least as far as
/// its bounds.
template <class F>
SIGHTLINE_HD F gated_distance(const F& distance, const F& least) {
  return select(distance < least, least, distance);
}
/// The gate of a signed distance.
template <class F>
SIGHTLINE_HD F gated_distance(const F& distance, const AabbT<F>& bounds, const Vec3T<F>& p) {
  return gated_distance(distance, signed_distance_bound(bounds, p));
}

}  // namespace sightline
