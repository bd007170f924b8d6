// Seeded shapes and segments for the tests of 2D, on a lattice, where touching is common.
#pragma once

#include <sightline/geometry/flat/flat.hpp>

#include "tests/support/adversarial_pairs.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace sightline::testing {

/// A polygon that owns its corners.
struct Polygon {
  std::array<Vec2, 12> corners{};
  int count = 0;
};

/// What the library is asked about.
template <class Shape>
const Shape& seen(const Shape& s) {
  return s;
}
inline ConvexPolygon seen(const Polygon& s) { return {s.corners.data(), s.count}; }

inline Vec2 vec2(int x, int y) { return {static_cast<float>(x), static_cast<float>(y)}; }
inline Vec2 moved(const Vec2& v, const Vec2& by) { return {v.x + by.x, v.y + by.y}; }
inline Vec2 times(const Vec2& v, float s) { return {v.x * s, v.y * s}; }
inline Vec2 lattice2(Random& r, int n) {
  const int x = r.between(-n, n);
  return vec2(x, r.between(-n, n));
}

/// Two whole numbers from 0 to n.
inline Vec2 extents(Random& r, int n) {
  const int x = r.between(0, n);
  return vec2(x, r.between(0, n));
}

/// The hull of n lattice points about 0, either way round, now and then with a corner repeated.
inline Polygon hull(Random& r, int n, int size) {
  std::vector<Vec2> p, h;
  for (int i = 0; i < n; ++i) p.push_back(lattice2(r, size));
  const auto less = [](const Vec2& a, const Vec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
  const auto same = [](const Vec2& a, const Vec2& b) { return a.x == b.x && a.y == b.y; };
  std::sort(p.begin(), p.end(), less);
  p.erase(std::unique(p.begin(), p.end(), same), p.end());
  const bool keep_straight = r.one_in(4);  // corners on an edge stay
  const auto turn = [&](const Vec2& x) {
    const std::size_t k = h.size();
    const double side = cross(wide_diff(h[k - 1], h[k - 2]), wide_diff(x, h[k - 2]));
    return keep_straight ? side < 0 : side <= 0;
  };
  for (int round = 0; round < 2 && p.size() > 2; ++round) {
    const std::size_t begin = h.size();
    for (const Vec2& x : p) {
      while (h.size() >= begin + 2 && turn(x)) h.pop_back();
      h.push_back(x);
    }
    h.pop_back();
    std::reverse(p.begin(), p.end());
  }
  if (p.size() <= 2) h = p;
  if (r.one_in(8)) h.push_back(h.back());
  if (r.one_in(2)) std::reverse(h.begin(), h.end());
  Polygon out;
  for (const Vec2& v : h) {
    if (out.count < 12) out.corners[static_cast<std::size_t>(out.count++)] = v;
  }
  return out;
}

/// On the lattice, about `base`, of sizes up to 6.
template <class Shape>
Shape lattice_shape(Random& r, const Vec2& base);

template <>
inline Circle lattice_shape<Circle>(Random& r, const Vec2& base) {
  return {moved(base, lattice2(r, 6)), static_cast<float>(r.between(0, 6))};
}
template <>
inline Capsule2 lattice_shape<Capsule2>(Random& r, const Vec2& base) {
  const Vec2 a = moved(base, lattice2(r, 6));
  return {a, r.one_in(8) ? a : moved(a, lattice2(r, 6)), static_cast<float>(r.between(0, 6))};
}
template <>
inline Sector lattice_shape<Sector>(Random& r, const Vec2& base) {
  Vec2 d = lattice2(r, 6), half = lattice2(r, 5);
  if (d.x == 0 && d.y == 0) d = {3, 4};
  half.y = abs(half.y);
  if (half.x == 0 && half.y == 0) half = r.one_in(2) ? Vec2{-1, 0} : Vec2{3, 4};
  return {moved(base, lattice2(r, 6)), d, half.x, half.y, static_cast<float>(r.between(0, 6))};
}
template <>
inline Aabb2 lattice_shape<Aabb2>(Random& r, const Vec2& base) {
  const Vec2 a = moved(base, lattice2(r, 6));
  return {a, moved(a, extents(r, 6))};
}
template <>
inline Obb2 lattice_shape<Obb2>(Random& r, const Vec2& base) {
  const Vec2 turns[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {3, 4}, {4, -3}, {-3, 4}, {5, 12}};
  const Vec2 turn = turns[r.below(8)];
  const Vec2 center = moved(base, lattice2(r, 6));
  return {center, extents(r, 6), turn.x, turn.y};
}
template <>
inline Polygon lattice_shape<Polygon>(Random& r, const Vec2& base) {
  Polygon p = hull(r, r.between(1, 9), 6);
  for (Vec2& v : p.corners) v = moved(v, base);
  return p;
}

/// The shape times a factor, where that is exact.
inline Circle enlarged(const Circle& s, float k) { return {times(s.center, k), s.radius * k}; }
inline Capsule2 enlarged(const Capsule2& s, float k) {
  return {times(s.a, k), times(s.b, k), s.radius * k};
}
inline Sector enlarged(const Sector& s, float k) {
  return {times(s.center, k), s.direction, s.cosine, s.sine, s.radius * k};
}
inline Aabb2 enlarged(const Aabb2& s, float k) { return {times(s.min, k), times(s.max, k)}; }
inline Obb2 enlarged(const Obb2& s, float k) {
  return {times(s.center, k), times(s.half_extents, k), s.cosine, s.sine};
}
inline Polygon enlarged(const Polygon& s, float k) {
  Polygon p = s;
  for (Vec2& v : p.corners) v = times(v, k);
  return p;
}

/// Near the lattice's middle, or far out.
inline Vec2 lattice_base(Random& r) {
  const int sizes[3] = {10, 3000, 19'000};
  return lattice2(r, sizes[r.below(3)]);
}

/// Near `base`; along a short direction and long, or any two points of the lattice.
inline Segment2 lattice_segment(Random& r, const Vec2& base) {
  const Vec2 on = moved(base, lattice2(r, 12));
  if (r.one_in(4)) return {on, r.one_in(8) ? on : moved(base, lattice2(r, 12))};
  const int most = r.one_in(2) ? 4 : 80;
  const Vec2 d = lattice2(r, r.one_in(2) ? 2 : 12);
  const auto step = [&](int k) { return moved(on, times(d, static_cast<float>(k))); };
  if (r.one_in(4)) {
    // The other end anywhere: long and slanted.
    return r.one_in(2) ? Segment2{on, lattice2(r, 20'000)} : Segment2{lattice2(r, 20'000), on};
  }
  return {step(-r.between(0, most)), step(r.between(-1, most))};
}

}  // namespace sightline::testing
