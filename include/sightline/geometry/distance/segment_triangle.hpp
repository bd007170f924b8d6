// The clearance of a segment from a triangle: 0 where they meet. Elsewhere it is 0 only where it is
// below the error of a distance.
#pragma once

#include <sightline/geometry/distance/point_triangle.hpp>
#include <sightline/geometry/distance/segments.hpp>
#include <sightline/geometry/overlap/triangle_triangle.hpp>

namespace sightline {

/// The nearest places of a segment and a triangle: at an end over the face, or with an edge, of
/// equals the one with the least t. `edge` is -1 over the face; `on_edge` is the place on an edge.
struct NearPlaces {
  double t;
  SquaredDistance distance;
  int edge;
  double on_edge, height;
};

SIGHTLINE_HD NearPlaces near_places(const Segment& p, const WideTriangle& t) {
  NearPlaces best = {0, {infinity, 1}, 0, 0, 0};
  const auto take = [&](const NearPlaces& other) {
    const double x = best.distance.value(), y = other.distance.value();
    if (y < x || (y == x && other.t < best.t)) best = other;
  };
  for (int k = 0; k < 3; ++k) {
    const PlacePair pair = closest_places(p, edge_of(t, k));
    const NearPlaces with_edge = {pair.s, pair.distance, k, pair.t, 0};
    if (k == 0) best = with_edge;
    take(with_edge);
  }
  const FacePlace from_a = face_place(t, p.a), from_b = face_place(t, p.b);
  if (from_a.is_over) take({0, squared_distance(t, from_a), -1, 0, from_a.height});
  if (from_b.is_over) take({1, squared_distance(t, from_b), -1, 0, from_b.height});
  return best;
}

/// Where a segment that meets the triangle does: in its plane an end in the triangle, or with the
/// nearest edge.
template <class T>
SIGHTLINE_APART double time_of_meeting(const Segment& p, const T& s) {
  const SplitVec3 u = split_difference(s.b, s.a), v = split_difference(s.c, s.a);
  const double a = signed_determinant(split_difference(p.a, s.a), u, v);
  const double b = signed_determinant(split_difference(p.b, s.a), u, v);
  if (a != b) return a / (a - b);
  if (contains(s, p.a)) return 0;
  if (contains(s, p.b)) return 1;
  return near_places(p, wide_triangle(s)).t;
}

/// Where they meet, at the crossing of the plane.
SIGHTLINE_HD Clearance clearance(const Segment& p, const Triangle& s) {
  const double bad = zero_if_finite(p) + zero_if_finite(s);
  if (!(bad == 0)) return clearance_of(bad, 0, {0, 0, 0}, {0, 0, 0});
  if (exactly_meet<Triangle>(s, {p.a, p.b, p.b})) {
    const double t = time_of_meeting(p, s);
    return clearance_of(0, t, point_at(p, t), {0, 0, 0});
  }
  const WideTriangle t = wide_triangle(s);
  const NearPlaces near = near_places(p, t);
  const WideVec3 at = point_at(p, near.t);
  const WideVec3 on = near.edge < 0 ? at - t.n * (near.height / t.nn)
                                    : point_at(edge_of(t, near.edge), near.on_edge);
  return clearance_of(distance_beyond(near.distance, 0), near.t, at, on);
}

}  // namespace sightline
