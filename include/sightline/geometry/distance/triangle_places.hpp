// The places on a triangle that are nearest to a point: over its face, or on an edge. Proofs:
// docs/project/proofs/overlap-distance-sweep.md.
#pragma once

#include <sightline/geometry/distance/segment.hpp>
#include <sightline/geometry/shapes/triangle.hpp>

namespace sightline {

/// r . (p x q) with an error of 2^-49 of its terms, and its sign.
template <class Vec>
SIGHTLINE_APART double signed_determinant(const Vec& r, const Vec& p, const Vec& q) {
  const Bounded b = bounded_determinant(r, p, q);
  return b.has_sign() ? b.value : exact_determinant(r, p, q).estimate();
}

/// A triangle's corners, edges and plane.
struct WideTriangle {
  Vec3 corner[3];
  WideVec3 edge[3];  ///< from corner k to the next
  WideVec3 n;        ///< (b - a) x (c - a)
  double nn;         ///< |n|^2; 0 where the triangle has no area
};

SIGHTLINE_HD WideTriangle wide_triangle(const Triangle& s) {
  WideTriangle t = {{s.a, s.b, s.c},
                    {wide_diff(s.b, s.a), wide_diff(s.c, s.b), wide_diff(s.a, s.c)},
                    face_normal(s),
                    0};
  t.nn = square(t.n);
  return t;
}
SIGHTLINE_HD Segment edge_of(const WideTriangle& t, int k) {
  return {t.corner[k], t.corner[(k + 1) % 3]};
}

/// Whether a point is above or below the face, and its height times |n|.
struct FacePlace {
  bool is_over;
  double height;
};

/// Where rounding would decide the sign of the height, that is exact.
SIGHTLINE_HD FacePlace face_place(const WideTriangle& t, const Vec3& p) {
  FacePlace place = {t.nn > 0, 0};
  for (int k = 0; k < 3; ++k) {
    const WideVec3 w = wide_diff(p, t.corner[k]);
    place.is_over = place.is_over && dot(cross(t.edge[k], w), t.n) >= 0;
  }
  if (!place.is_over) return place;
  const WideVec3 w = wide_diff(p, t.corner[0]);
  place.height = dot(w, t.n);
  if (place.height * place.height <= 0x1p-80 * square(w) * t.nn) {
    place.height = signed_determinant(split_difference(p, t.corner[0]),
                                      split_difference(t.corner[1], t.corner[0]),
                                      split_difference(t.corner[2], t.corner[0]));
  }
  return place;
}
SIGHTLINE_HD SquaredDistance squared_distance(const WideTriangle& t, const FacePlace& place) {
  return {place.height * place.height, t.nn};
}

/// The nearest place: over the face, or at t on an edge.
struct TrianglePlace {
  SquaredDistance distance;
  int edge;  ///< -1: the face
  double t;
  FacePlace over;
};

SIGHTLINE_HD TrianglePlace place_on(const WideTriangle& t, const Vec3& p) {
  const FacePlace over = face_place(t, p);
  if (over.is_over) return {squared_distance(t, over), -1, 0, over};
  TrianglePlace best = {{infinity, 1}, 0, 0, over};
  for (int k = 0; k < 3; ++k) {
    const SegmentPlace on = place_on(edge_of(t, k), p);
    if (k > 0 && !(on.distance.value() < best.distance.value())) continue;
    best = {on.distance, k, on.t, over};
  }
  return best;
}

}  // namespace sightline
