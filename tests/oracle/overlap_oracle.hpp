// Whether two shapes of stored floats meet, in long double and by certificates: a direction along
// which they are apart, or a point deep in both. Either is proof; neither says unknown.
//
// Every shape with bounds but a triangle is a sum of up to three segments and a ball about a
// centre.
#pragma once

#include "tests/oracle/oracle.hpp"

namespace sightline::oracle {

using Real = long double;
using Point = Wide<Real>;

/// center + sum of t[i] * edge[i] + a ball, |t[i]| <= 1; counted from a point near by.
struct Body {
  int edges = 0;  ///< 0: ball, 1: capsule, 3: box or triangle
  Point center{0, 0, 0};
  Point edge[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  Point normal[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};  ///< of a box's faces
  Real half[3] = {0, 0, 0};  ///< the box is |normal[i] . (x - center)| <= half[i]
  Real radius = 0;
  bool is_triangle = false;  ///< the hull of the corners, and no sum of the edges
  Point corner[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};

inline Real length(const Point& v) { return root(dot(v, v)); }

inline Body body(const Sphere& s, const Vec3& from) {
  Body b;
  b.center = Point(s.center) - Point(from);
  b.radius = s.radius;
  return b;
}
inline Body body(const Capsule& s, const Vec3& from) {
  Body b;
  b.edges = 1;
  b.edge[0] = (Point(s.b) - Point(s.a)) * Real(0.5);
  b.center = (Point(s.a) - Point(from)) + b.edge[0];
  b.radius = s.radius;
  return b;
}
inline Body body(const ObbFrame& s, const Vec3& from) {
  Body b;
  b.edges = 3;
  b.center = Point(s.center) - Point(from);
  const Point a[3] = {Point(s.axis[0]), Point(s.axis[1]), Point(s.axis[2])};
  const Real half[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
  for (int i = 0; i < 3; ++i) {
    // The edge is at right angles to the other two faces' normals.
    const Point along = cross(a[(i + 1) % 3], a[(i + 2) % 3]);
    b.normal[i] = a[i];
    b.half[i] = half[i];
    b.edge[i] = along * (half[i] / dot(along, a[i]));
  }
  return b;
}
inline Body body(const Aabb& s, const Vec3& from) {
  Body b;
  b.edges = 3;
  const Point low = Point(s.min) - Point(from), high = Point(s.max) - Point(from);
  const Point h = (high - low) * Real(0.5);
  b.center = low + h;
  b.normal[0] = {1, 0, 0}, b.normal[1] = {0, 1, 0}, b.normal[2] = {0, 0, 1};
  b.edge[0] = {h.x, 0, 0}, b.edge[1] = {0, h.y, 0}, b.edge[2] = {0, 0, h.z};
  b.half[0] = h.x, b.half[1] = h.y, b.half[2] = h.z;
  return b;
}

inline Body body(const Triangle& s, const Vec3& from) {
  Body b;
  b.edges = 3;
  b.is_triangle = true;
  const Vec3 at[3] = {s.a, s.b, s.c};
  for (int i = 0; i < 3; ++i) {
    b.corner[i] = Point(at[i]) - Point(from);
    b.edge[i] = Point(at[(i + 1) % 3]) - Point(at[i]);
    b.normal[i] = cross(Point(s.b) - Point(s.a), Point(s.c) - Point(s.a));
  }
  return b;
}

/// The half-space normal . x <= offset.
struct HalfSpace {
  Point normal;
  Real offset;
};
inline HalfSpace body(const Plane& s, const Vec3& from) {
  const Point n(s.normal);
  return {n, s.offset - dot(n, Point(from))};
}

/// The most that n . x reaches in the shape, n of length 1. Of a half-space n is its own normal.
inline Real reach(const Body& b, const Point& n) {
  if (b.is_triangle) {
    const Real x = dot(n, b.corner[0]), y = dot(n, b.corner[1]), z = dot(n, b.corner[2]);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
  }
  Real sum = dot(n, b.center) + b.radius;
  for (int i = 0; i < b.edges; ++i) sum += magnitude(dot(n, b.edge[i]));
  return sum;
}
inline Real reach(const HalfSpace& b, const Point&) { return b.offset / length(b.normal); }

/// How far apart the shapes are at least, n being a unit vector from a towards b.
template <class A>
Real gap_along(const Point& n, const A& a, const Body& b) {
  return -reach(b, n * Real(-1)) - reach(a, n);
}

/// How far a point is from a segment.
inline Real distance(const Point& from, const Point& e, const Point& p) {
  const Point w = p - from;
  const Real ee = dot(e, e);
  const Real t = ee > 0 ? dot(w, e) / ee : Real(0);
  return length(w - e * (t < 0 ? Real(0) : t > 1 ? Real(1) : t));
}
/// How far a point is from a triangle.
inline Real distance_to_triangle(const Body& b, const Point& p) {
  Real least = beyond;
  bool over_face = true;
  for (int i = 0; i < 3; ++i) {
    const Real d = distance(b.corner[i], b.edge[i], p);
    if (d < least) least = d;
    if (dot(cross(b.edge[i], p - b.corner[i]), b.normal[0]) < 0) over_face = false;
  }
  const Real size = length(b.normal[0]);
  if (!over_face || !(size > 0)) return least;
  const Real height = magnitude(dot(b.normal[0], p - b.corner[0])) / size;
  return height < least ? height : least;
}

/// How deep in the shape a point lies; negative outside.
inline Real depth(const Body& b, const Point& p) {
  if (b.is_triangle) return -distance_to_triangle(b, p);
  const Point w = p - b.center;
  if (b.edges == 3) {
    Real least = beyond;
    for (int i = 0; i < 3; ++i) {
      const Real d = (b.half[i] - magnitude(dot(b.normal[i], w))) / length(b.normal[i]);
      if (d < least) least = d;
    }
    return least;
  }
  const Real ee = dot(b.edge[0], b.edge[0]);
  Real t = ee > 0 ? dot(w, b.edge[0]) / ee : Real(0);
  t = t < -1 ? -1 : t > 1 ? 1 : t;
  return b.radius - length(w - b.edge[0] * t);
}
inline Real depth(const HalfSpace& b, const Point& p) {
  return (b.offset - dot(b.normal, p)) / length(b.normal);
}

enum class Meeting { unknown, apart, meet };
struct Verdict {
  Meeting meeting = Meeting::unknown;
  Real by = 0;  ///< the gap, or how far to move them at least to part them
};

/// How far two shapes must be moved at least to part them, by a point with these depths in them:
/// their balls about it. A point outside one of them, of a flat shape say, proves as much of the
/// other as is left beyond twice the distance to the nearest point (1.8 at a box's corner).
inline Real overlap_by(Real in_a, Real in_b) {
  return (in_a < 0 ? 2 * in_a : in_a) + (in_b < 0 ? 2 * in_b : in_b);
}

/// Judges by the direction n and the points on_a and on_b and the one between them; certificates
/// within `noise` do not count.
template <class A>
Verdict judge(const A& a, const Body& b, const Point& n, const Point& on_a, const Point& on_b,
              Real noise) {
  const Real gap = gap_along(n, a, b);
  if (gap > noise) return {Meeting::apart, gap};
  Real most = 0;
  for (const Point& z : {on_a, on_b, (on_a + on_b) * Real(0.5)}) {
    const Real by = overlap_by(depth(a, z), depth(b, z));
    if (by > most) most = by;
  }
  if (most > 4 * noise) return {Meeting::meet, most};
  return {};
}

}  // namespace sightline::oracle
