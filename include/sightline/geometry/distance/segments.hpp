// The closest points of two segments of any lengths, at any angle.
#pragma once

#include <sightline/geometry/distance/segment.hpp>

namespace sightline {

struct PlacePair {
  double s, t;
  SquaredDistance distance;
};

/// The closer pair; of equals, as computed, the one with the least s. t is one that belongs to it,
/// or 0 where the second segment is a point.
SIGHTLINE_HD PlacePair closer(const PlacePair& a, const PlacePair& b) {
  const double x = a.distance.value(), y = b.distance.value();
  return y < x || (y == x && b.s < a.s) ? b : a;
}

/// Where the common perpendicular meets both segments inside, that is the answer; else at least one
/// of the four ends is part of it.
///
/// Below an angle of 2^-8 the perpendicular's direction n is inaccurate, and so is w.n / |n|: then
/// its feet are two more points whose nearest points on the other segment are candidates. However
/// the feet are rounded, such a pair is no closer than the truth and, since the minimum is flat,
/// hardly further.
SIGHTLINE_HD PlacePair closest_places(const Segment& p, const Segment& q) {
  const WideVec3 d = wide_diff(p.b, p.a), e = wide_diff(q.b, q.a), w = wide_diff(q.a, p.a);
  const WideVec3 n = cross(d, e);
  const double nn = square(n);
  const double s = dot(cross(w, e), n), t = dot(cross(w, d), n);  // times 1 / nn
  const bool inside = 0 < s && s < nn && 0 < t && t < nn;
  if (inside && nn > 0x1p-16 * square(d) * square(e)) {
    const double across = dot(w, n);
    return {s / nn, t / nn, {across * across, nn}};
  }
  const auto from_first = [&](double at, const SegmentPlace& on_second) {
    return PlacePair{at, on_second.t, on_second.distance};
  };
  const auto from_second = [&](double at, const SegmentPlace& on_first) {
    return PlacePair{on_first.t, at, on_first.distance};
  };
  PlacePair best = from_first(0, place_on(q, p.a));
  best = closer(best, from_first(1, place_on(q, p.b)));
  best = closer(best, from_second(0, place_on(p, q.a)));
  best = closer(best, from_second(1, place_on(p, q.b)));
  if (!inside) return best;
  const WideVec3 v = d * (s / nn) - w;  // from q.a to the foot on the first
  const WideVec3 u = e * (t / nn) + w;  // from p.a to the foot on the second
  best = closer(best, from_first(s / nn, place_on(e, v, v - e)));
  return closer(best, from_second(t / nn, place_on(d, u, u - d)));
}

/// The clearance of a segment from a shape. Distance 0 where the two meet: then both points are the
/// same and in the shape. Where several positions are equally near, t is one of them, always the
/// same for the same input.
struct Clearance {
  float distance;
  float t;
  Vec3 on_segment, on_shape;
};

SIGHTLINE_HD Clearance clearance_of(double distance, double t, const WideVec3& on_segment,
                                    const WideVec3& on_shape) {
  if (!(distance == distance)) return {infinity, 0, {0, 0, 0}, {0, 0, 0}};
  const float apart = max(0.0f, rounded_once(distance));
  return {apart, rounded_once(t), rounded_once(on_segment),
          rounded_once(apart > 0 ? on_shape : on_segment)};
}

/// The closest points of two segments.
struct Approach {
  float distance;
  float s, t;  ///< on the first, on the second
  Vec3 on_first, on_second;
};

/// The distance is the same, to the bit, for (q, p).
SIGHTLINE_HD Approach closest_approach(const Segment& p, const Segment& q) {
  const PlacePair at = closest_places(p, q);
  const double bad = zero_if_finite(p) + zero_if_finite(q);
  const double distance = distance_beyond(at.distance, 0) + bad;
  if (!(distance == distance)) return {infinity, 0, 0, {0, 0, 0}, {0, 0, 0}};
  return {rounded_once(distance), rounded_once(at.s), rounded_once(at.t),
          rounded_once(point_at(p, at.s)), rounded_once(point_at(q, at.t))};
}

}  // namespace sightline
