// Boxes against boxes. Touching overlaps.
#pragma once

#include <sightline/geometry/overlap/finite.hpp>
#include <sightline/geometry/overlap/wide_box.hpp>

namespace sightline {

/// Exact.
SIGHTLINE_HD bool overlaps(const Aabb& a, const Aabb& b) {
  return is_finite(a) && is_finite(b) && a.min.x <= b.max.x && b.min.x <= a.max.x &&
         a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z && b.min.z <= a.max.z;
}

/// Whether no plane with normal n separates the boxes; the same for (b, a), to the bit.
SIGHTLINE_HD bool meet_along(const WideVec3& n, const WideBox& a, const WideBox& b) {
  struct Reach {
    double least = 0, most = 0;
  };
  const auto reach_of = [&](const WideBox& box) {
    Reach r;
    for (int i = 0; i < 3; ++i) {
      const double x = dot(n, box.edge[i]);
      r.least += x * (x < 0 ? box.high[i] : box.low[i]);
      r.most += x * (x < 0 ? box.low[i] : box.high[i]);
    }
    return r;
  };
  const Reach of_a = reach_of(a), of_b = reach_of(b);
  const double apart = dot(n, b.origin - a.origin);
  return apart <= of_a.most - of_b.least && -apart <= of_b.most - of_a.least;
}

/// The separating axis test: three faces of each, and each edge of one with each of the other.
/// Source: Gottschalk, Lin, Manocha, "OBBTree" (1996), with the faces' and the edges' own
/// directions, since stored axes are not quite at right angles.
SIGHTLINE_HD bool overlaps(const WideBox& a, const WideBox& b) {
  for (int i = 0; i < 3; ++i) {
    if (!meet_along(a.axis[i], a, b) || !meet_along(b.axis[i], a, b)) return false;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const WideVec3 n = sharp_cross(a.edge[i], b.edge[j]);
      // For edges parallel to 3e-12 the faces suffice, and n loses its direction.
      if (square(n) > 1e-23 && !meet_along(n, a, b)) return false;
    }
  }
  return true;
}

SIGHTLINE_HD bool overlaps(const Aabb& a, const ObbFrame& b) {
  return is_finite(a) && is_finite(b) && overlaps(wide_box(a, b.center), wide_box(b, b.center));
}
SIGHTLINE_HD bool overlaps(const ObbFrame& a, const ObbFrame& b) {
  return is_finite(a) && is_finite(b) && overlaps(wide_box(a, b.center), wide_box(b, b.center));
}

}  // namespace sightline
