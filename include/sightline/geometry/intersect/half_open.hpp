// Crossings of a line and triangles that share edges and corners, each counted once: what winding
// numbers are made of. Proofs: docs/project/proofs/triangles.md.
#pragma once

#include <sightline/geometry/intersect/ray_triangle.hpp>

namespace sightline {

/// The sign of an edge function for an origin that is moved by (e, e^2, e^3), e infinitely small:
/// where it is 0, that of the first component of d x (q - p) that is not. 0 if the line and the
/// edge are parallel.
SIGHTLINE_HD int half_open_edge_sign(const Vec3& o, const Vec3& d, const Vec3& p, const Vec3& q) {
  const int sign = edge_sign(o, d, p, q);
  if (sign != 0) return sign;
  const SplitVec3 along = split(d), edge = split_difference(q, p);
  for (int axis = 0; axis < 3; ++axis) {
    const int turn = minor_sign(along, edge, (axis + 1) % 3, (axis + 2) % 3);
    if (turn != 0) return turn;
  }
  return 0;
}

/// +1 where the line of the moved origin passes a triangle from its back, -1 from its front, else
/// 0. Of triangles that share an edge or a corner, a line through it crosses exactly as many in
/// either sense as one beside it.
SIGHTLINE_HD int crossing_sign(const Line& line, const Triangle& s) {
  const TriangleSidesT<float> sides = sides_of(s);
  const Edges e = careful_edges(line, sides, two_diff(line.origin, s.a));
  const Certain sure = signs_agree(e);
  if (sure.miss) return 0;
  if (sure.hit) return e.ab > 0 ? 1 : -1;
  const Vec3 o = line.origin, d = line.direction;
  const int ab = half_open_edge_sign(o, d, s.a, s.b), bc = half_open_edge_sign(o, d, s.b, s.c);
  const int ca = half_open_edge_sign(o, d, s.c, s.a);
  if (ab > 0 && bc > 0 && ca > 0) return 1;
  return ab < 0 && bc < 0 && ca < 0 ? -1 : 0;
}

}  // namespace sightline
