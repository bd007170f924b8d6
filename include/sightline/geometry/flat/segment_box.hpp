// Segments against boxes. Touching is a hit.
#pragma once

#include <sightline/geometry/flat/circle_box.hpp>
#include <sightline/geometry/flat/flat_interval.hpp>

namespace sightline {

/// The interval of the line w + t * d between low and high.
SIGHTLINE_HD FlatInterval between(const WideVec2& w, const WideVec2& d, const WideVec2& low,
                                  const WideVec2& high) {
  FlatInterval i = clipped(everything(), w.x - low.x, d.x);
  i = clipped(i, high.x - w.x, -d.x);
  i = clipped(i, w.y - low.y, d.y);
  return clipped(i, high.y - w.y, -d.y);
}

/// Quotients of exact differences compare as the true ones do, since rounding is monotone.
SIGHTLINE_HD FlatInterval interval(const Segment2& s, const Aabb2& c) {
  if (!is_sound(s) || !is_sound(c)) return nothing();
  const WideVec2 low = wide_diff(c.min, s.a), high = wide_diff(c.max, s.a);
  const FlatInterval i = between({0, 0}, wide_diff(s.b, s.a), low, high);
  return reaches_segment(i) ? i : nothing();
}

/// Whether the segment w .. w + d = end meets the box around 0, by separating axes and without a
/// root: the box's two axes, and the segment's normal.
SIGHTLINE_HD bool meets_box(const TurnedAxes& axes, const Vec2& half, const WideVec2& w,
                            const WideVec2& end, const WideVec2& d) {
  const auto reaches = [&](double x, double y, float h) {
    const double low = x < y ? x : y, high = x < y ? y : x;
    const double most = widened(h) * h * axes.square;
    return (low <= 0 || low * low <= most) && (high >= 0 || high * high <= most);
  };
  if (!reaches(dot(axes.x, w), dot(axes.x, end), half.x)) return false;
  if (!reaches(dot(axes.y, w), dot(axes.y, end), half.y)) return false;
  const double x = dot(axes.x, d), y = dot(axes.y, d), across = cross(d, w);
  const double most = (x < 0 ? -x : x) * half.y + (y < 0 ? -y : y) * half.x;
  return across * across * axes.square <= most * most;
}

SIGHTLINE_HD FlatInterval interval(const Segment2& s, const Obb2& c) {
  if (!is_sound(s) || !is_sound(c)) return nothing();
  const TurnedAxes axes = axes_of(c);
  const WideVec2 w = wide_diff(s.a, c.center), end = wide_diff(s.b, c.center);
  const WideVec2 d = wide_diff(s.b, s.a);
  if (!meets_box(axes, c.half_extents, w, end, d)) return nothing();
  if (is_zero(d)) return everything();
  const WideVec2 half = widened(c.half_extents) * axes.length;
  const FlatInterval i =
      between({dot(axes.x, w), dot(axes.y, w)}, {dot(axes.x, d), dot(axes.y, d)}, -half, half);
  return meeting(i, nearest_t(w, d));
}

}  // namespace sightline
