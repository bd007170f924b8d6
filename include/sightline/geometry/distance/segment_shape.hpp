// The clearance of a segment from a shape.
#pragma once

#include <sightline/geometry/distance/point_box.hpp>
#include <sightline/geometry/distance/point_round.hpp>
#include <sightline/geometry/distance/segment_triangle.hpp>

namespace sightline {

/// At the segment's point closest to the centre, though it may enter the ball before.
SIGHTLINE_HD Clearance clearance(const Segment& p, const Sphere& s) {
  const double bad = zero_if_finite(p) + zero_if_finite(s);
  const SegmentPlace place = place_on(p, s.center);
  const WideVec3 at = point_at(p, place.t), out = unit_or_x(at - widened(s.center));
  return clearance_of(distance_beyond(place.distance, s.radius) + bad, place.t, at,
                      widened(s.center) + out * s.radius);
}

/// At the segment's point closest to the capsule's segment.
SIGHTLINE_HD Clearance clearance(const Segment& p, const Capsule& s) {
  const double bad = zero_if_finite(p) + zero_if_finite(s);
  const Segment core = {s.a, s.b};
  const PlacePair pair = closest_places(p, core);
  const WideVec3 at = point_at(p, pair.s), from = point_at(core, pair.t);
  return clearance_of(distance_beyond(pair.distance, s.radius) + bad, pair.s, at,
                      from + unit_or_x(at - from) * s.radius);
}

template <RaysAlone Shape>
SIGHTLINE_HD Clearance clearance(const Segment&, const Shape&) {
  end_unknown_query();
  return {infinity, 0, {0, 0, 0}, {0, 0, 0}};
}

/// At the lower end; a if both are equally high.
SIGHTLINE_HD Clearance clearance(const Segment& p, const Plane& s) {
  const double bad = zero_if_finite(p) + zero_if_finite(s);
  const WideVec3 n = widened(s.normal), a = widened(p.a), b = widened(p.b);
  const double of_a = dot(n, a) - s.offset, of_b = dot(n, b) - s.offset;
  const double height = of_b < of_a ? of_b : of_a, nn = square(n);
  const WideVec3 at = of_b < of_a ? b : a;
  return clearance_of(height / wide_sqrt(nn) + bad, of_b < of_a ? 1 : 0, at,
                      at - n * (height / nn));
}

template <class Box>
SIGHTLINE_HD Clearance clearance_of_box(const Segment& p, const Box& s) {
  const double bad = zero_if_finite(p) + zero_if_finite(s);
  const WideBox box = wide_box(s, p.a);
  const SegmentPlace place = place_near(box, wide_diff(p.b, p.a));
  const WideVec3 at = point_at(p, place.t), from_a = at - widened(p.a);
  const WideVec3 on_box = widened(p.a) + box.origin + place_in(box, from_a - box.origin).at;
  return clearance_of(distance_beyond(place.distance, 0) + bad, place.t, at, on_box);
}
SIGHTLINE_HD Clearance clearance(const Segment& p, const Aabb& s) { return clearance_of_box(p, s); }
SIGHTLINE_HD Clearance clearance(const Segment& p, const ObbFrame& s) {
  return clearance_of_box(p, s);
}

}  // namespace sightline
