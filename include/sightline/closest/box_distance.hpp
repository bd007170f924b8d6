// The bound by which trees are culled where the nearest shapes are asked for.
#pragma once

#include <sightline/aabb.hpp>

namespace sightline {

/// At most the distance of the point to the box, and 0 in it.
///
/// Every step is monotone, rounding included, so that a box that contains another is never further,
/// as computed. The last factor takes away more than all roundings could have added, and squares
/// that float cannot hold count as 0 or 2^128; so it is never above the true distance, rounded
/// (docs/accuracy.md). The box of nothing is 2^64 away, like all that is further.
template <class F>
SIGHTLINE_HD F box_distance(const AabbT<F>& s, const Vec3T<F>& p) {
  const auto gap = [](F low, F high, F x) { return max(F(0), max(low - x, x - high)); };
  const F x = gap(s.min.x, s.max.x, p.x), y = gap(s.min.y, s.max.y, p.y);
  const F z = gap(s.min.z, s.max.z, p.z);
  const F square = (x * x + y * y) + z * z;
  const F distance = min(sqrt(square), F(0x1p64f)) * F(1 - 0x1p-21f);
  return select(square < F(0x1p-100f), F(0), distance);
}

/// What a signed distance to anything in the box is at least: -inf where the box contains p.
template <class F>
SIGHTLINE_HD F signed_distance_bound(const AabbT<F>& s, const Vec3T<F>& p) {
  return select(contains(s, p), F(-infinity), box_distance(s, p));
}

/// The gate of a signed distance, by which brute force answers what a tree answers: a shape is at
/// least as far as its bounds.
template <class F>
SIGHTLINE_HD F gated_distance(const F& distance, const AabbT<F>& bounds, const Vec3T<F>& p) {
  const F least = signed_distance_bound(bounds, p);
  return select(distance < least, least, distance);
}

}  // namespace sightline
