// Other projects' known answers, values copied as they are: facts, not code. Sources:
// google/vector_math.dart test/obb3_test.dart cf3b5db (Zlib/BSD-style), closestPointTo;
// godotengine/godot tests/core/math/test_geometry_3d.h 021dfc0 (MIT), get_closest_point_to_segment,
// closest_points_between_segments, closest_distance_between_segments;
// mrdoob/three.js test/unit/src/math/Ray.tests.js 0d5395d (MIT), closestPointToPoint,
// distanceSqToSegment; isl-org/Open3D cpp/tests/geometry/IntersectionTest.cpp 22a6a307b (MIT),
// LineSegmentsMinimumDistance.
#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

void expect_point(const Vec3& got, const Vec3& known, float tolerance) {
  EXPECT_LE(max_abs(minus(got, known)), tolerance) << text(got) << ", not " << text(known);
}

TEST(KnownClosest, PointsOfBoxes) {
  const Vec3 half{2, 2, 2}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const float c = 0.7071067811865476f, out = 1.4142135623730951f;
  const ObbFrame straight{{0, 0, 0}, half, {x, y, z}};
  const ObbFrame turned{{0, 0, 0}, half, {{c, c, 0}, {-c, c, 0}, z}};
  expect_point(nearest(straight, {3, 3, 3}).point, {2, 2, 2}, 0);
  expect_point(nearest(straight, {3, 3, -3}).point, {2, 2, -2}, 0);
  expect_point(nearest(turned, {3, 3, 3}).point, {out, out, 2}, 1e-6f);
  expect_point(nearest(turned, {3, 3, -3}).point, {out, out, -2}, 1e-6f);
}

// A half line is a segment up to 1e6.
TEST(KnownClosest, PointsOfSegments) {
  const float third = 2.3333333333333335f;
  expect_point(nearest(Segment{{1, 1, 1}, {5, 5, 5}}, {2, 1, 4}).point, {third, third, third},
               1e-6f);
  const Segment half_line{{1, 1, 1}, {1, 1, 1e6f}};
  const NearestOnSegment origin = nearest(half_line, {0, 0, 0}),
                         up = nearest(half_line, {0, 0, 50});
  const NearestOnSegment begin = nearest(half_line, {1, 1, 1});
  expect_point(origin.point, {1, 1, 1}, 0);
  expect_point(up.point, {1, 1, 50}, 0);
  expect_point(begin.point, {1, 1, 1}, 0);
  EXPECT_EQ(origin.distance, 1.7320508075688772f);
  EXPECT_EQ(up.distance, 1.4142135623730951f);
  EXPECT_EQ(begin.distance, 0);
}

TEST(KnownClosest, PairsOfSegments) {
  const Approach godot = closest_approach({{1, -1, 1}, {1, 1, -1}}, {{-1, -2, -1}, {-1, 1, 1}});
  EXPECT_EQ(godot.distance, 2);
  expect_point(godot.on_first, {1, -0.2f, 0.2f}, 0);
  expect_point(godot.on_second, {-1, -0.2f, 0.2f}, 0);
  const auto apart = [](const Segment& a, const Segment& b) {
    return closest_approach(a, b).distance;
  };
  EXPECT_EQ(apart({{1, -2, 0}, {1, 2, 0}}, {{-1, 2, 0}, {-1, -2, 0}}), 2);
  const Segment unit_x{{0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(apart(unit_x, {{0, 0, 1}, {1, 0, 1}}), 1);
  EXPECT_EQ(apart(unit_x, {{2, 0, 0}, {4, 0, 0}}), 1);
  EXPECT_EQ(apart(unit_x, {{0, 1, 0}, {1, 4, 0}}), 1);
}

TEST(KnownClosest, PairsOfHalfLinesAndSegments) {
  const Segment half_line{{1, 1, 1}, {1, 1, 1e6f}};
  const Approach ahead = closest_approach(half_line, {{3, 5, 50}, {50, 50, 50}});
  EXPECT_EQ(ahead.distance, 4.47213595499958f);
  expect_point(ahead.on_first, {1, 1, 50}, 0);
  expect_point(ahead.on_second, {3, 5, 50}, 0);
  const Approach behind = closest_approach(half_line, {{-50, -50, -50}, {-3, -5, -4}});
  EXPECT_EQ(behind.distance, 8.774964387392123f);
  expect_point(behind.on_first, {1, 1, 1}, 0);
  expect_point(behind.on_second, {-3, -5, -4}, 0);
  const Approach crossing = closest_approach(half_line, {{-50, -50, -50}, {50, 50, 50}});
  EXPECT_EQ(crossing.distance, 0);
  expect_point(crossing.on_first, {1, 1, 1}, 0);
  expect_point(crossing.on_second, {1, 1, 1}, 1e-6f);
}

}  // namespace
}  // namespace sightline::testing
