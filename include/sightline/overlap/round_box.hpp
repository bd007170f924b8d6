// Spheres and capsules against boxes, by the exact distance of a point or segment to the box.
// Touching overlaps.
#pragma once

#include <sightline/closest/box_places.hpp>

namespace sightline {

/// Whether the segment 0 .. e comes within `reach` of the box.
SIGHTLINE_HD bool within_reach(const WideBox& box, const WideVec3& e, double reach) {
  const SquaredDistance d = place_near(box, e).distance;
  return d.over <= reach * reach * d.under;
}

SIGHTLINE_HD bool overlaps(const Sphere& a, const Aabb& b) {
  const double reach = a.radius;
  return square(beyond(wide_box(b, a.center), {0, 0, 0})) <= reach * reach;
}
SIGHTLINE_HD bool overlaps(const Sphere& a, const ObbFrame& b) {
  const double reach = a.radius;
  return square(beyond(wide_box(b, a.center), {0, 0, 0})) <= reach * reach;
}

SIGHTLINE_HD bool overlaps(const Capsule& a, const Aabb& b) {
  return within_reach(wide_box(b, a.a), wide_diff(a.b, a.a), a.radius);
}
SIGHTLINE_HD bool overlaps(const Capsule& a, const ObbFrame& b) {
  return within_reach(wide_box(b, a.a), wide_diff(a.b, a.a), a.radius);
}

}  // namespace sightline
