// Segments against convex polygons. Touching is a hit.
#pragma once

#include <sightline/geometry/flat/circle_polygon.hpp>
#include <sightline/geometry/flat/flat_interval.hpp>
#include <sightline/geometry/flat/reach.hpp>

namespace sightline {

/// Where the line t * d, d not 0, crosses the edge a .. b without its end b, which is the next
/// edge's begin: at a, or between ends on different sides of the line. Exact for integers.
SIGHTLINE_HD FlatInterval crossing(const WideVec2& d, const WideVec2& a, const WideVec2& b) {
  const double side_a = cross(d, a), side_b = cross(d, b), dd = square(d);
  const double t_a = dot(d, a) / dd, t_b = dot(d, b) / dd;
  if (side_a == 0) return {true, t_a, t_a};
  if (!opposite_signs(side_a, side_b)) return nothing();
  const WideVec2 e = b - a;
  // Nearly along the edge the quotient is inaccurate, but its bounds are not.
  const double low = t_a < t_b ? t_a : t_b, high = t_a < t_b ? t_b : t_a;
  const double quotient = cross(a, e) / cross(d, e);
  const double t = quotient >= low ? quotient <= high ? quotient : high : low;
  return {true, t, t};
}

/// A line's interval in a convex set is between its crossings with the edges, for any winding and
/// however flat the polygon is.
SIGHTLINE_HD FlatInterval interval(const Segment2& s, const ConvexPolygon& c) {
  if (!is_sound(s) || !is_sound(c)) return nothing();
  const WideVec2 d = wide_diff(s.b, s.a);
  if (is_zero(d)) return overlaps(Circle{s.a, 0.0f}, c) ? everything() : nothing();
  FlatInterval i = nothing();
  for (int k = 0; k < c.count; ++k) {
    const Vec2 from = c.corners[k], to = c.corners[k + 1 < c.count ? k + 1 : 0];
    i = united(i, crossing(d, wide_diff(from, s.a), wide_diff(to, s.a)));
  }
  return reaches_segment(i) ? i : nothing();
}

}  // namespace sightline
