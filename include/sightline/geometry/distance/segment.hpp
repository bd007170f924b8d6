// The point of a segment nearest to a point.
#pragma once

#include <sightline/geometry/distance/nearest_points.hpp>

namespace sightline {

/// A squared distance as a quotient, so that comparing it with a squared radius needs no division
/// and is exact for integers.
struct SquaredDistance {
  double over, under;
  SIGHTLINE_HD double value() const { return over / under; }
};

/// The distance minus a radius. Not root - radius, which loses what the difference of squares
/// keeps: on lattices its sign, and 0, are exact.
SIGHTLINE_HD double distance_beyond(const SquaredDistance& d, double radius) {
  const double sum = wide_sqrt(d.value()) + radius;
  if (sum == 0) return 0;
  return (d.over - radius * radius * d.under) / (d.under * sum);
}

/// A position on a segment, and its distance.
struct SegmentPlace {
  double t;
  SquaredDistance distance;
};

/// The position on the segment 0 .. e nearest to w; `w_end` is w - e.
SIGHTLINE_HD SegmentPlace place_on(const WideVec3& e, const WideVec3& w, const WideVec3& w_end) {
  const double along = dot(w, e), ee = square(e);
  if (along <= 0) return {0, {square(w), 1}};
  if (along >= ee) return {1, {square(w_end), 1}};
  return {along / ee, {square(cross(w, e)), ee}};
}
SIGHTLINE_HD SegmentPlace place_on(const Segment& s, const Vec3& p) {
  return place_on(wide_diff(s.b, s.a), wide_diff(p, s.a), wide_diff(p, s.b));
}

/// Relative to the nearer end, so that both ends are exact.
SIGHTLINE_HD WideVec3 point_at(const Segment& s, double t) {
  const WideVec3 e = wide_diff(s.b, s.a);
  return t <= 0.5 ? widened(s.a) + e * t : widened(s.b) - e * (1 - t);
}

struct NearestOnSegment {
  float distance;
  float t;
  Vec3 point;
};

SIGHTLINE_HD NearestOnSegment nearest(const Segment& s, const Vec3& p) {
  const SegmentPlace place = place_on(s, p);
  const double bad = zero_if_finite(s) + zero_if_finite(p);
  const double distance = distance_beyond(place.distance, 0) + bad;
  if (!(distance == distance)) return {infinity, 0, {0, 0, 0}};
  return {rounded_once(distance), rounded_once(place.t), rounded_once(point_at(s, place.t))};
}

}  // namespace sightline
