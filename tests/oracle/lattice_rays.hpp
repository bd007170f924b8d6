// Rays on an integer lattice, most of them aimed at lattice points on surfaces, edges, corners and
// silhouettes, many along a tangent, with intervals that begin and end exactly there.
//
// |coordinate| <= 20000, |direction| <= 12.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>
#include <sightline/ray.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/lattice_truth.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::oracle {

inline constexpr int limit = 20000;

inline Int whole(float v) { return static_cast<Int>(v); }
inline IntVec whole(const Vec3& v) { return {whole(v.x), whole(v.y), whole(v.z)}; }
inline Vec3 vec(int x, int y, int z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}
inline Vec3 plus(const Vec3& a, const Vec3& b, float s = 1) {
  return {a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

/// A finite float t >= 0 as a rational.
inline Rational rational(float t) {
  Int den = 1;
  while (t != std::floor(t)) {
    t *= 2;
    den *= 2;
  }
  return {static_cast<Int>(t), den};
}

/// A ray, and the t at which it reaches the lattice point that it was aimed at.
struct Aimed {
  Ray ray;
  float k;
};

inline Vec3 some_place(Dice& dice) {
  const int sizes[4] = {10, 300, 5000, limit - 40};
  const int n = sizes[dice.below(4)];
  return vec(dice.between(-n, n), dice.between(-n, n), dice.between(-n, n));
}

inline Vec3 some_direction(Dice& dice) {
  Vec3 d{0, 0, 0};
  while (max_abs(d) == 0) {
    const auto part = [&] { return dice.chance(0.3) ? 0 : dice.between(-12, 12); };
    d = vec(part(), part(), part());
  }
  return d;
}

/// A direction at right angles to v, |v| <= 6: a tangent where v is an outward normal.
inline Vec3 across(Dice& dice, const Vec3& v) {
  const IntVec n = whole(v);
  const IntVec c = cross(n, IntVec{dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)});
  return {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
}

/// A ray through `target`, along `direction` if that is not 0.
inline Aimed aim(Dice& dice, const Vec3& target, Vec3 direction) {
  if (max_abs(direction) == 0 || max_abs(direction) > 12) direction = some_direction(dice);
  const int most =
      (limit - static_cast<int>(max_abs(target))) / static_cast<int>(max_abs(direction));
  const int steps[3] = {1, 40, most};
  int k = dice.between(0, std::max(1, std::min(most, steps[dice.below(3)])));
  if (dice.chance(0.05)) k = -k;
  Aimed a;
  a.k = static_cast<float>(k);
  a.ray.origin = plus(target, direction, -a.k);
  a.ray.direction = direction;
  if (k < 0) return a;
  const std::uint64_t choice = dice.below(7);
  if (choice == 0) a.ray.t_max = a.k;
  if (choice == 1) a.ray.t_min = a.k;
  if (choice == 2) a.ray.t_min = a.ray.t_max = a.k;
  if (choice == 3) a.ray.t_max = std::max(0.0f, a.k - 0.25f);
  if (choice == 4) a.ray.t_min = a.k + 0.25f;
  return a;
}

}  // namespace sightline::oracle
