// Other projects' known answers about segments in 2D.
#include "tests/support/flat_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::testing {
namespace {

// Box2D, test/test_collision.c (AABBRayCastTest), and parry, crates/parry2d/tests/geometry/
// ray_cast.rs (ray against segment). Box2D counts an origin inside, and a segment without length,
// as a miss: `ignore`. Parry's rays go on forever, here as far as 1000; its segments are polygons
// of two corners. All 24 cases of both.
struct KnownCase {
  Segment2 segment;
  bool hit;
  double distance;
};

TEST(Flat, KnownAnswersOfBox2D) {
  const Aabb2 box = {{-1, -1}, {1, 1}}, offset = {{2, 3}, {4, 5}};
  const KnownCase cases[] = {
      {{{-3, 0}, {3, 0}}, true, 2},        {{{3, 0}, {-3, 0}}, true, 2},
      {{{0, -3}, {0, 3}}, true, 2},        {{{0, 3}, {0, -3}}, true, 2},
      {{{-3, 2}, {3, 2}}, false, 0},       {{{2, -3}, {2, 3}}, false, 0},
      {{{0, 0}, {2, 0}}, false, 0},        {{{-2, -2}, {2, 2}}, true, 1.4142135623730951},
      {{{-2, 1.5f}, {2, 1.5f}}, false, 0}, {{{-2, 1}, {2, 1}}, true, 1},
      {{{-3, 0}, {-2.5f, 0}}, false, 0},   {{{0, 0}, {0, 0}}, false, 0},
      {{{-2, 0}, {-1, 0}}, true, 1}};
  const auto expect = [](const KnownCase& k, const Aabb2& b) {
    const FlatHit h = cast(k.segment, b, Inside::ignore);
    EXPECT_EQ(h.hit, k.hit);
    const WideVec2 d = wide_diff(k.segment.b, k.segment.a);
    EXPECT_NEAR(h.t * std::sqrt(square(d)), k.distance, 1e-14);
  };
  for (const KnownCase& k : cases) expect(k, box);
  expect({{{0, 4}, {6, 4}}, true, 2}, offset);
}

TEST(Flat, KnownAnswersOfParry) {
  const auto expect = [](Vec2 from, Vec2 direction, Vec2 a, Vec2 b, bool hit, double distance) {
    const Vec2 corners[2] = {a, b};
    const Segment2 s = {from, moved(from, times(direction, 1000))};
    const FlatHit h = cast(s, ConvexPolygon{corners, 2});
    EXPECT_EQ(h.hit, hit);
    EXPECT_NEAR(h.t * 1000, distance, 1e-12);
  };
  const Vec2 up = {0, 1}, right = {1, 0};
  expect({0, 0}, up, {2, 1}, {2, 0}, false, 0);
  expect({0, 0}, up, {2, 1}, {2, -1}, false, 0);
  expect({0, 0}, up, {0, 1}, {0, -1}, true, 0);
  expect({0, -2}, up, {0, 1}, {0, -1}, true, 1);
  expect({0, 2}, up, {0, 1}, {0, -1}, false, 0);
  expect({-1, 0}, right, {0, -10}, {0, 10}, true, 1);
  expect({1, 0}, right, {0, -10}, {0, 10}, false, 0);
  expect({0, 3}, right, {0, -10}, {0, 10}, true, 0);
  expect({0, 11}, right, {0, -10}, {0, 10}, false, 0);
  expect({0, -11}, right, {0, -10}, {0, 10}, false, 0);
}

}  // namespace
}  // namespace sightline::testing
