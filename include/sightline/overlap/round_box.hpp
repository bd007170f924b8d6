// Spheres and capsules against boxes, by the exact distance of a point or segment to the box.
// Touching overlaps.
#pragma once

#include <sightline/capsule.hpp>
#include <sightline/overlap/wide_box.hpp>
#include <sightline/sphere.hpp>

namespace sightline {

/// Whether the segment p .. p + e comes within `reach` of the box.
///
/// The squared distance is convex along the segment and made of parabolas, one for each set of
/// slabs that the point is outside of. Its slope's sign at the slabs' planes finds the one that
/// holds the least; that parabola's least value is compared without a division.
/// Source: derived in docs/accuracy.md.
SIGHTLINE_HD bool within_reach(const WideBox& box, const WideVec3& p, const WideVec3& e,
                               double reach) {
  double begin[3], speed[3];
  const WideVec3 w = p - box.origin;
  for (int i = 0; i < 3; ++i) begin[i] = dot(box.axis[i], w), speed[i] = dot(box.axis[i], e);
  // The sums over the axes whose slab the point at t is outside of.
  struct Outside {
    WideVec3 gap, speed;
  };
  const auto outside_at = [&](double t) {
    Outside o = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 3; ++i) {
      const double g = beyond(begin[i] + t * speed[i], box.low[i], box.high[i]);
      if (g == 0) continue;
      o.gap = o.gap + box.edge[i] * g;
      o.speed = o.speed + box.edge[i] * speed[i];
    }
    return o;
  };
  const auto slope_at = [&](double t) {
    const Outside o = outside_at(t);
    return dot(o.gap, o.speed);
  };
  if (square(beyond(box, p)) <= reach * reach) return true;
  if (square(beyond(box, p + e)) <= reach * reach) return true;
  double low = 0, high = 1;
  if (!(slope_at(low) < 0 && slope_at(high) > 0)) return false;
  for (int k = 0; k < 6; ++k) {
    const int i = k / 2;
    const double t = ((k % 2 == 0 ? box.low[i] : box.high[i]) - begin[i]) / speed[i];
    if (!(low < t && t < high)) continue;
    (slope_at(t) < 0 ? low : high) = t;
  }
  const double middle = 0.5 * (low + high);
  WideVec3 gap = {0, 0, 0}, along = {0, 0, 0};  // at t = 0, of the axes outside at the least
  int outside = 0;
  for (int i = 0; i < 3; ++i) {
    const double y = begin[i] + middle * speed[i];
    if (box.low[i] <= y && y <= box.high[i]) continue;
    gap = gap + box.edge[i] * (begin[i] - (y < box.low[i] ? box.low[i] : box.high[i]));
    along = along + box.edge[i] * speed[i];
    ++outside;
  }
  if (outside <= 1) return true;  // it goes on to enter the box
  return square(cross(gap, along)) <= reach * reach * square(along);
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
  return within_reach(wide_box(b, a.a), {0, 0, 0}, wide_diff(a.b, a.a), a.radius);
}
SIGHTLINE_HD bool overlaps(const Capsule& a, const ObbFrame& b) {
  return within_reach(wide_box(b, a.a), {0, 0, 0}, wide_diff(a.b, a.a), a.radius);
}

}  // namespace sightline
