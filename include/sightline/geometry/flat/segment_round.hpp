// Segments against circles and capsules. Touching is a hit.
#pragma once

#include <sightline/geometry/flat/flat_interval.hpp>
#include <sightline/geometry/flat/reach.hpp>

namespace sightline {

SIGHTLINE_HD FlatInterval interval(const Segment2& s, const Circle& c) {
  if (!is_sound(s) || !is_sound(c)) return nothing();
  const WideVec2 d = wide_diff(s.b, s.a), w = wide_diff(s.a, c.center);
  if (!within_reach(d, -w, wide_diff(c.center, s.b), c.radius)) return nothing();
  if (is_zero(d)) return everything();
  return meeting(chord(w, d, c.radius), nearest_t(w, d));
}

/// The interval of the line w + t * d in the rectangle that extends `radius` to either side of 0 ..
/// e.
SIGHTLINE_HD FlatInterval beside_core(const WideVec2& e, const WideVec2& w, const WideVec2& d,
                                      double radius) {
  const double ee = square(e), across = cross(e, w), speed = cross(e, d);
  FlatInterval i = clipped(everything(), dot(e, w), dot(e, d));
  i = clipped(i, ee - dot(e, w), -dot(e, d));
  if (speed == 0) return across * across <= radius * radius * ee ? i : nothing();
  const double most = radius * wide_sqrt(ee);
  return clipped(clipped(i, most - across, -speed), most + across, speed);
}

/// The circles around both ends and the rectangle between them.
SIGHTLINE_HD FlatInterval interval(const Segment2& s, const Capsule2& c) {
  if (!is_sound(s) || !is_sound(c) || !within_reach(s, {c.a, c.b}, c.radius)) return nothing();
  const WideVec2 d = wide_diff(s.b, s.a), a = wide_diff(s.a, c.a), b = wide_diff(s.a, c.b);
  if (is_zero(d)) return everything();
  FlatInterval i = united(chord(a, d, c.radius), chord(b, d, c.radius));
  const WideVec2 e = wide_diff(c.b, c.a);
  if (!is_zero(e)) i = united(i, beside_core(e, a, d, c.radius));
  const double from_a = cross(a, d), from_b = cross(b, d);
  return meeting(i, nearest_t(from_a * from_a < from_b * from_b ? a : b, d));
}

}  // namespace sightline
