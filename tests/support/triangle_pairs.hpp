// Seeded pairs of triangles of fourteen kinds that look for trouble, and their judge.
#pragma once

#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/triangle_pair_truth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace sightline::testing {

struct TrianglePair {
  Triangle s, t;
};

using oracle::Dice;

inline constexpr const char* triangle_pair_names[] = {
    "lattice",        "edge across edge",    "corner on face",
    "corner on edge", "shared edge",         "shared corner",
    "in one plane",   "tilted plane",        "no area",
    "needles",        "huge and tiny",       "far away",
    "random",         "needles in one plane"};
inline constexpr int triangle_pair_kinds = 14;

/// Draws one kind's pairs.
class TrianglePairs {
 public:
  TrianglePairs(int kind, std::uint64_t seed)
      : kind_(kind), dice_(seed * 1000 + static_cast<std::uint64_t>(kind)) {}

  TrianglePair next() {
    scale_ = std::ldexp(1.0, dice_.between(-40, 36));
    center_ = {0, 0, 0};
    draw();
    if (dice_.chance(0.5)) std::swap(p_.s, p_.t);
    shuffle(p_.s), shuffle(p_.t);
    return p_;
  }

 private:
  struct Place {
    double x, y, z;
    Place operator+(const Place& o) const { return {x + o.x, y + o.y, z + o.z}; }
    Place operator-(const Place& o) const { return {x - o.x, y - o.y, z - o.z}; }
    Place operator*(double f) const { return {x * f, y * f, z * f}; }
  };

  void draw() {
    switch (kind_) {
      case 0:
        return lattice();
      case 1:
        return edge_across_edge();
      case 2:
      case 3:
        return corner_on(kind_ == 2);
      case 4:
      case 5:
        return shared(kind_ == 4 ? 2 : 1);
      case 6:
        return in_one_plane();
      case 7:
        return tilted_plane();
      case 8:
        return no_area();
      case 9:
        return needles();
      case 10:
        return huge_and_tiny();
      case 11:
        return far_away();
      case 13:
        return needles_in_one_plane();
      default:
        p_.s = any(1), p_.t = any(1);
    }
  }

  double symmetric() { return dice_.uniform(-1, 1); }
  Place direction(double size) {
    const double x = symmetric(), y = symmetric();
    return Place{x, y, symmetric()} * (size * scale_);
  }
  static Vec3 vec(const Place& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
  }
  static Place place(const Vec3& v) { return {v.x, v.y, v.z}; }
  Vec3 near_center(double size) { return vec(center_ + direction(size)); }
  Triangle any(double size) {
    const Vec3 a = near_center(size), b = near_center(size);
    return {a, b, near_center(size)};
  }
  static Place on(const Triangle& t, double u, double v) {
    const Place a = place(t.a);
    return a + (place(t.b) - a) * u + (place(t.c) - a) * v;
  }
  /// Each coordinate stays, or moves to a float next to it.
  void nudge(Vec3& v) {
    for (float* x : {&v.x, &v.y, &v.z}) {
      const std::uint64_t way = dice_.below(4);
      if (way < 2) *x = std::nextafter(*x, way == 0 ? infinity : -infinity);
    }
  }
  void shuffle(Triangle& t) {
    if (dice_.chance(0.5)) std::swap(t.a, t.b);
    if (dice_.chance(0.5)) std::swap(t.b, t.c);
    if (dice_.chance(0.5)) std::swap(t.a, t.c);
  }
  Vec3 whole(int n) {
    const auto one = [&] { return static_cast<float>(dice_.between(-n, n) * scale_); };
    const float x = one(), y = one();
    return {x, y, one()};
  }

  void lattice() {
    const int n = dice_.between(1, 4);
    p_.s.a = whole(n), p_.s.b = whole(n), p_.s.c = whole(n);
    p_.t.a = whole(n), p_.t.b = whole(n), p_.t.c = whole(n);
  }
  /// An edge of t through a rounded place of an edge of s, and its third corner behind.
  void edge_across_edge() {
    if (dice_.chance(0.5)) center_ = direction(std::ldexp(1.0, dice_.between(0, 12)) * 0x1p-12);
    p_.s = any(0x1p-12);
    const Place at = on(p_.s, dice_.uniform(), 0);
    const Place out = (at - place(p_.s.c)) * dice_.uniform(-0.2, 2), e = direction(0x1p-12);
    const double back = dice_.uniform(0.2, 3);
    p_.t.a = vec(at + e), p_.t.b = vec(at - e * back), p_.t.c = vec(at + out + direction(0x1p-13));
    if (dice_.chance(0.5)) nudge(p_.t.a);
    if (dice_.chance(0.5)) nudge(p_.t.b);
  }
  /// A corner of t in a rounded place of the face or an edge of s; the other corners on one side.
  void corner_on(bool face) {
    if (dice_.chance(0.5)) center_ = direction(std::ldexp(1.0, dice_.between(0, 12)) * 0x1p-12);
    p_.s = any(0x1p-12);
    const double u = dice_.uniform(), v = face ? dice_.uniform() * (1 - u) : 0;
    const Place at = on(p_.s, u, v), ab = place(p_.s.b) - place(p_.s.a),
                ac = place(p_.s.c) - place(p_.s.a);
    const Place n =
        Place{ab.y * ac.z - ab.z * ac.y, ab.z * ac.x - ab.x * ac.z, ab.x * ac.y - ab.y * ac.x} *
        (0x1p12 / scale_);
    const auto above = [&] { return vec(at + n * dice_.uniform() + direction(0x1p-14)); };
    p_.t.a = vec(at), p_.t.b = above(), p_.t.c = above();
    if (dice_.chance(0.7)) nudge(p_.t.a);
  }
  /// Common corners, one of them off by a float now and then.
  void shared(int corners) {
    p_.s = any(1), p_.t = any(1);
    p_.t.a = p_.s.a;
    if (corners > 1) p_.t.b = p_.s.b;
    if (dice_.chance(0.5)) nudge(p_.t.a);
    if (dice_.chance(0.5)) nudge(p_.t.b);
  }
  /// Across an axis; t beside an edge of s, or at a corner, but for a float.
  void in_one_plane() {
    p_.s = any(1), p_.t = any(1);
    const std::uint64_t way = dice_.below(4);
    if (way == 1) p_.t.a = vec(on(p_.s, dice_.uniform(), 0));
    if (way == 2) p_.t.a = p_.s.a;
    if (way == 3) {
      p_.t.a = vec(on(p_.s, dice_.uniform(), 0)), p_.t.b = vec(on(p_.s, dice_.uniform(), 0));
    }
    const bool away = dice_.chance(0.7);
    if (way != 0 && away) {  // the other corners beyond the edge a b
      const Place out = place(p_.s.a) - place(p_.s.c);
      p_.t.c = vec(place(p_.t.a) + out * dice_.uniform() + direction(0.1));
      if (way != 3) p_.t.b = vec(place(p_.t.a) + out * dice_.uniform() + direction(0.1));
    }
    if (dice_.chance(0.5)) nudge(p_.t.a);
    if (dice_.chance(0.5)) nudge(p_.t.b);
    const auto height = static_cast<float>(scale_ * symmetric());
    const std::uint64_t axis = dice_.below(3);
    for (Vec3* v : {&p_.s.a, &p_.s.b, &p_.s.c, &p_.t.a, &p_.t.b, &p_.t.c}) {
      (axis == 0 ? v->x : axis == 1 ? v->y : v->z) = height;
    }
    if (dice_.chance(0.1)) nudge(p_.s.a);
  }
  /// Sums of whole multiples of two lattice vectors: exactly in one plane, which lies at an angle.
  void tilted_plane() {
    scale_ = std::ldexp(1.0, dice_.between(-40, 27));
    const int n = dice_.between(2, 500), many = dice_.between(1, 4);
    const Place u = place(whole(n)), v = place(whole(n)), o = place(whole(n));
    const auto corner = [&] {
      const double i = dice_.between(-many, many), j = dice_.between(-many, many);
      return vec(o + u * i + v * j);
    };
    p_.s.a = corner(), p_.s.b = corner(), p_.s.c = corner();
    p_.t.a = corner(), p_.t.b = corner(), p_.t.c = corner();
    if (dice_.chance(0.1)) nudge(p_.t.a);
  }
  /// Points, and corners on a line, against a triangle or against each other.
  void no_area() {
    const auto flat = [&] {
      const Place a = place(whole(2)), e = place(whole(2));
      const auto at = [&] { return vec(a + e * dice_.between(-2, 2)); };
      Triangle r;
      r.a = at(), r.b = at(), r.c = at();
      if (dice_.chance(0.2)) r.b = r.a;
      if (dice_.chance(0.1)) r.b = r.c = r.a;
      return r;
    };
    p_.s = flat();
    p_.t = dice_.chance(0.6) ? flat() : Triangle{whole(4), whole(4), whole(4)};
    if (dice_.chance(0.3)) p_.t.a = p_.s.b;
    if (dice_.chance(0.1)) nudge(p_.s.a);
  }
  Triangle needle(const Place& through) {
    const Place e = direction(1), k = direction(std::ldexp(1.0, -dice_.between(0, 20)));
    const double f = dice_.uniform();
    return {vec(through - e * f), vec(through + e * (1 - f)), vec(through + e * 0.3 + k)};
  }
  void needles() {
    const Place at = direction(1);
    p_.s = needle(at), p_.t = needle(at);
    if (dice_.chance(0.5)) p_.t.a = vec(on(p_.s, dice_.uniform(), 0));
  }
  void needles_in_one_plane() {
    needles();
    if (dice_.chance(0.3)) p_.t.a = p_.s.a, p_.t.b = p_.s.b;
    const auto height = static_cast<float>(scale_ * symmetric());
    for (Vec3* v : {&p_.s.a, &p_.s.b, &p_.s.c, &p_.t.a, &p_.t.b, &p_.t.c}) v->y = height;
  }
  /// Coordinates from 2^-149 to the domain's end.
  void huge_and_tiny() {
    const auto one = [&] {
      if (dice_.chance(0.2)) return 0.0f;
      const double x = symmetric() * std::ldexp(1.0, dice_.between(-149, 40));
      return static_cast<float>(std::clamp(x, -0x1p40, 0x1p40));
    };
    const auto corner = [&] {
      const float x = one(), y = one();
      return Vec3{x, y, one()};
    };
    p_.s.a = corner(), p_.s.b = corner(), p_.s.c = corner();
    p_.t.a = corner(), p_.t.b = corner(), p_.t.c = corner();
    if (dice_.chance(0.5)) p_.t.a = vec(on(p_.s, dice_.uniform(), dice_.chance(0.5) ? 0.0 : 0.3));
    if (dice_.chance(0.2)) p_.t.b = p_.s.a;
  }
  /// Up to 1e6 sizes away, where floats are far apart.
  void far_away() {
    center_ = direction(8);
    const double size = std::ldexp(1.0, -dice_.between(6, 20));
    p_.s = any(size), p_.t = any(size);
    if (dice_.chance(0.3)) p_.t.a = vec(on(p_.s, dice_.uniform(), 0));
  }

  int kind_;
  Dice dice_;
  double scale_ = 1;
  Place center_{0, 0, 0};
  TrianglePair p_;
};

struct TrianglePairCounts {
  std::uint64_t judged = 0, overlapping = 0, in_plane = 0, wrong = 0;

  TrianglePairCounts& operator+=(const TrianglePairCounts& more) {
    judged += more.judged, overlapping += more.overlapping;
    in_plane += more.in_plane, wrong += more.wrong;
    return *this;
  }
};

/// Judges one pair, in both orders and with other orders of the corners; true where all is right.
inline bool judge(const TrianglePair& p, TrianglePairCounts& n) {
  const bool truth = oracle::truly_meet(p.s, p.t);
  const Triangle s = {p.s.b, p.s.c, p.s.a}, t = {p.t.b, p.t.a, p.t.c};
  const bool wrong = overlaps(p.s, p.t) != truth || overlaps(t, s) != truth;
  ++n.judged;
  n.overlapping += truth;
  n.in_plane += corner_signs(p.s, p.t).all_zero() && corner_signs(p.t, p.s).all_zero();
  n.wrong += wrong;
  return !wrong;
}

}  // namespace sightline::testing
