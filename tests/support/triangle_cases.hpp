// Seeded rays and triangles of twelve kinds that look for trouble.
#pragma once

#include <sightline/ray.hpp>
#include <sightline/shapes.hpp>

#include "tests/oracle/dice.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::testing {

using oracle::Dice;

/// A ray and a triangle.
struct TriangleCase {
  Ray ray;
  Triangle triangle;
};

inline constexpr const char* triangle_case_names[] = {
    "lattice", "edges to 1 ulp", "corners to 1 ulp", "needles", "grazing",      "in the plane",
    "no area", "huge and tiny",  "far away",         "random",  "axis on grid", "origin on it"};
inline constexpr int triangle_case_kinds = 12;

/// Draws one kind's cases.
class TriangleCases {
 public:
  TriangleCases(int kind, std::uint64_t seed)
      : kind_(kind), dice_(seed * 1000 + static_cast<std::uint64_t>(kind)) {}

  TriangleCase next() {
    scale_ = std::ldexp(1.0, dice_.between(-20, 20));
    switch (kind_) {
      case 0:
        lattice();
        break;
      case 1:
        aimed_at_rounded_place(true);
        break;
      case 2:
        aimed_at_rounded_place(false);
        break;
      case 3:
        needle();
        break;
      case 4:
        grazing();
        break;
      case 5:
        in_plane();
        break;
      case 6:
        no_area();
        break;
      case 7:
        huge_and_tiny();
        break;
      case 8:
        far_away();
        break;
      case 10:
        axis_on_grid();
        break;
      case 11:
        origin_on_it();
        break;
      default:
        random();
        break;
    }
    const Vec3 d = c_.ray.direction;
    if (d.x == 0 && d.y == 0 && d.z == 0) c_.ray.direction = {1, 0, 0};
    return c_;
  }

 private:
  struct Place {
    double x, y, z;
  };

  bool one_in(std::uint64_t n) { return dice_.below(n) == 0; }
  double symmetric() { return dice_.uniform(-1, 1); }
  Vec3 within(double size) {
    const double x = symmetric(), y = symmetric();
    return vec({size * x, size * y, size * symmetric()});
  }
  Vec3 whole(int n) {
    const auto one = [&] { return static_cast<float>(dice_.between(0, n - 1) - n / 2); };
    const float x = one(), y = one();
    return {x, y, one()};
  }
  static Vec3 vec(const Place& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
  }
  static Vec3 along(const Vec3& a, float t, const Vec3& e) {
    return {a.x + t * e.x, a.y + t * e.y, a.z + t * e.z};
  }
  /// a + u (b - a) + v (c - a).
  Place place(double u, double v) const {
    const Triangle& t = c_.triangle;
    const auto one = [&](double a, double b, double c) { return a + u * (b - a) + v * (c - a); };
    return {one(t.a.x, t.b.x, t.c.x), one(t.a.y, t.b.y, t.c.y), one(t.a.z, t.b.z, t.c.z)};
  }
  void aim(const Place& p) {
    const Vec3& o = c_.ray.origin;
    c_.ray.direction = vec({p.x - o.x, p.y - o.y, p.z - o.z});
  }
  void aim(const Vec3& p) {
    const Vec3& o = c_.ray.origin;
    c_.ray.direction = {p.x - o.x, p.y - o.y, p.z - o.z};
  }
  const Vec3& corner() { return corner(static_cast<int>(dice_.below(3))); }
  const Vec3& corner(int k) const {
    return k == 0 ? c_.triangle.a : k == 1 ? c_.triangle.b : c_.triangle.c;
  }
  void nudge(Vec3& v) {
    for (float* x : {&v.x, &v.y, &v.z}) {
      const std::uint64_t way = dice_.below(4);
      if (way < 2) *x = std::nextafter(*x, way == 0 ? infinity : -infinity);
    }
  }
  void any_triangle(double size) {
    c_.triangle.a = within(size), c_.triangle.b = within(size), c_.triangle.c = within(size);
  }
  void any_triangle(const Vec3& center, double size) {
    any_triangle(size);
    for (Vec3* v : {&c_.triangle.a, &c_.triangle.b, &c_.triangle.c}) *v = along(*v, 1, center);
  }

  /// Small integers: edges, corners and planes are met all the time.
  void lattice() {
    c_.triangle.a = whole(7), c_.triangle.b = whole(7), c_.triangle.c = whole(7);
    const bool near = one_in(2);
    c_.ray.origin = whole(near ? 9 : 40001);
    if (near) {
      c_.ray.direction = whole(7);
    } else {
      aim(corner());
    }
  }
  void aimed_at_rounded_place(bool on_edge) {
    const Vec3 center = within(scale_ * std::ldexp(1.0, dice_.between(0, 11)));
    any_triangle(center, scale_);
    c_.ray.origin = along(within(scale_ * std::ldexp(1.0, dice_.between(0, 17))), 1, center);
    const double u = dice_.uniform();
    const bool on_first = one_in(3);
    aim(!on_edge ? place(0, 0) : on_first ? place(u, 0) : place(u, 1 - u));
    nudge(c_.ray.direction);
  }
  /// Aspects of up to 1e6.
  void needle() {
    const Vec3 a = within(scale_), e = within(scale_);
    const Vec3 k = within(scale_ * std::ldexp(1.0, -dice_.between(0, 20)));
    c_.triangle = {a, along(a, 1, e), along(along(a, 0.5f, e), 1, k)};
    if (one_in(2)) std::swap(c_.triangle.a, c_.triangle.c);
    c_.ray.origin = within(scale_ * std::ldexp(1.0, dice_.between(0, 9)));
    const double u = dice_.uniform();
    aim(place(u, one_in(2) ? 0 : dice_.uniform() * 1.2));
  }
  /// The origin in the plane but for an ulp.
  void grazing() {
    any_triangle(scale_);
    const double u = dice_.uniform(), v = dice_.uniform();
    const Place target = place(u, v);
    const double x = 3 * symmetric();
    c_.ray.origin = vec(place(x, 3 * symmetric()));
    nudge(c_.ray.origin);
    aim(target);
  }
  /// Planes across an axis.
  void in_plane() {
    any_triangle(scale_);
    c_.ray.origin = within(4 * scale_);
    const auto height = static_cast<float>(scale_ * symmetric());
    const std::uint64_t axis = dice_.below(3);
    const auto on_axis = [&](Vec3& v) -> float& { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; };
    Triangle& t = c_.triangle;
    on_axis(t.a) = on_axis(t.b) = on_axis(t.c) = on_axis(c_.ray.origin) = height;
    const double u = dice_.uniform();
    if (one_in(3)) {
      aim(place(static_cast<double>(dice_.below(2)), 0));
    } else {
      aim(place(u, dice_.uniform()));
    }
    on_axis(c_.ray.direction) = 0;
    if (!one_in(4)) return;  // else along an edge
    if (one_in(2)) c_.ray.origin = t.a;
    c_.ray.direction = {t.b.x - t.a.x, t.b.y - t.a.y, t.b.z - t.a.z};
  }
  /// Points, and corners on a line.
  void no_area() {
    const Vec3 a = whole(9), e = whole(5);
    const auto on = [&](int from, int to) {
      return along(a, static_cast<float>(dice_.between(from, to)), e);
    };
    c_.triangle.a = on(0, 4), c_.triangle.b = on(0, 4), c_.triangle.c = on(0, 4);
    if (one_in(4)) c_.triangle.b = c_.triangle.a;
    if (one_in(8)) c_.triangle.c = c_.triangle.b = c_.triangle.a;
    c_.ray.origin = whole(21);
    if (one_in(3)) {
      c_.ray.direction = whole(7);
    } else {
      aim(on(-2, 6));
    }
  }
  /// Coordinates from 2^-149 to the domain's end.
  void huge_and_tiny() {
    const auto one = [&] {
      const double x = symmetric() * std::ldexp(1.0, dice_.between(-149, 39));
      return static_cast<float>(std::clamp(x, -0x1p40, 0x1p40));
    };
    const auto any = [&] {
      const float x = one(), y = one();
      return Vec3{x, y, one()};
    };
    c_.triangle.a = any(), c_.triangle.b = any(), c_.triangle.c = any(), c_.ray.origin = any();
    if (one_in(2)) {
      c_.ray.direction = any();
    } else {
      aim(corner(one_in(2) ? 0 : 1));
    }
  }
  /// 1e3 to 1e8 sizes, at an edge.
  void far_away() {
    any_triangle(within(100), std::ldexp(1.0, -dice_.between(0, 11)));
    c_.ray.origin = within(1e3 * std::ldexp(1.0, dice_.between(0, 16)));
    const double u = dice_.uniform();
    aim(one_in(2) ? place(u, 1 - u) : place(u, 0));
  }
  void random() {
    any_triangle(scale_);
    c_.ray.origin = within(4 * scale_);
    c_.ray.direction = within(1);
  }
  /// Down through the corners, edges and cells of a height field.
  void axis_on_grid() {
    const double step = 1 + static_cast<double>(dice_.below(5)) * 0.2;
    const auto cell = static_cast<float>(std::ldexp(step, dice_.between(-5, 4)));
    const int i = dice_.between(0, 99), j = dice_.between(0, 99);
    const auto at = [&](int x, int y) {
      return Vec3{static_cast<float>(x) * cell, static_cast<float>(y) * cell,
                  static_cast<float>(symmetric())};
    };
    c_.triangle.a = at(i, j), c_.triangle.b = at(i + 1, j), c_.triangle.c = at(i + 1, j + 1);
    const auto x = static_cast<float>(i + dice_.between(0, 2));
    const float y = static_cast<float>(j) + 0.5f * static_cast<float>(dice_.between(0, 2));
    c_.ray.origin = {x * cell, y * cell, 50};
    c_.ray.direction = {0, 0, -1};
  }
  /// The origin in a corner, or on an edge or the face as rounded.
  void origin_on_it() {
    any_triangle(scale_);
    const double u = dice_.uniform(), v = dice_.uniform() * (1 - u);
    const bool on_edge = one_in(2);
    c_.ray.origin = vec(one_in(3) ? place(0, 0) : on_edge ? place(u, 0) : place(u, v));
    c_.ray.direction = within(1);
    if (one_in(3)) aim(c_.triangle.b);
  }

  int kind_;
  Dice dice_;
  double scale_ = 1;
  TriangleCase c_;
};

}  // namespace sightline::testing
