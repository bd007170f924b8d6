// Lower bounds of the distance of a point to a shape, in plain floats (docs/accuracy.md, "Sure
// overlaps").
#pragma once

#include "host/cpu/walk/sure_shapes.hpp"

namespace sightline::detail {

/// A lower bound of nearest()'s signed distance.
inline float distance_at_least(const SureRound& s, const Vec3& p) {
  const Vec3 w = minus(p, s.center);
  const float ee = dot3(s.half, s.half);
  const float t = ee > 0 ? cut(dot3(w, s.half) / ee, 1) : 0;
  const Vec3 g = along(w, s.half, -t);
  const float length = sqrt(dot3(g, g)), far = s.radius + margin_of(sum3(w) + s.size, s.slack);
  // A plane across g separates the two, whatever the rounding of g.
  return length > 0x1p-40f ? (dot3(g, w) - abs(dot3(g, s.half))) / length - far : -infinity;
}

/// -inf for points in the box or near it.
inline float distance_at_least(const SureBox& s, const Vec3& p) {
  const Float4 w = lanes_of(p) - s.center, at = weighted(w, s.turned);
  const Float4 g = at - cut(at, s.half);
  const float least = sqrt(sum3(g * g)) - margin_of(sum3(magnitude(w)) + s.size, s.slack);
  return least > 0 ? least : -infinity;
}

}  // namespace sightline::detail
