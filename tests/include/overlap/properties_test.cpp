// What must hold of any overlap test, whatever the truth: symmetry, motion, growth, and degenerate
// shapes that are simpler shapes.
#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/include/overlap/near_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using oracle::Dice;
using overlap_tests::Cell;

Cell some_cell(Dice& dice) {
  const double lengths[3] = {1, 100, 1e4};
  return {1, lengths[dice.below(3)], 1};
}

/// Calls check(a, b) with near pairs of all kinds.
template <class Check>
void for_near_pairs(std::uint64_t seed, std::uint64_t n, const Check& check) {
  Dice dice(seed);
  const auto with = [&](const auto& p) { check(dice, p); };
  for (std::uint64_t i = 0; i < n; ++i) {
    const Cell cell = some_cell(dice);
    using namespace overlap_tests;
    with(near_pair<Aabb, Aabb>(dice, cell)), with(near_pair<Aabb, ObbFrame>(dice, cell));
    with(near_pair<Aabb, Sphere>(dice, cell)), with(near_pair<Aabb, Capsule>(dice, cell));
    with(near_pair<ObbFrame, ObbFrame>(dice, cell)), with(near_pair<ObbFrame, Sphere>(dice, cell));
    with(near_pair<ObbFrame, Capsule>(dice, cell)), with(near_pair<Sphere, Sphere>(dice, cell));
    with(near_pair<Sphere, Capsule>(dice, cell)), with(near_pair<Capsule, Capsule>(dice, cell));
    with(near_pair<Triangle, Aabb>(dice, cell)), with(near_pair<Triangle, ObbFrame>(dice, cell));
    with(near_pair<Triangle, Sphere>(dice, cell)), with(near_pair<Triangle, Capsule>(dice, cell));
    with(near_pair<Triangle, Triangle>(dice, cell)), with(near_plane<Triangle>(dice, cell));
    with(near_plane<Aabb>(dice, cell)), with(near_plane<ObbFrame>(dice, cell));
    with(near_plane<Sphere>(dice, cell)), with(near_plane<Capsule>(dice, cell));
  }
}

TEST(OverlapProperties, SymmetricToTheBit) {
  for_near_pairs(5001, scaled(50'000),
                 [](Dice&, const auto& p) { EXPECT_EQ(overlaps(p.a, p.b), overlaps(p.b, p.a)); });
}

/// x, y, z -> z, x, -y (a turn): exact.
Vec3 turned(const Vec3& v) { return {v.z, v.x, -v.y}; }
Sphere turned(const Sphere& s) { return {turned(s.center), s.radius}; }
Capsule turned(const Capsule& s) { return {turned(s.a), turned(s.b), s.radius}; }
Triangle turned(const Triangle& s) { return {turned(s.a), turned(s.b), turned(s.c)}; }
Aabb turned(const Aabb& s) { return {{s.min.z, s.min.x, -s.max.y}, {s.max.z, s.max.x, -s.min.y}}; }
ObbFrame turned(const ObbFrame& s) {
  return {
      turned(s.center), s.half_extents, {turned(s.axis[0]), turned(s.axis[1]), turned(s.axis[2])}};
}
Plane turned(const Plane& s) { return {turned(s.normal), s.offset}; }

/// Sums change their order, so answers may differ within rounding errors of touching.
template <class P>
bool clearly(const P& p) {
  const auto v = judge(oracle::body(p.a, p.from), oracle::body(p.b, p.from), p.n, p.on_a, p.on_b,
                       oracle::Real(1e-12) * p.largest);
  return v.meeting != oracle::Meeting::unknown;
}
TEST(OverlapProperties, QuarterTurnsChangeNothing) {
  for_near_pairs(5002, scaled(50'000), [](Dice&, const auto& p) {
    if (!clearly(p)) return;
    EXPECT_EQ(overlaps(p.a, p.b), overlaps(turned(p.a), turned(p.b)));
  });
}

template <class S>
S on_grid(S s, float step) {
  const auto round = [step](float& x) { x = std::nearbyint(x / step) * step; };
  const auto each = [&](Vec3& v) { round(v.x), round(v.y), round(v.z); };
  if constexpr (std::is_same_v<S, Sphere>) each(s.center);
  if constexpr (std::is_same_v<S, ObbFrame>) each(s.center);
  if constexpr (std::is_same_v<S, Capsule>) each(s.a), each(s.b);
  if constexpr (std::is_same_v<S, Aabb>) each(s.min), each(s.max);
  if constexpr (std::is_same_v<S, Triangle>) each(s.a), each(s.b), each(s.c);
  return s;
}
/// Places on a grid of 2^-8 stay exact when moved by integers; only differences of places count,
/// so answers stay, to the bit.
TEST(OverlapProperties, ShiftsThatAreExactChangeNothing) {
  for_near_pairs(5003, scaled(50'000), [](Dice& dice, const auto& p) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(p.a)>, Plane>) {
      if (p.largest > 200) return;
      auto a = on_grid(p.a, 0x1p-8f);
      auto b = on_grid(p.b, 0x1p-8f);
      const bool before = overlaps(a, b);
      const auto part = [&] { return static_cast<oracle::Real>(dice.between(-8000, 8000)); };
      const oracle::Point by{part(), part(), part()};
      overlap_tests::move(a, by), overlap_tests::move(b, by);
      EXPECT_EQ(before, overlaps(a, b));
    }
  });
}

Sphere grown(Sphere s, float f) { return {s.center, s.radius * f}; }
Capsule grown(Capsule s, float f) { return {s.a, s.b, s.radius * f}; }
ObbFrame grown(ObbFrame s, float f) {
  s.half_extents = {s.half_extents.x * f, s.half_extents.y * f, s.half_extents.z * f};
  return s;
}
Aabb grown(Aabb s, float f) {
  const float x = (s.max.x - s.min.x) * (f - 1), y = (s.max.y - s.min.y) * (f - 1),
              z = (s.max.z - s.min.z) * (f - 1);
  return {{s.min.x - x, s.min.y - y, s.min.z - z}, {s.max.x + x, s.max.y + y, s.max.z + z}};
}
TEST(OverlapProperties, GrownShapesStillOverlap) {
  for_near_pairs(5004, scaled(50'000), [](Dice& dice, const auto& p) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(p.b)>, Triangle>) {
      if (!overlaps(p.a, p.b)) return;
      // One float more, a little more, twice as much.
      const float factors[3] = {1 + 0x1p-23f, 1 + 0x1p-16f, 2};
      EXPECT_TRUE(overlaps(p.a, grown(p.b, factors[dice.below(3)])));
    }
  });
}

/// The simpler shape that a degenerate one is, against others on a lattice: the same answers.
template <class A, class B>
void expect_same(const A& a, const B& b, Dice& dice) {
  const auto whole = [&](int n) { return static_cast<float>(dice.between(-n, n)); };
  const Vec3 at{whole(9), whole(9), whole(9)};
  const Vec3 end{at.x + whole(5), at.y + whole(5), at.z + whole(5)};
  const float r = static_cast<float>(dice.between(0, 5));
  const Vec3 far{at.x + r, at.y + 2, at.z + 1};
  const auto expect = [&](const auto& other) { EXPECT_EQ(overlaps(a, other), overlaps(b, other)); };
  expect(Sphere{at, r});
  expect(Capsule{at, end, r});
  expect(Aabb{at, far});
  expect(frame(Obb{at, {r, 2, 1}, {0, 0, 1, 1}}));
  expect(Triangle{at, end, {at.x, at.y + 2, at.z + r}});
  expect(Triangle{at, end, end});
  expect(Plane{{1, 0, 0}, at.x});
  expect(Plane{{-1, 2, 2}, at.y});
}
TEST(OverlapProperties, DegenerateShapesAreSimplerShapes) {
  Dice dice(5005);
  const std::uint64_t n = scaled(100'000);
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto whole = [&] { return static_cast<float>(dice.between(-3, 3)); };
    const Vec3 p{whole(), whole(), whole()}, zero{0, 0, 0};
    const float r = static_cast<float>(dice.between(0, 4));
    const float x = static_cast<float>(dice.between(0, 4));
    expect_same(Capsule{p, p, r}, Sphere{p, r}, dice);
    expect_same(Aabb{p, p}, Sphere{p, 0}, dice);
    expect_same(ObbFrame{p, zero, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, Sphere{p, 0}, dice);
    expect_same(Triangle{p, p, p}, Sphere{p, 0}, dice);
    const Vec3 q{whole(), whole(), whole()};
    const Vec3 between{0.5f * (p.x + q.x), 0.5f * (p.y + q.y), 0.5f * (p.z + q.z)};
    expect_same(Triangle{q, p, between}, Capsule{p, q, 0}, dice);
    const Aabb segment{{p.x - x, p.y, p.z}, {p.x + x, p.y, p.z}};
    expect_same(segment, Capsule{segment.min, segment.max, 0}, dice);
    const Aabb box{{p.x - x, p.y - r, p.z}, {p.x + x, p.y + r, p.z}};
    expect_same(frame(Obb{p, {x, r, 0}, Quat{}}), box, dice);
  }
}

}  // namespace
}  // namespace sightline::testing
