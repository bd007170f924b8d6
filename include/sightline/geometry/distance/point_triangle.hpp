// The nearest point of a triangle to a point. A triangle is a surface: no distance is negative, and
// the direction is to the point's side.
#pragma once

#include <sightline/geometry/distance/point_round.hpp>
#include <sightline/geometry/distance/triangle_places.hpp>

namespace sightline {

/// Out of a triangle at a point of it: along (b - a) x (c - a); without area, that of a capsule
/// along its longest edge, the first of equals.
SIGHTLINE_HD WideVec3 way_out(const WideTriangle& t) {
  if (t.nn > 0) return t.n;
  int longest = 0;
  for (int k = 1; k < 3; ++k) {
    if (square(t.edge[k]) > square(t.edge[longest])) longest = k;
  }
  return across(t.edge[longest]);
}

/// The place on the nearest edge, and the vector from it, of a point that is not on the triangle
/// but so near that rounding would decide how far away it is.
template <class T>
SIGHTLINE_APART Nearest nearest_beside(const T& t, const Vec3& p) {
  Nearest best = {infinity, {0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < 3; ++k) {
    const Segment edge = edge_of(t, k);
    const SegmentPlace on = place_on(edge, p);
    const bool inside = 0 < on.t && on.t < 1;
    const Vec3 end = on.t <= 0 ? edge.a : edge.b;
    const WideVec3 e = t.edge[k];
    // Exact moments: those of doubles may be 0.
    const WideVec3 g = exact_cross(split_difference(p, edge.a), split_difference(edge.b, edge.a));
    const WideVec3 out = inside ? cross(e, g) : wide_diff(p, end);
    const double distance = wide_sqrt(inside ? square(g) / square(e) : square(out));
    if (k > 0 && !(rounded_once(distance) < best.distance)) continue;
    best = nearest_of(distance, inside ? point_at(edge, on.t) : widened(end), unit_or_x(out));
  }
  return best;
}

/// 0 exactly where the triangle contains the point, unless the distance rounds to 0.
SIGHTLINE_HD Nearest nearest(const Triangle& s, const Vec3& p) {
  const double bad = zero_if_finite(s) + zero_if_finite(p);
  if (!(bad == 0)) return nearest_of(bad, {0, 0, 0}, {0, 0, 0});
  const WideTriangle t = wide_triangle(s);
  const TrianglePlace place = place_on(t, p);
  const double away = square(wide_diff(p, s.a)) + square(t.edge[0]);
  const bool is_near = place.distance.value() <= 0x1p-80 * away;
  if (is_near && contains(s, p)) {
    return nearest_of(0, widened(p), unit_or_x(way_out(t)));
  }
  const double distance = distance_beyond(place.distance, 0);
  if (is_near && (place.edge >= 0 || place.over.height == 0)) return nearest_beside(t, p);
  if (place.edge < 0) {
    const double height = place.over.height, side = height < 0 ? -1.0 : 1.0;
    return nearest_of(distance, widened(p) - t.n * (height / t.nn), t.n * (side / wide_sqrt(t.nn)));
  }
  const Segment edge = edge_of(t, place.edge);
  const WideVec3 out =
      way_out(t.edge[place.edge], wide_diff(p, edge.a), wide_diff(p, edge.b), place.t);
  return nearest_of(distance, point_at(edge, place.t), unit_or_x(out));
}

}  // namespace sightline
