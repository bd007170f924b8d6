// AABB and OBB as one kind of box, relative to a nearby point.
#pragma once

#include <sightline/geometry/exact/wide_vec.hpp>
#include <sightline/geometry/shapes/obb.hpp>

namespace sightline {

/// The closed set low[i] <= axis[i] . (x - origin) <= high[i], x relative to the point that the box
/// was made for. `edge` is the dual basis: axis[i] . edge[j] is 1 for i == j and else 0, so that
/// the set is origin + sum of y[i] * edge[i], low[i] <= y[i] <= high[i]. The stored axes of an OBB
/// are orthonormal only up to float rounding; their half-spaces are the set.
struct WideBox {
  WideVec3 origin;
  double low[3], high[3];
  WideVec3 axis[3], edge[3];
};

SIGHTLINE_HD WideBox wide_box(const Aabb& s, const Vec3& from) {
  const WideVec3 low = wide_diff(s.min, from), high = wide_diff(s.max, from);
  const WideVec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  return {{0, 0, 0}, {low.x, low.y, low.z}, {high.x, high.y, high.z}, {x, y, z}, {x, y, z}};
}

SIGHTLINE_HD WideBox wide_box(const ObbFrame& s, const Vec3& from) {
  const WideVec3 a = widened(s.axis[0]), b = widened(s.axis[1]), c = widened(s.axis[2]);
  const Vec3 h = s.half_extents;
  WideBox box = {wide_diff(s.center, from), {-h.x, -h.y, -h.z}, {h.x, h.y, h.z}, {a, b, c}, {}};
  const WideVec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double volume = dot(a, bc);  // within 1e-6 of 1 or -1
  box.edge[0] = bc * (1 / volume);
  box.edge[1] = ca * (1 / volume);
  box.edge[2] = ab * (1 / volume);
  return box;
}

/// How far y is below `low` (negative) or above `high` (positive); 0 between them; NaN for NaN.
SIGHTLINE_HD double beyond(double y, double low, double high) {
  return !(low <= y) ? y - low : !(y <= high) ? y - high : 0.0;
}

/// The vector from the box's nearest point to p; 0 where the box contains p.
SIGHTLINE_HD WideVec3 beyond(const WideBox& box, const WideVec3& p) {
  const WideVec3 w = p - box.origin;
  WideVec3 sum = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    sum = sum + box.edge[i] * beyond(dot(box.axis[i], w), box.low[i], box.high[i]);
  }
  return sum;
}

}  // namespace sightline
