// The interval of a segment's line in one shape, and the policy's answer.
#pragma once

#include <sightline/geometry/flat/sound.hpp>
#include <sightline/ray.hpp>

namespace sightline {

/// `hit`: the segment has a point in the shape. Then t_in <= t <= t_out is the whole line's
/// interval, not clamped to [0, 1]: t_in < 0 means that the segment begins inside, t_out > 1 that
/// it ends inside. A segment of length 0 is wholly inside, from -inf to inf, or misses. Without
/// `hit` the ends are unspecified.
struct FlatInterval {
  bool hit;
  double t_in, t_out;
};

inline constexpr double wide_infinity = std::numeric_limits<double>::infinity();

SIGHTLINE_HD FlatInterval nothing() { return {false, 0, 0}; }
SIGHTLINE_HD FlatInterval everything() { return {true, -wide_infinity, wide_infinity}; }

/// The part of the interval where a + b * t >= 0.
SIGHTLINE_HD FlatInterval clipped(const FlatInterval& i, double a, double b) {
  if (b == 0) return a >= 0 ? i : nothing();
  FlatInterval r = i;
  const double t = -a / b;
  if (b > 0 && t > r.t_in) r.t_in = t;
  if (b < 0 && t < r.t_out) r.t_out = t;
  r.hit = r.hit && r.t_in <= r.t_out;
  return r;
}

/// The hull of both intervals, for parts of a convex shape.
SIGHTLINE_HD FlatInterval united(const FlatInterval& a, const FlatInterval& b) {
  if (!a.hit || !b.hit) return a.hit ? a : b;
  return {true, a.t_in < b.t_in ? a.t_in : b.t_in, a.t_out > b.t_out ? a.t_out : b.t_out};
}

/// Whether the interval of the line reaches the segment.
SIGHTLINE_HD bool reaches_segment(const FlatInterval& i) {
  return i.hit && i.t_in <= 1 && i.t_out >= 0;
}

/// The interval of a segment that is known to meet the shape, at `t` if at a single point: corrects
/// intervals that rounding left empty or off the segment.
SIGHTLINE_HD FlatInterval meeting(const FlatInterval& i, double t) {
  if (!i.hit || !(i.t_in <= i.t_out)) return {true, t, t};
  return {true, i.t_in < 1 ? i.t_in : 1, 0 > i.t_out ? 0 : i.t_out};
}

/// The interval of the line w + t * d, d not 0, in the circle around 0.
SIGHTLINE_HD FlatInterval chord(const WideVec2& w, const WideVec2& d, double radius) {
  const double dd = square(d), along = -dot(w, d), across = cross(w, d);
  const double under_root = radius * radius * dd - across * across;
  const double root = under_root > 0 ? wide_sqrt(under_root) : 0;
  return {under_root >= 0, (along - root) / dd, (along + root) / dd};
}

/// The t of the point of the segment w .. w + d, d not 0, that is nearest to 0.
SIGHTLINE_HD double nearest_t(const WideVec2& w, const WideVec2& d) {
  const double along = -dot(w, d), dd = square(d);
  return along <= 0 ? 0 : along >= dd ? 1 : along / dd;
}

/// One shape's answer to a segment.
struct FlatHit {
  bool hit;
  double t;  ///< 0 for a miss
  bool started_inside;
};

/// The policies of geometry/intersect/policy.hpp for t_min = 0, t_max = 1, but in doubles: rounding
/// to float would move ends past the segment's ends.
SIGHTLINE_HD FlatHit apply_policy(const FlatInterval& i, Inside inside) {
  if (!i.hit) return {false, 0, false};
  const bool started_inside = i.t_in < 0;
  if (!started_inside) return {true, i.t_in + 0.0, false};
  if (inside == Inside::solid) return {true, 0, true};
  if (inside == Inside::surface && i.t_out <= 1) return {true, i.t_out + 0.0, true};
  return {false, 0, true};
}

}  // namespace sightline
