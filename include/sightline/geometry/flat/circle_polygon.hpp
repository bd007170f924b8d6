// Circles against convex polygons. Touching overlaps.
#pragma once

#include <sightline/geometry/flat/reach.hpp>
#include <sightline/geometry/flat/sound.hpp>

namespace sightline {

/// The center is strictly on the same side of every edge, or the circle reaches an edge. A polygon
/// without area has no such side, because its edges lead there and back.
SIGHTLINE_HD bool overlaps(const Circle& a, const ConvexPolygon& b) {
  if (!is_sound(a) || !is_sound(b)) return false;
  bool to_the_left = true, to_the_right = true;
  for (int i = 0; i < b.count; ++i) {
    const Vec2 from = b.corners[i], to = b.corners[i + 1 < b.count ? i + 1 : 0];
    const WideVec2 e = wide_diff(to, from), w = wide_diff(a.center, from);
    if (within_reach(e, w, wide_diff(a.center, to), a.radius)) return true;
    if (is_zero(e)) continue;  // a repeated corner
    const double side = cross(e, w);
    to_the_left = to_the_left && side > 0;
    to_the_right = to_the_right && side < 0;
  }
  return to_the_left != to_the_right;  // both where every edge is a point
}

}  // namespace sightline
