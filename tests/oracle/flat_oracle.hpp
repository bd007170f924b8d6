// Signed distances to 2D shapes in long doubles, by angles and projections, and what a segment sees
// of them by searching for the least of those: other methods than the library's.
#pragma once

#include <sightline/flat_shapes.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sightline::oracle {

using Real = long double;

struct Point {
  Real x, y;
};
inline Point point(const Vec2& v) { return {v.x, v.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Real dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline Real cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
inline Real length(Point a) { return std::sqrt(dot(a, a)); }
inline Point at(const Segment2& s, Real t) {
  const Point a = point(s.a), b = point(s.b);
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

inline Real distance(Point x, Point a, Point b) {
  const Point e = b - a, w = x - a;
  const Real ee = dot(e, e);
  if (ee == 0) return length(w);
  const Real s = std::clamp(dot(w, e) / ee, Real{0}, Real{1});
  if (s > 0 && s < 1) return std::abs(cross(w, e)) / std::sqrt(ee);
  return length(s == 0 ? w : x - b);
}

/// Negative inside.
inline Real distance(Point x, const Circle& s) { return length(x - point(s.center)) - s.radius; }
inline Real distance(Point x, const Capsule2& s) {
  return distance(x, point(s.a), point(s.b)) - s.radius;
}
inline Real distance_to_box(Point w, Real hx, Real hy) {  // about 0
  const Real x = std::abs(w.x) - hx, y = std::abs(w.y) - hy;
  if (x > 0 && y > 0) return length({x, y});
  return std::max(x, y);
}
inline Real distance(Point x, const Aabb2& s) {
  const Real out_x = std::max(s.min.x - x.x, x.x - s.max.x);
  const Real out_y = std::max(s.min.y - x.y, x.y - s.max.y);
  return out_x > 0 && out_y > 0 ? length({out_x, out_y}) : std::max(out_x, out_y);
}
inline Real distance(Point x, const Obb2& s) {
  const Point u = {s.cosine, s.sine}, w = x - point(s.center);
  const Real l = length(u);
  return distance_to_box({dot(u, w) / l, cross(u, w) / l}, s.half_extents.x, s.half_extents.y);
}
/// The sign by the turns of the corners as seen from x.
inline Real distance(Point x, const ConvexPolygon& s) {
  Real least = std::numeric_limits<Real>::infinity(), turned = 0;
  for (int i = 0; i < s.count; ++i) {
    const Point a = point(s.corners[i]), b = point(s.corners[(i + 1) % s.count]);
    least = std::min(least, distance(x, a, b));
    turned += std::atan2(cross(a - x, b - x), dot(a - x, b - x));
  }
  return s.count > 2 && std::abs(turned) > 3 ? -least : least;
}

/// A sector by its angles.
struct Fan {
  Point center;
  Real direction, half, radius;
};
inline constexpr Real half_turn = 3.14159265358979323846264338327950288L;
inline Fan fan(const Sector& s) {
  return {point(s.center), std::atan2(Real{s.direction.y}, Real{s.direction.x}),
          std::atan2(Real{std::max(s.sine, 0.0f)}, Real{s.cosine}), s.radius};
}
inline Real distance(Point x, const Fan& s) {
  const Point w = x - s.center;
  const Real away = length(w);
  const Real angle = std::abs(std::remainder(std::atan2(w.y, w.x) - s.direction, 2 * half_turn));
  const Real beside = angle - s.half;  // the edge, seen from the center
  const Real across = std::abs(beside) < half_turn / 2 ? away * std::sin(std::abs(beside)) : away;
  if (s.half >= half_turn || away == 0) return s.half >= half_turn ? away - s.radius : 0;
  if (beside <= 0) return std::max(away - s.radius, -across);
  if (std::abs(beside) >= half_turn / 2) return away;
  const Real along = away * std::cos(beside);
  return along <= s.radius ? across : length({along - s.radius, across});
}
inline Real distance(Point x, const Sector& s) { return distance(x, fan(s)); }

/// The convex pieces that a shape is made of.
template <class Shape>
std::vector<Shape> convex_pieces(const Shape& s) {
  return {s};
}
inline std::vector<Fan> convex_pieces(const Sector& s) {
  const Fan f = fan(s);
  if (f.half <= half_turn / 2) return {f};
  Fan left = f, right = f;
  left.half = right.half = f.half / 2;
  left.direction += f.half / 2;
  right.direction -= f.half / 2;
  return {left, right};
}

/// The t in [low, high] where the segment's line is nearest to, or deepest in, a convex shape: by
/// golden sections, since the signed distance is convex along a line.
template <class Shape>
Real nearest_t(const Segment2& s, const Shape& shape, Real low, Real high, int steps = 80) {
  const Real part = (std::sqrt(Real{5}) - 1) / 2;
  Real a = high - part * (high - low), b = low + part * (high - low);
  Real of_a = distance(at(s, a), shape), of_b = distance(at(s, b), shape);
  for (int i = 0; i < steps; ++i) {
    if (of_a < of_b) {
      high = b, b = a, of_b = of_a;
      a = high - part * (high - low), of_a = distance(at(s, a), shape);
    } else {
      low = a, a = b, of_a = of_b;
      b = low + part * (high - low), of_b = distance(at(s, b), shape);
    }
  }
  return of_a < of_b ? a : b;
}

/// The least signed distance of the part [low, high] of a segment, and where.
struct Nearest {
  Real distance, t;
};
template <class Shape>
Nearest nearest(const Segment2& s, const Shape& shape, Real low = 0, Real high = 1) {
  Nearest n = {std::numeric_limits<Real>::infinity(), 0};
  for (const auto& piece : convex_pieces(shape)) {
    for (const Real t : {low, high, nearest_t(s, piece, low, high)}) {
      const Real d = distance(at(s, t), piece);
      if (d < n.distance) n = {d, t};
    }
  }
  return n;
}

}  // namespace sightline::oracle
