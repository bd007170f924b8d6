// The clearance of a segment from a triangle: 0 exactly where they meet.
#pragma once

#include <sightline/geometry/distance/point_triangle.hpp>
#include <sightline/geometry/distance/segments.hpp>

namespace sightline {

/// Whether the insides of two segments cross in one point: all four ends are in a plane, and in a
/// projection along an axis the ends of each are on different sides of the other.
template <class T>
SIGHTLINE_APART bool insides_cross(const T& p, const T& q) {
  const SplitVec3 d = split_difference(p.b, p.a), e = split_difference(q.b, q.a);
  const SplitVec3 to_a = split_difference(q.a, p.a), to_b = split_difference(q.b, p.a);
  const SplitVec3 from_a = split_difference(p.a, q.a), from_b = split_difference(p.b, q.a);
  if (determinant_sign(d, to_a, to_b) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const int of_q = minor_sign(d, to_a, i, j) * minor_sign(d, to_b, i, j);
    const int of_p = minor_sign(e, from_a, i, j) * minor_sign(e, from_b, i, j);
    if (of_q < 0 && of_p < 0) return true;
  }
  return false;
}

/// Whether a segment within a triangle's plane, or one and a triangle without area, meet: at an end
/// of the segment, at a corner, or where it crosses an edge.
template <class T>
SIGHTLINE_APART bool meets_in_plane(const Segment& p, const T& s) {
  if (contains(s, p.a) || contains(s, p.b)) return true;
  const Vec3 corner[4] = {s.a, s.b, s.c, s.a};
  const Triangle flat = {p.a, p.b, p.b};
  for (int k = 0; k < 3; ++k) {
    if (contains(flat, corner[k])) return true;
    if (insides_cross(p, Segment{corner[k], corner[k + 1]})) return true;
  }
  return false;
}

/// Whether a segment and a triangle have a common point, exactly.
template <class T>
SIGHTLINE_APART bool exactly_meets(const Segment& p, const T& s) {
  const SplitVec3 u = split_difference(s.b, s.a), v = split_difference(s.c, s.a);
  const int side_a = determinant_sign(split_difference(p.a, s.a), u, v);
  const int side_b = determinant_sign(split_difference(p.b, s.a), u, v);
  if (side_a * side_b > 0) return false;
  if (side_a != 0 && side_b == 0) return contains(s, p.b);
  if (side_a == 0 && side_b != 0) return contains(s, p.a);
  if (side_a == 0) return meets_in_plane(p, s);
  // The line's edge functions: no two have different signs where it meets the triangle.
  const SplitVec3 d = split_difference(p.b, p.a);
  const SplitVec3 to[3] = {split_difference(s.a, p.a), split_difference(s.b, p.a),
                           split_difference(s.c, p.a)};
  bool up = false, down = false;
  for (int k = 0; k < 3; ++k) {
    const int side = determinant_sign(d, to[k], to[(k + 1) % 3]);
    up = up || side > 0;
    down = down || side < 0;
  }
  return !(up && down);
}

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
  if (exactly_meets(p, s)) {
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

/// Whether the triangle is within a radius of the segment, or of the point where that has no
/// length.
SIGHTLINE_HD bool comes_within(const Segment& p, const Triangle& s, double radius) {
  const double bad = zero_if_finite(p) + zero_if_finite(s) + radius * 0.0;
  if (!(bad == 0)) return false;
  const SquaredDistance d = near_places(p, wide_triangle(s)).distance;
  return d.over <= radius * radius * d.under || exactly_meets(p, s);
}

}  // namespace sightline
