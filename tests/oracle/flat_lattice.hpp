// Whether circles and segments meet 2D shapes, decided in integers: shapes on a lattice.
//
// A point within a radius of a segment is a quadratic that is not positive somewhere in [0, 1];
// where a root of an integer enters, signs of a + b * sqrt(n) are found by squaring.
#pragma once

#include <sightline/flat_shapes.hpp>

#include "tests/oracle/lattice_truth.hpp"

#include <cmath>
#include <vector>

namespace sightline::oracle {

struct IntVec2 {
  Int x, y;
};
inline IntVec2 operator+(IntVec2 a, IntVec2 b) { return {a.x + b.x, a.y + b.y}; }
inline IntVec2 operator-(IntVec2 a, IntVec2 b) { return {a.x - b.x, a.y - b.y}; }
inline IntVec2 operator*(IntVec2 a, Int s) { return {a.x * s, a.y * s}; }
inline Int dot(IntVec2 a, IntVec2 b) { return a.x * b.x + a.y * b.y; }
inline Int cross(IntVec2 a, IntVec2 b) { return a.x * b.y - a.y * b.x; }
inline IntVec2 whole(Vec2 v) { return {static_cast<Int>(v.x), static_cast<Int>(v.y)}; }
inline Int whole_of(float v) { return static_cast<Int>(v); }

/// The sign of a + b * sqrt(n), n >= 0.
inline int sign_with_root(Int a, Int b, Int n) {
  const int of_b = n == 0 ? 0 : sign(b);
  if (sign(a) * of_b >= 0) return sign(a) != 0 ? sign(a) : of_b;
  return sign(a) * sign(a * a - b * b * n);
}

/// Whether x is within r of the segment p .. q.
inline bool near(IntVec2 x, IntVec2 p, IntVec2 q, Int r) {
  const IntVec2 d = q - p, w = p - x;
  const Int a = dot(d, d), b = dot(w, d), c = dot(w, w) - r * r;  // a t^2 + 2 b t + c
  return c <= 0 || a + 2 * b + c <= 0 || (b < 0 && -b < a && b * b >= a * c);
}

/// Whether the segments cross, by Cramer's rule; parallel ones do not.
inline bool crosses(IntVec2 p, IntVec2 q, IntVec2 a, IntVec2 b) {
  const IntVec2 d = q - p, e = b - a, w = a - p;
  const Int det = cross(d, e), t = cross(w, e) * sign(det), s = cross(w, d) * sign(det);
  const Int most = det * sign(det);
  return det != 0 && 0 <= t && t <= most && 0 <= s && s <= most;
}

/// A hull of corners in order, or fewer than three of them; by counting crossings to the right.
struct IntPolygon {
  std::vector<IntVec2> corners;

  bool reaches(IntVec2 x, Int r) const {
    bool inside = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const IntVec2 a = corners[i], b = corners[(i + 1) % corners.size()];
      if (near(x, a, b, r)) return true;
      if ((a.y > x.y) == (b.y > x.y)) continue;
      const Int side = cross(b - a, x - a);
      inside ^= (b.y > a.y) ? side > 0 : side < 0;
    }
    return inside;
  }
  bool meets(IntVec2 p, IntVec2 q) const {
    if (reaches(p, 0) || reaches(q, 0)) return true;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const IntVec2 a = corners[i], b = corners[(i + 1) % corners.size()];
      if (crosses(p, q, a, b) || near(a, p, q, 0)) return true;
    }
    return false;
  }
};

/// A sector: directions by their cosines, edges by quadratics, the arc by where the line meets it.
struct IntSector {
  IntVec2 center, direction, half;
  Int radius;

  explicit IntSector(const Sector& s)
      : center(whole(s.center)),
        direction(whole(s.direction)),
        half{whole_of(s.cosine), whole_of(s.sine)},
        radius(whole_of(s.radius)) {}

  bool in_wedge(IntVec2 x) const {  // cos(angle) >= cos(half angle), both squared with their signs
    const Int along = dot(x, direction), c = half.x;
    const Int l = along * along * dot(half, half) * sign(along);
    const Int r = c * c * dot(x, x) * dot(direction, direction) * sign(c);
    return l >= r;
  }
  IntVec2 edge(int side) const {
    return direction * half.x + IntVec2{-direction.y, direction.x} * (half.y * side);
  }
  bool reaches(IntVec2 x, Int r) const {
    const IntVec2 w = x - center;
    if (in_wedge(w)) return dot(w, w) <= (radius + r) * (radius + r);
    return near_edge(w, edge(1), r) || near_edge(w, edge(-1), r);
  }
  /// |w - s e|^2 <= r^2 for some s in [0, radius / |e|].
  bool near_edge(IntVec2 w, IntVec2 e, Int r) const {
    const Int ee = dot(e, e), we = dot(w, e), c = dot(w, w) - r * r;
    if (c <= 0) return true;
    // At s = radius / |e|, times |e|: (c + radius^2) |e| <= 2 radius (w . e)
    if (sign_with_root(2 * radius * we, -(c + radius * radius), ee) >= 0) return true;
    return we > 0 && we * we <= radius * radius * ee && we * we >= ee * c;
  }
  bool meets(IntVec2 p, IntVec2 q) const {
    if (reaches(p, 0) || reaches(q, 0)) return true;
    const IntVec2 w = p - center, d = q - p;
    const Int a = dot(d, d);
    if (a == 0) return false;
    return crosses_edge(w, d, edge(1)) || crosses_edge(w, d, edge(-1)) || meets_arc(w, d, a);
  }
  bool crosses_edge(IntVec2 w, IntVec2 d, IntVec2 e) const {
    const Int det = cross(d, e), sg = sign(det), ee = dot(e, e);
    if (det == 0) return cross(w, e) == 0 && dot(w, e) < 0 && dot(w + d, e) > 0;
    const Int t = -cross(w, e) * sg, s = -cross(w, d) * sg, most = det * sg;
    return 0 <= t && t <= most && 0 <= s && s * s * ee <= radius * radius * most * most;
  }
  bool meets_arc(IntVec2 w, IntVec2 d, Int a) const {
    const Int b = dot(w, d), n = b * b - a * (dot(w, w) - radius * radius);
    if (n < 0) return false;
    for (const int side : {-1, 1}) {  // a t = -b + side sqrt(n)
      if (sign_with_root(-b, side, n) < 0 || sign_with_root(-b - a, side, n) > 0) continue;
      // The sign of u . (w + t d), times a.
      const auto sign_of = [&](Int uw, Int ud) {
        return sign_with_root(uw * a - ud * b, ud * side, n);
      };
      const IntVec2 l = edge(1), r = edge(-1);
      const bool right_of_l = sign_of(-cross(l, w), -cross(l, d)) >= 0;
      const bool left_of_r = sign_of(cross(r, w), cross(r, d)) >= 0;
      const bool ahead = sign_of(dot(direction, w), dot(direction, d)) >= 0;
      const bool within =
          half.x < 0 ? right_of_l || left_of_r : right_of_l && left_of_r && (half.x == 0 || ahead);
      if (within) return true;
    }
    return false;
  }
};

inline IntPolygon polygon(const ConvexPolygon& s) {
  IntPolygon p;
  for (int i = 0; i < s.count; ++i) p.corners.push_back(whole(s.corners[i]));
  return p;
}
inline IntPolygon polygon(const Aabb2& s) {
  const IntVec2 a = whole(s.min), b = whole(s.max);
  return {{a, {b.x, a.y}, b, {a.x, b.y}}};
}
/// The box times the length of (cosine, sine), which is whole.
inline IntPolygon polygon(const Obb2& s, Int length) {
  const IntVec2 x = {whole_of(s.cosine), whole_of(s.sine)}, y = {-x.y, x.x};
  const IntVec2 h = whole(s.half_extents), c = whole(s.center) * length;
  const IntVec2 u = x * h.x, v = y * h.y;
  return {{c + u + v, c - u + v, c - u - v, c + u - v}};
}
inline Int length_of(const Obb2& s) {
  return static_cast<Int>(std::lround(std::hypot(s.cosine, s.sine)));
}
/// Whether the lattice knows the box: the length of (cosine, sine) is whole.
inline bool is_whole(const Obb2& s) {
  const IntVec2 x = {whole_of(s.cosine), whole_of(s.sine)};
  return length_of(s) * length_of(s) == dot(x, x);
}

inline bool meets(const Circle& a, const Circle& b) {
  return near(whole(a.center), whole(b.center), whole(b.center), whole_of(a.radius + b.radius));
}
inline bool meets(const Circle& a, const Capsule2& b) {
  return near(whole(a.center), whole(b.a), whole(b.b), whole_of(a.radius + b.radius));
}
inline bool meets(const Circle& a, const Sector& b) {
  return IntSector(b).reaches(whole(a.center), whole_of(a.radius));
}
inline bool meets(const Circle& a, const Obb2& b) {
  const Int l = length_of(b);
  return polygon(b, l).reaches(whole(a.center) * l, whole_of(a.radius) * l);
}
template <class Shape>
bool meets(const Circle& a, const Shape& b) {
  return polygon(b).reaches(whole(a.center), whole_of(a.radius));
}

inline bool meets(const Segment2& s, const Circle& b) {
  return near(whole(b.center), whole(s.a), whole(s.b), whole_of(b.radius));
}
inline bool meets(const Segment2& s, const Capsule2& b) {
  const IntVec2 p = whole(s.a), q = whole(s.b), a = whole(b.a), e = whole(b.b);
  const Int r = whole_of(b.radius);
  return near(a, p, q, r) || near(e, p, q, r) || near(p, a, e, r) || near(q, a, e, r) ||
         crosses(p, q, a, e);
}
inline bool meets(const Segment2& s, const Sector& b) {
  return IntSector(b).meets(whole(s.a), whole(s.b));
}
inline bool meets(const Segment2& s, const Obb2& b) {
  const Int l = length_of(b);
  return polygon(b, l).meets(whole(s.a) * l, whole(s.b) * l);
}
template <class Shape>
bool meets(const Segment2& s, const Shape& b) {
  return polygon(b).meets(whole(s.a), whole(s.b));
}

}  // namespace sightline::oracle
