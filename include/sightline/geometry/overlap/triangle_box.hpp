// Boxes against triangles, by separating axes. Touching overlaps.
#pragma once

#include <sightline/geometry/overlap/finite.hpp>
#include <sightline/geometry/overlap/wide_box.hpp>

namespace sightline {

/// The corners of a triangle in a box's own coordinates, in which the box is low <= y <= high.
struct BoxTriangle {
  WideVec3 a, b, c;
};
/// `from` is the point that the box was made for.
SIGHTLINE_HD BoxTriangle in_box(const WideBox& box, const Triangle& t, const Vec3& from) {
  const auto place = [&](const Vec3& p) SIGHTLINE_LAMBDA {
    const WideVec3 w = wide_diff(p, from) - box.origin;
    return WideVec3{dot(box.axis[0], w), dot(box.axis[1], w), dot(box.axis[2], w)};
  };
  return {place(t.a), place(t.b), place(t.c)};
}

/// Whether no plane with normal n separates the triangle from low <= y <= high.
SIGHTLINE_HD bool meet_along(const WideVec3& n, const WideBox& box, const BoxTriangle& t) {
  const double of[3] = {n.x, n.y, n.z};
  double least = 0, most = 0;
  for (int i = 0; i < 3; ++i) {
    least += of[i] * (of[i] < 0 ? box.high[i] : box.low[i]);
    most += of[i] * (of[i] < 0 ? box.low[i] : box.high[i]);
  }
  const double a = dot(n, t.a), b = dot(n, t.b), c = dot(n, t.c);
  return (a <= most || b <= most || c <= most) && (a >= least || b >= least || c >= least);
}

/// The separating axis test in the box's coordinates, which keep what is straight and parallel: the
/// box's three faces, the triangle's own plane, and each edge with the three axes. Cross products
/// with the axes are the edge's own components. A normal of 0 separates nothing; of a triangle
/// without area the other axes suffice.
/// Source: Akenine-Moller, "Fast 3D Triangle-Box Overlap Testing" (2001).
SIGHTLINE_HD bool overlaps(const WideBox& box, const BoxTriangle& t) {
  const WideVec3 ab = t.b - t.a, bc = t.c - t.b, ca = t.a - t.c;
  if (!meet_along({1, 0, 0}, box, t) || !meet_along({0, 1, 0}, box, t) ||
      !meet_along({0, 0, 1}, box, t) || !meet_along(sharp_cross(ab, ca), box, t)) {
    return false;
  }
  const auto edge_meets = [&](const WideVec3& e) SIGHTLINE_LAMBDA {
    return meet_along({0, -e.z, e.y}, box, t) && meet_along({e.z, 0, -e.x}, box, t) &&
           meet_along({-e.y, e.x, 0}, box, t);
  };
  return edge_meets(ab) && edge_meets(bc) && edge_meets(ca);
}

/// Of finite numbers.
template <class T, class Box>
SIGHTLINE_SELDOM bool meets_box(SIGHTLINE_SELDOM_PARAMETER(T) t,
                                SIGHTLINE_SELDOM_PARAMETER(Box) b) {
  const WideBox box = wide_box(b, t.a);
  return overlaps(box, in_box(box, t, t.a));
}
SIGHTLINE_HD bool overlaps(const Triangle& t, const Aabb& b) {
  return is_finite(t) && is_finite(b) && meets_box<Triangle, Aabb>(t, b);
}
SIGHTLINE_HD bool overlaps(const Triangle& t, const ObbFrame& b) {
  return is_finite(t) && is_finite(b) && meets_box<Triangle, ObbFrame>(t, b);
}

}  // namespace sightline
