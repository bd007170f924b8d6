// Pairs of shapes that nearly touch, at a face, an edge, a corner or a round side of each, with a
// direction and a point that prove whether they meet.
#pragma once

#include "tests/oracle/dice.hpp"
#include "tests/oracle/overlap_oracle.hpp"

#include <cmath>
#include <utility>

namespace sightline::overlap_tests {

using oracle::Body;
using oracle::Dice;
using oracle::Point;
using oracle::Real;

/// A sphere of radius 0.
struct PointShape : Sphere {};

struct Cell {
  double distance = 1;  ///< of the pair from 0, in units of `scale`
  double aspect = 1;    ///< of the longest to the smallest size of a shape
  double scale = 1;
  double unlike = 1;      ///< of b's size to a's
  bool parallel = false;  ///< edges and axes within 1e-5 of those of `base`, and touching there
  Quat base{0, 0, 0, 1};
};

template <class A, class B>
struct NearPair {
  A a;
  B b;
  double smallest, largest;            ///< the shapes' sizes but those that are 0
  Point n{1, 0, 0};                    ///< unit, from a to b
  Point on_a{0, 0, 0}, on_b{0, 0, 0};  ///< where they nearly touch, counted from `from`
  Vec3 from{0, 0, 0};
};

inline Vec3 stored(const Point& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}
inline Point random_unit(Dice& dice) {
  for (;;) {
    const Point p{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)};
    const Real d = dot(p, p);
    if (d <= 1 && d > 0.01L) return p * (1 / oracle::root(d));
  }
}
/// 10^lo to 10^hi.
inline double spread(Dice& dice, double lo, double hi) {
  return std::pow(10.0, dice.uniform(lo, hi));
}

/// Any turn; or next to none, so that edges of two shapes are nearly parallel, or quite.
inline Quat some_turn(Dice& dice, const Cell& cell) {
  const auto part = [&](double s) { return static_cast<float>(dice.uniform(-s, s)); };
  if (cell.parallel) {
    const auto small = [&] { return dice.chance(0.3) ? 0.0f : part(spread(dice, -14, -5)); };
    const Quat q = cell.base;
    const float x = small(), y = small();
    return {q.x + x, q.y + y, q.z + small(), q.w};
  }
  if (dice.chance(0.6))
    return {part(1), part(1), part(1), static_cast<float>(dice.uniform(0.1, 1))};
  if (dice.chance(0.1)) return {0, 0, 0, 1};
  const double angle = spread(dice, -13, 0);
  return {part(angle), part(angle), part(angle), 1};
}

/// 1, aspect and something between, in any order; now and then one is 0.
inline void some_halves(Dice& dice, const Cell& cell, double size, double h[3]) {
  h[0] = size;
  h[1] = size * std::pow(cell.aspect, dice.uniform());
  h[2] = size * cell.aspect;
  if (dice.chance(0.05)) h[0] = 0;
  for (std::uint64_t i = 2; i > 0; --i) std::swap(h[i], h[dice.below(i + 1)]);
}

template <class S>
S some_shape(Dice& dice, const Cell& cell, double size);
template <>
inline PointShape some_shape(Dice&, const Cell&, double) {
  return {};
}
template <>
inline Sphere some_shape(Dice& dice, const Cell&, double size) {
  return {{0, 0, 0}, dice.chance(0.05) ? 0.0f : static_cast<float>(size)};
}
template <>
inline Capsule some_shape(Dice& dice, const Cell& cell, double size) {
  const double half = size * cell.aspect * dice.uniform();
  Point e = random_unit(dice);
  if (cell.parallel || dice.chance(0.4)) {  // along an axis, or next to it
    const double off = dice.chance(0.3) ? 0.0 : spread(dice, -14, cell.parallel ? -5 : -1);
    const Point side = random_unit(dice) * Real(off);
    e = Point(frame(Obb{{0, 0, 0}, {1, 1, 1}, cell.base}).axis[dice.below(3)]) + side;
  }
  if (dice.chance(0.02)) e = {0, 0, 0};
  const float r = dice.chance(0.05) ? 0.0f : static_cast<float>(size);
  return {stored(e * Real(-half)), stored(e * Real(half)), r};
}
template <>
inline ObbFrame some_shape(Dice& dice, const Cell& cell, double size) {
  double h[3];
  some_halves(dice, cell, size, h);
  return frame(Obb{{0, 0, 0}, stored({h[0], h[1], h[2]}), some_turn(dice, cell)});
}
template <>
inline Aabb some_shape(Dice& dice, const Cell& cell, double size) {
  double h[3];
  some_halves(dice, cell, size, h);
  return {stored({-h[0], -h[1], -h[2]}), stored({h[0], h[1], h[2]})};
}

/// A long edge and a corner beside it; now and then without area, or a point.
template <>
inline Triangle some_shape(Dice& dice, const Cell& cell, double size) {
  const Capsule along = some_shape<Capsule>(dice, cell, size);
  const Point beside = random_unit(dice) * Real(size * std::pow(cell.aspect, dice.uniform()));
  const Point foot = Point(along.b) * Real(dice.uniform(-1.2, 1.2));
  return {along.a, along.b, dice.chance(0.05) ? along.b : stored(foot + beside)};
}

inline Vec3 moved(const Vec3& p, const Point& by) { return stored(Point(p) + by); }
inline void move(Sphere& s, const Point& by) { s.center = moved(s.center, by); }
inline void move(Capsule& s, const Point& by) { s.a = moved(s.a, by), s.b = moved(s.b, by); }
inline void move(Triangle& s, const Point& by) {
  s.a = moved(s.a, by), s.b = moved(s.b, by), s.c = moved(s.c, by);
}
inline void move(ObbFrame& s, const Point& by) { s.center = moved(s.center, by); }
inline void move(Aabb& s, const Point& by) { s.min = moved(s.min, by), s.max = moved(s.max, by); }

/// Makes the shape reach further along n by `more`, as far as floats do; false when it cannot.
inline bool grow(PointShape&, const Point&, Real) { return false; }
inline bool grow(Aabb&, const Point&, Real) { return false; }
inline bool grow(Triangle&, const Point&, Real) { return false; }
inline bool grow_radius(float& radius, Real more) {
  const Real r = radius + more;
  if (radius == 0 || r < 0) return false;
  radius = static_cast<float>(r);
  return true;
}
inline bool grow(Sphere& s, const Point&, Real more) { return grow_radius(s.radius, more); }
inline bool grow(Capsule& s, const Point&, Real more) { return grow_radius(s.radius, more); }
inline bool grow(ObbFrame& s, const Point& n, Real more) {
  float* half[3] = {&s.half_extents.x, &s.half_extents.y, &s.half_extents.z};
  int best = 0;
  Real most = 0;
  for (int i = 0; i < 3; ++i) {
    const Real along = oracle::magnitude(dot(n, Point(s.axis[i])));
    if (along > most && *half[i] > 0) best = i, most = along;
  }
  if (!(most > 0.01L)) return false;
  return grow_radius(*half[best], more / most);
}

/// A point of the shape that is furthest along n: any one of a face or an edge.
struct Furthest {
  Real t[3] = {0, 0, 0};  ///< of a triangle the corners' weights
  Point of(const Body& b, const Point& n) const {
    if (b.is_triangle) return b.corner[0] * t[0] + b.corner[1] * t[1] + b.corner[2] * t[2];
    Point p = b.center + n * b.radius;
    for (int i = 0; i < b.edges; ++i) p = p + b.edge[i] * t[i];
    return p;
  }
};
inline Furthest furthest(Dice& dice, const Body& b, const Point& n) {
  Furthest f;
  if (b.is_triangle) {
    Real sum = 0;
    for (int i = 0; i < 3; ++i) {
      const Real below = reach(b, n) - dot(n, b.corner[i]);
      const Real size = length(b.edge[0]) + length(b.edge[1]);
      f.t[i] = below <= 1e-9L * size ? Real(dice.uniform(0.1, 1)) : Real(0);
      sum += f.t[i];
    }
    for (Real& t : f.t) t /= sum;
    return f;
  }
  for (int i = 0; i < b.edges; ++i) {
    const Real d = dot(n, b.edge[i]);
    const bool level = d * d <= 1e-18L * dot(b.edge[i], b.edge[i]);
    f.t[i] = level ? Real(dice.uniform(-1, 1)) : d < 0 ? Real(-1) : Real(1);
  }
  return f;
}

/// A direction in which two shapes may touch: across a face of one of them, across an edge of each,
/// across an edge of one, or any.
inline Point some_normal(Dice& dice, const Cell& cell, const Body& a, const Body& b) {
  const auto edge = [&](const Body& s) {
    return s.edges > 0 ? s.edge[dice.below(static_cast<std::uint64_t>(s.edges))]
                       : random_unit(dice);
  };
  const auto face = [&](const Body& s) {
    return s.edges == 3 ? s.normal[dice.below(3)] : cross(edge(s), random_unit(dice));
  };
  Point n = random_unit(dice);
  const std::uint64_t way = cell.parallel ? 7 : dice.below(8);
  if (cell.parallel) {
    const std::uint64_t i = dice.below(3);
    n = cross(a.edge[a.edges == 3 ? i : 0], b.edge[b.edges == 3 ? i : 0]);
  }
  if (way <= 1) n = face(a);
  if (way == 2 || way == 3) n = face(b);
  if (way == 4 || way == 5) n = cross(edge(a), edge(b));
  if (way == 6) n = cross(edge(dice.chance(0.5) ? a : b), random_unit(dice));
  const Real l = oracle::length(n);
  if (!(l > 0)) return random_unit(dice);
  return n * ((dice.chance(0.5) ? 1 : -1) / l);
}

/// The gap that is aimed at: of either sign, mostly far below what floats resolve.
inline Real some_gap(Dice& dice, double size) {
  return Real(size * spread(dice, -12, -3)) * (dice.chance(0.5) ? 1 : -1);
}

template <class A, class B>
NearPair<A, B> near_pair(Dice& dice, const Cell& cell) {
  const double size = cell.scale * dice.uniform(0.4, 0.6);
  const double other = cell.scale * cell.unlike * dice.uniform(0.4, 0.6);
  NearPair<A, B> p{some_shape<A>(dice, cell, size), some_shape<B>(dice, cell, other),
                   std::fmin(size, other), cell.scale * cell.aspect * std::fmax(1, cell.unlike)};
  p.from = stored(random_unit(dice) * Real(cell.distance * cell.scale * dice.uniform()));
  move(p.a, Point(p.from));
  Body a = oracle::body(p.a, p.from), b = oracle::body(p.b, Vec3{0, 0, 0});
  p.n = some_normal(dice, cell, a, b);
  const Furthest in_a = furthest(dice, a, p.n), in_b = furthest(dice, b, p.n * Real(-1));
  const Real gap = some_gap(dice, p.smallest);
  const Point on_a = in_a.of(a, p.n);
  const Point shift = on_a + p.n * gap - in_b.of(b, p.n * Real(-1));
  move(p.b, Point(p.from) + shift);
  const Real more = gap_along(p.n, a, oracle::body(p.b, p.from)) - gap;
  if (!grow(p.b, p.n, more)) grow(p.a, p.n, more);
  a = oracle::body(p.a, p.from), b = oracle::body(p.b, p.from);
  p.on_a = in_a.of(a, p.n), p.on_b = in_b.of(b, p.n * Real(-1));
  return p;
}

/// A half-space and a shape that nearly touches it.
template <class B>
NearPair<Plane, B> near_plane(Dice& dice, const Cell& cell) {
  const double size = cell.scale * dice.uniform(0.4, 0.6);
  NearPair<Plane, B> p{Plane{}, some_shape<B>(dice, cell, size), size, cell.scale * cell.aspect};
  p.from = stored(random_unit(dice) * Real(cell.distance * cell.scale * dice.uniform()));
  Body b = oracle::body(p.b, Vec3{0, 0, 0});
  p.n = some_normal(dice, cell, b, b);
  p.a.normal = stored(p.n);
  p.n = Point(p.a.normal) * (1 / oracle::length(Point(p.a.normal)));
  p.a.offset = static_cast<float>(dot(Point(p.a.normal), Point(p.from)));
  const Furthest in_b = furthest(dice, b, p.n * Real(-1));
  const Real gap = some_gap(dice, size);
  move(p.b, Point(p.from) + p.n * gap - in_b.of(b, p.n * Real(-1)));
  grow(p.b, p.n, gap_along(p.n, oracle::body(p.a, p.from), oracle::body(p.b, p.from)) - gap);
  b = oracle::body(p.b, p.from);
  p.on_b = in_b.of(b, p.n * Real(-1));
  p.on_a = p.on_b - p.n * gap_along(p.n, oracle::body(p.a, p.from), b);
  return p;
}

}  // namespace sightline::overlap_tests
