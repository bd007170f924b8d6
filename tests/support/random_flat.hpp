// Seeded shapes of any floats for the tests of 2D.
#pragma once

#include "tests/support/flat_shapes.hpp"

#include <cmath>

namespace sightline::testing {

/// Of any floats, about `center` and of roughly `size`; now and then flat, long, a point.
template <class Shape>
Shape random_flat(Random& r, const Vec2& center, float size);

inline Vec2 vec2(Random& r, float n) {
  const float x = r.uniform(-n, n);
  return {x, r.uniform(-n, n)};
}
/// Any size from 0 to `size`, often far smaller.
inline float random_size(Random& r, float size) {
  if (r.one_in(16)) return 0;
  const float part = r.uniform(0.1f, 1.0f);
  return size * part * (r.one_in(4) ? r.power_of_two(-14, 0) : 1.0f);
}
/// The cosine and sine of any angle in floats, not quite of length 1: from the tangent of half the
/// angle, so that every machine draws the same.
inline Vec2 random_turn(Random& r) {
  const double drawn = r.uniform(-2, 2);
  if (r.one_in(8)) return r.one_in(2) ? Vec2{0, 1} : Vec2{-1, 0};
  const bool behind = drawn < -1 || drawn > 1;
  const double half = !behind ? drawn : drawn < 0 ? drawn + 1 : drawn - 1, squared = half * half;
  const double cosine = (1 - squared) / (1 + squared), sine = 2 * half / (1 + squared);
  return {static_cast<float>(behind ? -cosine : cosine), static_cast<float>(sine)};
}
template <>
inline Circle random_flat<Circle>(Random& r, const Vec2& center, float size) {
  return {center, random_size(r, size)};
}
template <>
inline Capsule2 random_flat<Capsule2>(Random& r, const Vec2& center, float size) {
  const Vec2 half = r.one_in(16) ? Vec2{0, 0} : vec2(r, size);
  return {moved(center, times(half, -1)), moved(center, half), random_size(r, size)};
}
template <>
inline Sector random_flat<Sector>(Random& r, const Vec2& center, float size) {
  const Vec2 turn = random_turn(r), d = times(turn, r.power_of_two(-6, 6));
  Vec2 half = random_turn(r);
  half.y = abs(half.y);
  if (r.one_in(8))
    half = {half.x < 0 ? -1.0f : 1.0f, r.power_of_two(-40, -4)};  // thin, or nearly all
  if (r.one_in(16)) half = {-1, -8.742278e-8f};  // of the float nearest to 180 degrees
  return {center, d, half.x, half.y, random_size(r, size)};
}
template <>
inline Aabb2 random_flat<Aabb2>(Random& r, const Vec2& center, float size) {
  const Vec2 half = {random_size(r, size), random_size(r, size)};
  return {moved(center, times(half, -1)), moved(center, half)};
}
template <>
inline Obb2 random_flat<Obb2>(Random& r, const Vec2& center, float size) {
  const Vec2 turn = random_turn(r);
  const float x = random_size(r, size);
  return {center, {x, random_size(r, size)}, turn.x, turn.y};
}
/// On a grid fine enough to look random, so that the floats are in convex position exactly.
template <>
inline Polygon random_flat<Polygon>(Random& r, const Vec2& center, float size) {
  const float cell =
      std::ldexp(1.0f, std::ilogb(max(size, max(abs(center.x), abs(center.y)))) - 20);
  const float reach = min(size / cell, 500'000.0f);
  Polygon p = hull(r, r.between(1, 10), 1 + static_cast<int>(reach));
  const Vec2 base = {std::round(center.x / cell), std::round(center.y / cell)};
  for (Vec2& v : p.corners) v = times(moved(v, base), cell);
  return p;
}

/// A place for a shape of this size: near 0, some sizes away, or a million away.
inline Vec2 random_place(Random& r, float size) {
  if (r.one_in(8)) return vec2(r, 1e6f);
  return vec2(r, size * r.power_of_two(-2, 10));
}

}  // namespace sightline::testing
