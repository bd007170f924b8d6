// Points and segments next to triangles where doubles hold neither the products nor, often, the
// differences of what is stored.
#include "tests/include/distance/distance_test.hpp"
#include "tests/support/lattice_shapes.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::LatticeTriangle;

/// x, y and the greatest common divisor a x + b y; by Euclid.
struct Bezout {
  Int x, y, divisor;
};
Bezout bezout(Int a, Int b) {
  if (b == 0) return a < 0 ? Bezout{-1, 0, -a} : Bezout{1, 0, a};
  const Bezout r = bezout(b, a % b);
  return {r.y, r.x - a / b * r.y, r.divisor};
}
Int floor_of(Int a, Int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// The whole point over the triangle 0, u, v that is nearest to its plane: n . w is 1 or -1. False
/// where there is none.
bool nearest_to_plane(IntVec u, IntVec v, IntVec& w) {
  const IntVec n = cross(u, v);
  if (n.x == 0 || n.y == 0 || n.z == 0) return false;
  const Bezout xy = bezout(n.x, n.y), all = bezout(xy.divisor, n.z);
  if (all.divisor != 1) return false;
  // Those of the x and y that give the same sum that are not larger than n.
  const Int step = n.y / xy.divisor, some = all.x % n.z;
  const Int sum = xy.divisor * some;
  w.x = (xy.x % step) * (some % step) % step;
  w.y = (sum - n.x * w.x) / n.y;
  w.z = (1 - sum) / n.z;
  if (dot(n, w) != 1) return false;
  const Int nn = dot(n, n);
  w = w - u * floor_of(dot(cross(w, v), n), nn) - v * floor_of(dot(cross(u, w), n), nn);
  if (dot(cross(w, v), n) + dot(cross(u, w), n) > nn) w = u + v - w;
  const Int b = dot(cross(w, v), n), c = dot(cross(u, w), n);
  return b > 0 && c > 0 && b + c < nn;
}

/// Of 22 bits these are 2^-67 of their triangle's size away from it; doubles do not know on which
/// side.
TEST(TriangleDistance, KnowsTheSideOfTheNearestPoints) {
  Dice dice(5);
  std::uint64_t judged = 0;
  const std::uint64_t cases = scaled(100'000);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const IntVec u = near_by(dice, {0, 0, 0}, 1 << 22), v = near_by(dice, {0, 0, 0}, 1 << 22),
                 n = cross(u, v);
    IntVec w = {0, 0, 0};
    if (!nearest_to_plane(u, v, w)) continue;
    const Triangle s = {{0, 0, 0}, floats(u), floats(v)};
    const Vec3 p = floats(w);
    const Nearest got = nearest(s, p);
    const double away = 1 / std::sqrt(static_cast<double>(dot(n, n)));
    ASSERT_NEAR(got.distance, away, away * 1e-6) << i;
    const WideVec3 normal = {double(n.x), double(n.y), double(n.z)};
    const int side = oracle::sign(dot(n, w));
    ASSERT_EQ(dot(normal, widened(got.direction)) > 0, side > 0) << i;
    // Away from the plane, and through it.
    const IntVec up = {n.x >> 24, n.y >> 24, n.z >> 24};
    const Vec3 apart = floats(w + up * side), behind = floats(w - up * side);
    ASSERT_GT(clearance({p, apart}, s).distance, 0) << i;
    ASSERT_EQ(clearance({p, behind}, s).distance, 0) << i;
    ++judged;
  }
  std::cout << judged << " points\n";
  EXPECT_GT(judged, cases / 4);
}

/// Corners on a line through the origin, 2^20 times as far as each other: no doubles hold their
/// products.
TEST(TriangleDistance, KnowsThatThereIsNoArea) {
  Dice dice(6);
  for (std::uint64_t i = 0; i < scaled(50'000); ++i) {
    IntVec d = near_by(dice, {0, 0, 0}, 7);
    if (dot(d, d) == 0) d = {1, 2, 3};
    const auto at = [&](int power) {
      const auto much = static_cast<float>(dice.between(1, 1 << 20));
      return times(floats(d), std::ldexp(much, power));
    };
    const Triangle s = {at(-20), at(0), at(dice.between(1, 20))};
    const float far = max_abs(s.c) > max_abs(s.b) ? 1.0f : 0.0f;
    const Vec3 end = far > 0 ? s.c : s.b;
    const Vec3 begin = max_abs(s.a) < max_abs(far > 0 ? s.b : s.c) ? s.a : far > 0 ? s.b : s.c;
    for (const Vec3& p : {begin, end}) {
      const Nearest got = nearest(s, p), line = nearest(Capsule{begin, end, 0}, p);
      ASSERT_EQ(got.distance, 0) << i;
      ASSERT_TRUE(same_bits(got.direction, line.direction)) << i << text(got.direction);
    }
    const Vec3 between = at(dice.between(-18, 18));
    const bool within = max_abs(begin) <= max_abs(between) && max_abs(between) <= max_abs(end);
    ASSERT_EQ(nearest(s, between).distance == 0, within) << i;
  }
}

/// From a hair beside the origin to b: half of b is 2^-60 of its size away from that.
TEST(TriangleDistance, KnowsHowFarAnEdgeIs) {
  Dice dice(7);
  std::uint64_t judged = 0;
  for (std::uint64_t i = 0; i < scaled(50'000); ++i) {
    const IntVec b = {2 * dice.between(1, 1 << 21), 2 * dice.between(1, 1 << 21), 0};
    const Bezout r = bezout(b.x / 2, b.y / 2);
    const IntVec beside = {-r.y, r.x, 0};
    if (r.divisor != 1) continue;
    const Vec3 a = times(floats(beside), 0x1p-40f), half = times(floats(b), 0.5f);
    const Triangle s = {a, floats(b), floats(b)};
    const double away = 0x1p-40 / std::sqrt(static_cast<double>(dot(b, b)));
    ASSERT_NEAR(nearest(s, half).distance, away, away * 1e-6) << i;
    ++judged;
  }
  EXPECT_GT(judged, scaled(50'000) / 4);
}

/// Segments from beside the origin through a corner, or across an edge, of a triangle whose plane
/// they are in; doubles hold neither the products nor, often, the differences.
TEST(TriangleClearance, IsZeroAtCornersAndEdgesOfThePlane) {
  Dice dice(8);
  for (std::uint64_t i = 0; i < scaled(50'000); ++i) {
    const IntVec d = near_by(dice, {0, 0, 0}, 7), e = near_by(dice, {0, 0, 0}, 7);
    if (dot(cross(d, e), cross(d, e)) == 0) continue;
    const IntVec corner = d * dice.between(1 << 18, 1 << 19), along = d * dice.between(-3, 3);
    const Vec3 begin =
        times(floats(d * dice.between(1, 1 << 20)), std::ldexp(1.0f, dice.between(-60, -22)));
    const Vec3 end = floats(d * dice.between(1 << 20, 1 << 21));
    const bool across = dice.chance(0.5);
    const LatticeTriangle s = across ? LatticeTriangle{{corner + e, corner - e, corner + e + d}}
                                     : LatticeTriangle{{corner, corner + e, corner + e + along}};
    ASSERT_EQ(clearance({begin, end}, triangle_of(s)).distance, 0) << i << across;
    const LatticeTriangle apart = {{corner + e, corner + e * 2, corner + e * 2 + along}};
    ASSERT_GT(clearance({begin, end}, triangle_of(apart)).distance, 0) << i;
  }
}

}  // namespace
}  // namespace sightline::testing
