// The nearest points of spheres, capsules and planes to a point.
#pragma once

#include <sightline/geometry/distance/segment.hpp>

namespace sightline {

/// v / |v|; +x for 0.
SIGHTLINE_HD WideVec3 unit_or_x(const WideVec3& v) {
  const double length = wide_sqrt(square(v));
  return length == 0 ? WideVec3{1, 0, 0} : v * (1 / length);
}

/// The coordinate axis most perpendicular to e, the first of equals, made orthogonal to e; 0 for e
/// = 0.
SIGHTLINE_HD WideVec3 across(const WideVec3& e) {
  const double x = e.x * e.x, y = e.y * e.y, z = e.z * e.z, ee = square(e);
  if (x <= y && x <= z) return WideVec3{ee, 0, 0} - e * e.x;
  if (y <= z) return WideVec3{0, ee, 0} - e * e.y;
  return WideVec3{0, 0, ee} - e * e.z;
}

/// The vector to w from its nearest point on a segment, both relative to the segment's begin.
/// Between the ends it is orthogonal to e, so that the surface is a radius away along it, however
/// near the axis w is. On the axis: across(e).
SIGHTLINE_HD WideVec3 way_out(const WideVec3& e, const WideVec3& w, const WideVec3& w_end,
                              double t) {
  const WideVec3 side = cross(e, cross(w, e));
  const WideVec3 way = t <= 0 ? w : t >= 1 ? w_end : side;
  return square(way) == 0 ? across(e) : way;
}

/// At the centre the direction is +x.
SIGHTLINE_HD Nearest nearest(const Sphere& s, const Vec3& p) {
  const double bad = zero_if_finite(s) + zero_if_finite(p);
  const WideVec3 w = wide_diff(p, s.center), out = unit_or_x(w);
  const double distance = distance_beyond({square(w), 1}, s.radius) + bad;
  return nearest_of(distance, widened(s.center) + out * s.radius, out);
}

/// On the axis the direction is the coordinate axis most perpendicular to it, made orthogonal; at
/// the centre of a capsule that is a ball, +x.
SIGHTLINE_HD Nearest nearest(const Capsule& s, const Vec3& p) {
  const double bad = zero_if_finite(s) + zero_if_finite(p);
  const WideVec3 e = wide_diff(s.b, s.a), w = wide_diff(p, s.a), w_end = wide_diff(p, s.b);
  const SegmentPlace place = place_on(e, w, w_end);
  const WideVec3 out = unit_or_x(way_out(e, w, w_end, place.t));
  const double distance = distance_beyond(place.distance, s.radius) + bad;
  return nearest_of(distance, point_at({s.a, s.b}, place.t) + out * s.radius, out);
}

SIGHTLINE_HD Nearest nearest(const Plane& s, const Vec3& p) {
  const double bad = zero_if_finite(s) + zero_if_finite(p);
  const WideVec3 n = widened(s.normal);
  const double height = dot(n, widened(p)) - s.offset, nn = square(n), length = wide_sqrt(nn);
  return nearest_of(height / length + bad, widened(p) - n * (height / nn), n * (1 / length));
}

}  // namespace sightline
