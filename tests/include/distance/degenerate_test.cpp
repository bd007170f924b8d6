// Points and segments for shapes, centres and axes, edges and faces: what is stated of ties.
#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

void expect(const Nearest& got, float distance, const Vec3& point, const Vec3& direction) {
  EXPECT_EQ(got.distance, distance);
  EXPECT_TRUE(same_bits(got.point, point)) << text(got.point) << ", not " << text(point);
  EXPECT_TRUE(same_bits(got.direction, direction))
      << text(got.direction) << ", not " << text(direction);
}

TEST(NearestTies, OfBoxesGoByAxisAndLowSideFirst) {
  const Aabb cube{{-1, -1, -1}, {1, 1, 1}};
  const ObbFrame same = frame(Obb{{0, 0, 0}, {1, 1, 1}, {}});
  const auto both = [&](const Vec3& p, float distance, const Vec3& point, const Vec3& direction) {
    SCOPED_TRACE(text(p));
    expect(nearest(cube, p), distance, point, direction);
    expect(nearest(same, p), distance, point, direction);
  };
  both({0, 0, 0}, -1, {-1, 0, 0}, {-1, 0, 0});
  both({0.5f, 0.5f, 0}, -0.5f, {1, 0.5f, 0}, {1, 0, 0});
  both({0, -0.5f, 0.5f}, -0.5f, {0, -1, 0.5f}, {0, -1, 0});
  both({0, 0, 0.75f}, -0.25f, {0, 0, 1}, {0, 0, 1});
  both({1, 1, 1}, 0, {1, 1, 1}, {1, 0, 0});     // a corner
  both({0, 1, -1}, 0, {0, 1, -1}, {0, 1, 0});   // an edge
  both({0, 0, -1}, 0, {0, 0, -1}, {0, 0, -1});  // a face
  both({3, 0, 0}, 2, {1, 0, 0}, {1, 0, 0});
  both({4, 5, 1}, 5, {1, 1, 1}, {0.6f, 0.8f, 0});
}

TEST(NearestTies, OfFlatBoxesTakeTheLowSide) {
  const Aabb wall{{0, 0, 1}, {4, 4, 1}}, point{{1, 2, 3}, {1, 2, 3}};
  const ObbFrame same = frame(Obb{{2, 2, 1}, {2, 2, 0}, {}});
  expect(nearest(wall, {2, 1, 1}), 0, {2, 1, 1}, {0, 0, -1});
  expect(nearest(same, {2, 1, 1}), 0, {2, 1, 1}, {0, 0, -1});
  expect(nearest(wall, {2, 1, 4}), 3, {2, 1, 1}, {0, 0, 1});
  expect(nearest(same, {2, 1, -4}), 5, {2, 1, 1}, {0, 0, -1});
  expect(nearest(point, {1, 2, 3}), 0, {1, 2, 3}, {-1, 0, 0});
  expect(nearest(point, {4, 6, 3}), 5, {1, 2, 3}, {0.6f, 0.8f, 0});
}

TEST(NearestTies, AtCentresAndOnAxes) {
  expect(nearest(Sphere{{1, 2, 3}, 2}, {1, 2, 3}), -2, {3, 2, 3}, {1, 0, 0});
  expect(nearest(Sphere{{1, 2, 3}, 0}, {1, 2, 3}), 0, {1, 2, 3}, {1, 0, 0});
  expect(nearest(Capsule{{1, 2, 3}, {1, 2, 3}, 2}, {1, 2, 3}), -2, {3, 2, 3}, {1, 0, 0});
  const Capsule along_z{{0, 0, 0}, {0, 0, 4}, 1}, along_x{{0, 0, 0}, {4, 0, 0}, 1};
  expect(nearest(along_z, {0, 0, 1}), -1, {1, 0, 1}, {1, 0, 0});
  expect(nearest(along_x, {1, 0, 0}), -1, {1, 1, 0}, {0, 1, 0});
  for (const float end : {0.0f, 4.0f}) {
    expect(nearest(along_z, {0, 0, end}), -1, {1, 0, end}, {1, 0, 0});
  }
  expect(nearest(along_z, {0, 0, 4.5f}), -0.5f, {0, 0, 5}, {0, 0, 1});
  expect(nearest(Capsule{{0, 0, 0}, {0, 0, 4}, 0}, {0, 0, 1}), 0, {0, 0, 1}, {1, 0, 0});
  expect(nearest(Capsule{{0, 0, 0}, {0, 0, 4}, 0}, {3, 4, 1}), 5, {0, 0, 1}, {0.6f, 0.8f, 0});
}

// Where the root of 1 + 2^-52 is 1, and where b - a is -a: nothing is lost all the same.
TEST(NearestTies, KeepWhatRootsAndDifferencesLose) {
  EXPECT_EQ(nearest(Sphere{{0, 0, 0}, 1}, {1, 0x1p-26f, 0}).distance, 0x1p-53f);
  EXPECT_EQ(nearest(Segment{{0x1p60f, 0, 0}, {1, 0, 0}}, {0, 0, 0}).point.x, 1);
}

// As near the axis as doubles tell apart, the point is still on the surface.
TEST(NearestTies, NearAnAxisTheSurfaceIsARadiusAway) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Capsule s{r.vec(-9, 9), r.vec(-9, 9), r.uniform(0.1f, 2)};
    const Vec3 p = narrowed(point_at({s.a, s.b}, r.uniform(0, 1)));
    const Nearest got = nearest(s, p);
    ASSERT_NEAR(length(minus(got.point, p)), double{s.radius}, 3e-6) << "seed " << seed;
    ASSERT_NEAR(got.distance, -s.radius, 3e-6) << "seed " << seed;
    const WideVec3 e = wide_diff(s.b, s.a);
    ASSERT_NEAR(dot(e, widened(got.direction)) / std::sqrt(square(e)), 0, 1e-6) << "seed " << seed;
  }
}

// Neighbours among Fibonacci's numbers: the point is 1.5e-7 off the axis, 4e6 from its begin.
TEST(NearestTies, DirectionsFromAnAxisAreAcrossIt) {
  const Capsule s{{0, 0, 0}, {5702887, 3524578, 0}, 1e6f};
  const Nearest got = nearest(s, {3524578, 2178309, 0});
  EXPECT_LE(std::fabs(dot(wide_diff(s.b, s.a), widened(got.direction))), 6e6 * 1e-7);
  EXPECT_NEAR(got.distance, -1e6f, 0.5f);
}

TEST(NearestTies, PlanesNeedNotBeUnit) {
  expect(nearest(Plane{{0, 0, 1}, 2}, {1, 2, 5}), 3, {1, 2, 2}, {0, 0, 1});
  expect(nearest(Plane{{0, 0, 1}, 2}, {1, 2, -5}), -7, {1, 2, 2}, {0, 0, 1});
  expect(nearest(Plane{{0, 2, 0}, 4}, {1, 5, 3}), 3, {1, 2, 3}, {0, 1, 0});
}

void expect(const Clearance& got, float distance, float t, const Vec3& on_segment,
            const Vec3& on_shape) {
  EXPECT_EQ(got.distance, distance);
  EXPECT_EQ(got.t, t);
  EXPECT_TRUE(same_bits(got.on_segment, on_segment)) << text(got.on_segment);
  EXPECT_TRUE(same_bits(got.on_shape, on_shape)) << text(got.on_shape);
}

TEST(ClearanceTies, AreAtStatedPlaces) {
  const Aabb cube{{-1, -1, -1}, {1, 1, 1}};
  expect(clearance({{-4, 3, 0}, {4, 3, 0}}, cube), 2, 0.375f, {-1, 3, 0}, {-1, 1, 0});
  expect(clearance({{0, 3, 0}, {0.5f, 3, 0}}, cube), 2, 0, {0, 3, 0}, {0, 1, 0});
  expect(clearance({{0, 0, 0}, {4, 0, 0}}, cube), 0, 0, {0, 0, 0}, {0, 0, 0});
  expect(clearance({{4, 0, 0}, {0, 0, 0}}, cube), 0, 1, {0, 0, 0}, {0, 0, 0});
  expect(clearance({{-3, 3, 0}, {3, 3, 0}}, Sphere{{0, 0, 0}, 1}), 2, 0.5f, {0, 3, 0}, {0, 1, 0});
  expect(clearance({{-3, 1, 0}, {3, 1, 0}}, Sphere{{0, 0, 0}, 1}), 0, 0.5f, {0, 1, 0}, {0, 1, 0});
  expect(clearance({{0, 0, 2}, {4, 0, 2}}, Plane{{0, 0, 1}, 1}), 1, 0, {0, 0, 2}, {0, 0, 1});
  expect(clearance({{0, 0, 2}, {4, 0, 1}}, Plane{{0, 0, 1}, 1}), 0, 1, {4, 0, 1}, {4, 0, 1});
  const Capsule post{{0, 0, 0}, {0, 0, 4}, 1};
  expect(clearance({{-3, 3, 2}, {3, 3, 2}}, post), 2, 0.5f, {0, 3, 2}, {0, 1, 2});
  expect(clearance({{3, 0, 1}, {3, 0, 9}}, post), 2, 0, {3, 0, 1}, {1, 0, 1});
}

// Along an edge the slope is 0 but for rounding, which must not look like a touch.
TEST(ClearanceTies, AlongAnEdgeIsNoTouch) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Vec3 low = r.lattice(-9, 9), a = r.lattice(-16, 16);
    const Aabb s{low, plus(low, r.lattice(0, 6))};
    Segment p{a, a};
    (r.one_in(3) ? p.b.x : r.one_in(2) ? p.b.y : p.b.z) = static_cast<float>(r.between(-16, 16));
    // Seen along an axis, boxes: the distance of the box of the segment.
    const Aabb of{{min(p.a.x, p.b.x), min(p.a.y, p.b.y), min(p.a.z, p.b.z)},
                  {max(p.a.x, p.b.x), max(p.a.y, p.b.y), max(p.a.z, p.b.z)}};
    const auto gap = [](float al, float ah, float bl, float bh) {
      return std::max({al - bh, bl - ah, 0.0f});
    };
    const Vec3 d{gap(of.min.x, of.max.x, s.min.x, s.max.x),
                 gap(of.min.y, of.max.y, s.min.y, s.max.y),
                 gap(of.min.z, of.max.z, s.min.z, s.max.z)};
    ASSERT_EQ(clearance(p, s).distance, static_cast<float>(length(d))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline::testing
