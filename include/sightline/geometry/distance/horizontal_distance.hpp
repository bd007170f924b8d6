// The horizontal distance of a vertical axis to the part of a shape between two heights: the room
// of an upright cylinder. z is up (see up_axis.hpp). In doubles.
//
// The part of a convex shape between two heights is convex, and so is its shadow on the ground; the
// distance is that of the axis to the shadow: 0 within it, +inf if nothing is between the heights.
// Derived here.
#pragma once

#include <sightline/geometry/distance/nearest_points.hpp>
#include <sightline/geometry/overlap/wide_box.hpp>

namespace sightline {

/// The points (x, y, h) with low <= h <= high.
struct VerticalSegment {
  float x, y;
  double low, high;
};

namespace horizontal_parts {

SIGHTLINE_HD double clamped(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}
/// The squared distance of (0, 0) to the shadow of the segment.
SIGHTLINE_HD double shadow_square(const WideVec3& a, const WideVec3& b) {
  const double ex = b.x - a.x, ey = b.y - a.y;
  const double ee = ex * ex + ey * ey;
  const double t = ee > 0 ? clamped(-(a.x * ex + a.y * ey) / ee, 0, 1) : 0;
  const double x = a.x + t * ex, y = a.y + t * ey;
  return x * x + y * y;
}
SIGHTLINE_HD double lesser(double a, double b) { return a < b ? a : b; }

/// The points where edges of a box cross a height: the corners of a convex polygon, some of them
/// twice.
struct CutPolygon {
  WideVec3 points[12];
  int count = 0;

  SIGHTLINE_HD void add(const WideVec3& p) { points[count++] = p; }
  /// The squared distance of the polygon: its edges are among the segments between two of the
  /// points, and the others lie within it.
  SIGHTLINE_HD double square() const {
    double least = infinity;
    for (int i = 0; i < count; ++i) {
      for (int k = i; k < count; ++k) least = lesser(least, shadow_square(points[i], points[k]));
    }
    return least;
  }
};

/// The shadow of a shape's part between two heights, relative to the vertical segment. Its edges
/// are shadows of the shape's edges, and of edges of its sections at both heights.
struct Shadow {
  double least = infinity;
  CutPolygon low, high;

  SIGHTLINE_HD void add_edge(const VerticalSegment& p, WideVec3 a, WideVec3 b) {
    if (a.z > b.z) {
      const WideVec3 c = a;
      a = b;
      b = c;
    }
    if (!(a.z <= p.high && b.z >= p.low)) return;
    const WideVec3 rise = b - a;
    const auto at = [&](double height) { return a + rise * ((height - a.z) / rise.z); };
    const WideVec3 from = a.z < p.low ? at(p.low) : a, to = b.z > p.high ? at(p.high) : b;
    if (a.z <= p.low) low.add(from);
    if (b.z >= p.high) high.add(to);
    least = lesser(least, shadow_square(from, to));
  }
  SIGHTLINE_HD double square() const { return lesser(least, lesser(low.square(), high.square())); }
};

/// Whether a triangle, relative to the foot of the vertical segment, meets it. One that is seen on
/// edge from above is its edges.
SIGHTLINE_HD bool meets(const VerticalSegment& p, const WideVec3 (&corner)[3]) {
  double side[3];  // of the edge opposite to corner k
  for (int k = 0; k < 3; ++k) {
    const WideVec3 &a = corner[(k + 1) % 3], &b = corner[(k + 2) % 3];
    side[k] = a.x * b.y - a.y * b.x;
  }
  const double all = (side[0] + side[1]) + side[2];
  const bool left = side[0] >= 0 && side[1] >= 0 && side[2] >= 0;
  const bool right = side[0] <= 0 && side[1] <= 0 && side[2] <= 0;
  if (all == 0 || !(left || right)) return false;
  const double height =
      ((side[0] * corner[0].z + side[1] * corner[1].z) + side[2] * corner[2].z) / all;
  return p.low <= height && height <= p.high;
}

/// Whether the box, relative to the foot of the vertical segment, meets it.
SIGHTLINE_HD bool meets(const VerticalSegment& p, const WideBox& box) {
  double low = p.low, high = p.high;
  for (int i = 0; i < 3; ++i) {
    const double along = dot(box.axis[i], box.origin), rise = box.axis[i].z;
    const double from = box.low[i] + along, to = box.high[i] + along;
    if (rise == 0) {
      if (from > 0 || to < 0) return false;
      continue;
    }
    const double a = (rise > 0 ? from : to) / rise, b = (rise > 0 ? to : from) / rise;
    low = a > low ? a : low;
    high = b < high ? b : high;
  }
  return low <= high;
}

/// Calls use(a, b) with the twelve edges of the box.
template <class Use>
SIGHTLINE_HD void for_each_edge(const WideBox& box, Use&& use) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int side = 0; side < 4; ++side) {
      const WideVec3 at = (box.origin + box.edge[j] * (side % 2 == 0 ? box.low[j] : box.high[j])) +
                          box.edge[k] * (side / 2 == 0 ? box.low[k] : box.high[k]);
      use(at + box.edge[i] * box.low[i], at + box.edge[i] * box.high[i]);
    }
  }
}

}  // namespace horizontal_parts

SIGHTLINE_HD double horizontal_distance(const VerticalSegment& p, const Aabb& s) {
  if (!(s.max.z >= p.low && s.min.z <= p.high)) return infinity;
  const double x = beyond(p.x, s.min.x, s.max.x), y = beyond(p.y, s.min.y, s.max.y);
  return wide_sqrt(x * x + y * y);
}

SIGHTLINE_HD double horizontal_distance(const VerticalSegment& p, const ObbFrame& s) {
  using namespace horizontal_parts;
  const WideBox box = wide_box(s, Vec3{p.x, p.y, 0});
  if (meets(p, box)) return 0;
  Shadow shadow;
  for_each_edge(box, [&](const WideVec3& a, const WideVec3& b) { shadow.add_edge(p, a, b); });
  return wide_sqrt(shadow.square());
}

SIGHTLINE_HD double horizontal_distance(const VerticalSegment& p, const Triangle& s) {
  using namespace horizontal_parts;
  const Vec3 foot = {p.x, p.y, 0};
  const WideVec3 corner[3] = {wide_diff(s.a, foot), wide_diff(s.b, foot), wide_diff(s.c, foot)};
  if (meets(p, corner)) return 0;
  Shadow shadow;
  for (int k = 0; k < 3; ++k) shadow.add_edge(p, corner[k], corner[(k + 1) % 3]);
  return wide_sqrt(shadow.square());
}

SIGHTLINE_HD double horizontal_distance(const VerticalSegment& p, const Sphere& s) {
  const double h = beyond(s.center.z, p.low, p.high), r = s.radius;
  const double square = r * r - h * h;
  if (!(square >= 0)) return infinity;
  const double x = widened(s.center.x) - p.x, y = widened(s.center.y) - p.y;
  const double distance = wide_sqrt(x * x + y * y) - wide_sqrt(square);
  return distance > 0 ? distance : 0;
}

/// A capsule is a union of spheres along its segment. Their distance is a convex function of the
/// position on it (the shape is convex), minimised by ternary search to 2^-46 of the segment.
SIGHTLINE_HD double horizontal_distance(const VerticalSegment& p, const Capsule& s) {
  const Vec3 foot = {p.x, p.y, 0};
  const WideVec3 a = wide_diff(s.a, foot), e = wide_diff(s.b, s.a);
  const double r = s.radius;
  // Where spheres reach the heights.
  double from = 0, to = 1;
  if (e.z == 0) {
    if (!(a.z + r >= p.low && a.z - r <= p.high)) return infinity;
  } else {
    const double t = (p.low - r - a.z) / e.z, u = (p.high + r - a.z) / e.z;
    const double first = t < u ? t : u, last = t < u ? u : t;
    from = first > 0 ? first : 0;
    to = last < 1 ? last : 1;
    if (!(from <= to)) return infinity;
  }
  const auto distance = [&](double t) {
    const WideVec3 c = a + e * t;
    const double h = beyond(c.z, p.low, p.high), square = r * r - h * h;
    return wide_sqrt(c.x * c.x + c.y * c.y) - wide_sqrt(square > 0 ? square : 0);
  };
  for (int i = 0; i < 80; ++i) {
    const double third = (to - from) / 3, t = from + third, u = to - third;
    if (distance(t) <= distance(u)) {
      to = u;
    } else {
      from = t;
    }
  }
  const double least = distance(from + (to - from) / 2);
  return least > 0 ? least : 0;
}

template <RaysAlone Shape>
SIGHTLINE_HD double horizontal_distance(const VerticalSegment&, const Shape&) {
  end_unknown_query();
  return infinity;
}
SIGHTLINE_HD double horizontal_distance(const VerticalSegment& p, const Plane& s) {
  const double nx = s.normal.x, ny = s.normal.y, nz = s.normal.z;
  const double across = wide_sqrt(nx * nx + ny * ny);
  const double excess = (nx * p.x + ny * p.y) - s.offset;
  const double at_low = excess + nz * p.low, at_high = excess + nz * p.high;
  const double least = at_low < at_high ? at_low : at_high;
  if (least <= 0) return 0;
  return across > 0 ? least / across : widened(infinity);
}

}  // namespace sightline
