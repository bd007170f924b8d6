// The bound by which trees are culled where the nearest shapes are asked for.
#pragma once

#include <sightline/shapes/aabb.hpp>

namespace sightline {

/// At most the distance of the boxes, and 0 where they overlap.
///
/// Every step is monotone, rounding included, so that a box that contains another is never further,
/// as computed. The last factor takes away more than all roundings could have added, and squares
/// that float cannot hold count as 0 or 2^128; so it is never above the true distance, rounded
/// (docs/accuracy.md). The box of nothing is 2^64 away, like all that is further.
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
/// Of the point, the box of nothing else.
template <class F>
SIGHTLINE_HD F box_distance(const AabbT<F>& s, const Vec3T<F>& p) {
  return box_distance(s, AabbT<F>{p, p});
}

/// What a signed distance to anything in the box is at least: -inf where the box contains p.
template <class F>
SIGHTLINE_HD F signed_distance_bound(const AabbT<F>& s, const Vec3T<F>& p) {
  return select(contains(s, p), F(-infinity), box_distance(s, p));
}

/// The gate of a distance, by which brute force answers what a tree answers: a shape is at least as
/// far as its bounds.
template <class F>
SIGHTLINE_HD F gated_distance(const F& distance, const F& least) {
  return select(distance < least, least, distance);
}
/// Of a signed distance.
template <class F>
SIGHTLINE_HD F gated_distance(const F& distance, const AabbT<F>& bounds, const Vec3T<F>& p) {
  return gated_distance(distance, signed_distance_bound(bounds, p));
}

}  // namespace sightline
