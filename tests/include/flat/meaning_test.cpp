// What 2D's answers mean: policies, touching, sectors of every angle, degenerate shapes, and a
// mistake that is common elsewhere.
#include "tests/support/flat_shapes.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::testing {
namespace {

TEST(Flat, PoliciesSayWhatASegmentFromInsideAnswers) {
  const Circle c = {{0, 0}, 2};
  const Segment2 through = {{-4, 0}, {4, 0}}, from_inside = {{0, 0}, {4, 0}};
  const Segment2 within = {{-1, 0}, {1, 0}}, backward = {{2, 0}, {-6, 0}};
  for (const Inside inside : every_policy) {
    EXPECT_TRUE(cast(through, c, inside).hit);
    EXPECT_EQ(cast(through, c, inside).t, 0.25);
    EXPECT_FALSE(cast(through, c, inside).started_inside);
    EXPECT_TRUE(cast(backward, c, inside).hit);  // begins on the boundary, inward
    EXPECT_EQ(cast(backward, c, inside).t, 0);
    EXPECT_FALSE(std::signbit(cast(backward, c, inside).t));
    const FlatHit at_a_face = cast(backward, Aabb2{{-2, -1}, {2, 1}}, inside);
    EXPECT_TRUE(at_a_face.hit && at_a_face.t == 0 && !std::signbit(at_a_face.t));
    EXPECT_FALSE(cast(Segment2{{3, 0}, {6, 0}}, c, inside).hit);
    EXPECT_FALSE(cast(Segment2{{-6, 0}, {-3, 0}}, c, inside).hit);
  }
  EXPECT_EQ(cast(from_inside, c, Inside::solid).t, 0);
  EXPECT_EQ(cast(from_inside, c, Inside::surface).t, 0.5);
  EXPECT_TRUE(cast(from_inside, c, Inside::surface).started_inside);
  EXPECT_FALSE(cast(from_inside, c, Inside::ignore).hit);
  EXPECT_TRUE(cast(within, c, Inside::solid).hit);
  EXPECT_FALSE(cast(within, c, Inside::surface).hit);  // it does not leave
  const FlatInterval i = interval(within, c);
  EXPECT_TRUE(i.hit && i.t_in == -0.5 && i.t_out == 1.5);
  const Segment2 point = {{1, 1}, {1, 1}};
  EXPECT_TRUE(cast(point, c, Inside::solid).hit);
  EXPECT_FALSE(cast(point, c, Inside::surface).hit || cast(point, c, Inside::ignore).hit);
  EXPECT_FALSE(cast(Segment2{{2, 1}, {2, 1}}, c).hit);
}

TEST(Flat, CirclesAreHitAtTheNearerOfTwoAndAlongTangents) {
  const Circle c = {{10, 0}, 5};
  EXPECT_DOUBLE_EQ(cast(Segment2{{0, 0}, {20, 0}}, c).t, 0.25);
  EXPECT_DOUBLE_EQ(cast(Segment2{{20, 0}, {0, 0}}, c).t, 0.25);
  const FlatHit tangent = cast(Segment2{{0, 5}, {20, 5}}, c);
  EXPECT_TRUE(tangent.hit);
  EXPECT_DOUBLE_EQ(tangent.t, 0.5);
  EXPECT_FALSE(cast(Segment2{{0, next_up(5.0f)}, {20, next_up(5.0f)}}, c).hit);
}

// A range check that compares squares term by term drops circles that are within reach.
TEST(Flat, ARangeCheckBySumsOfSquaresIsWrong) {
  const auto dropped = [](const Sector& s, const Circle& c) {
    const WideVec2 e = wide_diff(c.center, s.center);
    const double ee = square(e), d = s.radius, r = c.radius;
    return ee > d * d + r * r;
  };
  const Sector view = {{0, 0}, {1, 0}, 0.6f, 0.8f, 4};
  const Circle ahead = {{6, 0}, 3};  // 6 < 4 + 3, but 36 > 16 + 9
  EXPECT_TRUE(dropped(view, ahead));
  EXPECT_TRUE(overlaps(ahead, view));
  int wrongly = 0;
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    const Sector s = lattice_shape<Sector>(r, {0, 0});
    const Circle c = lattice_shape<Circle>(r, {0, 0});
    wrongly += dropped(s, c) && overlaps(c, s);
  }
  EXPECT_GT(wrongly, test_scale() >= 0.1 ? 100 : 0);
}

TEST(Flat, SectorsOfEveryAngle) {
  const auto sector = [](float cosine, float sine) {
    return Sector{{0, 0}, {0, 2}, cosine, sine, 5};  // upward
  };
  const auto holds = [](const Sector& s, float x, float y) {
    return overlaps(Circle{{x, y}, 0}, s);
  };
  const Sector ray = sector(1, 0), quarter = sector(1, 1), half = sector(0, 1);
  const Sector most = sector(-1, 1), all = sector(-1, 0);
  EXPECT_TRUE(holds(ray, 0, 5) && holds(ray, 0, 0) && !holds(ray, 0, -1) && !holds(ray, 1, 4));
  EXPECT_TRUE(holds(quarter, 3, 3) && holds(quarter, -3, 3) && !holds(quarter, 3, 2.99f));
  EXPECT_TRUE(holds(half, 5, 0) && holds(half, -3, 4) && !holds(half, 0, -0.01f));
  EXPECT_TRUE(holds(most, 3, -3) && holds(most, -5, 0) && !holds(most, 2.99f, -3));
  EXPECT_TRUE(holds(all, 0, -5) && holds(all, 3, -4) && !holds(all, 0, -5.01f));
  // The float angle nearest to 180 degrees is larger than it: its sine is below 0.
  const float angle = 3.14159265f;
  const Sector rounded = sector(std::cos(angle), std::sin(angle));
  ASSERT_LT(rounded.sine, 0);
  EXPECT_TRUE(holds(rounded, 0, 5) && holds(rounded, 0, -5) && holds(rounded, 1, -4) &&
              !holds(rounded, 0, -5.01f));
  EXPECT_DOUBLE_EQ(cast(Segment2{{-10, -1}, {10, -1}}, rounded, Inside::solid).t,
                   (10 - std::sqrt(24.0)) / 20);
  // Of three quarters a segment across the gap has two parts; the first one counts.
  const FlatInterval across = interval(Segment2{{-8, -1}, {8, -1}}, most);
  EXPECT_NEAR(across.t_in, (8 - std::sqrt(24.0)) / 16, 1e-15);
  EXPECT_DOUBLE_EQ(across.t_out, 7.0 / 16);
  const FlatInterval from_the_gap = interval(Segment2{{0, -1}, {8, -1}}, most);
  EXPECT_DOUBLE_EQ(from_the_gap.t_in, 1.0 / 8);
  EXPECT_FALSE(interval(Segment2{{-0.5f, -1}, {0.5f, -1}}, most).hit);
}

TEST(Flat, DegenerateShapesAreWhatTheyLookLike) {
  const Vec2 corners[3] = {{1, 1}, {5, 4}, {1, 1}};
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Circle c = lattice_shape<Circle>(r, {2, 2});
    const Segment2 s = lattice_segment(r, {2, 2});
    const auto alike = [&](const auto& a, const auto& b) {
      ASSERT_EQ(overlaps(c, a), overlaps(c, b)) << "seed " << seed;
      const FlatInterval i = interval(s, a), j = interval(s, b);
      ASSERT_EQ(i.hit, j.hit) << "seed " << seed;
      if (!i.hit || s.a.x - s.b.x + (s.a.y - s.b.y) * 0.37f == 0) return;
      ASSERT_NEAR(i.t_in, j.t_in, 1e-12) << "seed " << seed;
      ASSERT_NEAR(i.t_out, j.t_out, 1e-12) << "seed " << seed;
    };
    const Capsule2 needle = {{1, 1}, {5, 4}, 0};
    alike(needle, ConvexPolygon{corners, 2});
    alike(needle, ConvexPolygon{corners, 3});
    alike(needle, Sector{{1, 1}, {8, 6}, 3, 0, 5});
    alike(needle, Obb2{{3, 2.5f}, {2.5f, 0}, 4, 3});
    const Circle point = {{1, 1}, 0};
    alike(point, ConvexPolygon{corners, 1});
    alike(point, Capsule2{{1, 1}, {1, 1}, 0});
    alike(point, Aabb2{{1, 1}, {1, 1}});
    alike(point, Obb2{{1, 1}, {0, 0}, 3, 4});
    alike(point, Sector{{1, 1}, {1, 2}, 1, 1, 0});
    const Circle disk = {{2, 3}, 3};
    alike(disk, Capsule2{{2, 3}, {2, 3}, 3});
    alike(disk, Sector{{2, 3}, {1, 2}, -2, 0, 3});
    const Vec2 box[6] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {0, 2}, {0, 2}};
    alike(Aabb2{{0, 0}, {3, 2}}, ConvexPolygon{box, 6});
    alike(Aabb2{{0, 0}, {3, 2}}, Obb2{{1.5f, 1}, {1.5f, 1}, 1, 0});
    alike(Aabb2{{0, 0}, {3, 2}}, Obb2{{1.5f, 1}, {1, 1.5f}, 0, -2});
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace sightline::testing
