// Winding numbers of points: how often the triangles around them enclose them. Shared by all
// backends. Proof: docs/project/proofs/triangles.md, "Half-open crossings".
#pragma once

#include <sightline/geometry/intersect/half_open.hpp>
#include <sightline/geometry/queries/cast.hpp>
#include <sightline/points.hpp>

namespace sightline {

/// The half line along +x from a point, with the point's filters; bad where the point is.
SIGHTLINE_HD Query half_line_from(const SightPoint& p) {
  Ray ray;
  ray.origin = p.position, ray.direction = {1, 0, 0};
  ray.mask = p.mask, ray.exclude = {p.exclude, none}, ray.exclude_group = {p.exclude_group, none};
  return make_query(ray, {});
}

/// +1 where the half line leaves through the triangle, -1 where it enters, else 0: its origin is
/// moved by (e, e^2, e^3), e infinitely small. What begins within the triangle has passed it, since
/// it is moved forward.
SIGHTLINE_HD int winding_part(const Line& half_line, const Triangle& s) {
  const float from = half_line.origin.x;
  if (from >= max(max(s.a.x, s.b.x), s.c.x)) return 0;
  const int crossing = crossing_sign(half_line, s);
  if (crossing == 0 || from < min(min(s.a.x, s.b.x), s.c.x)) return crossing;
  // t = n . (a - o) / n . d, and n . d has the sign of the crossing.
  const int ahead = determinant_sign(split_difference(s.a, half_line.origin),
                                     split_difference(s.b, s.a), split_difference(s.c, s.a));
  return ahead == crossing ? crossing : 0;
}
/// Other kinds enclose nothing by a surface.
template <class Shape>
SIGHTLINE_HD int winding_part(const Line&, const Shape&) {
  return 0;
}

}  // namespace sightline
