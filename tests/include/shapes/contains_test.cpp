// Whether shapes contain a point: closed sets, every face, both ends, whatever the distance.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

TEST(Contains, BoxesAskEveryFace) {
  const Vec3 half{1, 2, 3};
  const Aabb box{{4, 3, 2}, {6, 7, 8}};  // about (5, 5, 5)
  const ObbFrame same = frame(Obb{{5, 5, 5}, half, {}});
  // Turned by 45 degrees about x and z: within its bounds, but beyond one face each.
  const ObbFrame turned =
      frame(Obb{{5, 5, 5}, half, {0.35355338f, 0.14644661f, 0.35355338f, 0.85355338f}});
  for (int axis = 0; axis < 3; ++axis) {
    const float h = axis == 0 ? half.x : axis == 1 ? half.y : half.z;
    for (const float sign : {-1.0f, 1.0f}) {
      Vec3 on{5, 5, 5}, out{5, 5, 5};
      (axis == 0 ? on.x : axis == 1 ? on.y : on.z) += sign * h;
      (axis == 0 ? out.x : axis == 1 ? out.y : out.z) += sign * (h + 0x1p-20f);
      EXPECT_TRUE(contains(box, on) && contains(same, on)) << axis;
      EXPECT_FALSE(contains(box, out) || contains(same, out)) << axis;
      const Vec3 a = turned.axis[axis];
      EXPECT_TRUE(contains(turned, plus(Vec3{5, 5, 5}, times(a, sign * h * 0.99999f)))) << axis;
      EXPECT_FALSE(contains(turned, plus(Vec3{5, 5, 5}, times(a, sign * h * 1.00001f)))) << axis;
    }
  }
}

TEST(Contains, BallsAndCapsulesAreRound) {
  const Sphere ball{{1, 2, 3}, 5};
  EXPECT_TRUE(contains(ball, Vec3{4, 6, 3}));
  EXPECT_TRUE(contains(ball, Vec3{1, -1, 7}));
  EXPECT_FALSE(contains(ball, Vec3{4, 6, next_up(3)}) && contains(ball, Vec3{4, 6, 3.001f}));
  EXPECT_FALSE(contains(ball, Vec3{next_up(4), 6, 3}));
  const Capsule post{{0, 0, 0}, {0, 0, 10}, 5};
  for (const float z : {0.0f, 5.0f, 10.0f}) {
    EXPECT_TRUE(contains(post, Vec3{3, 4, z})) << z;
    EXPECT_FALSE(contains(post, Vec3{3, next_up(4), z})) << z;
  }
  EXPECT_TRUE(contains(post, Vec3{0, 3, -4}));
  EXPECT_TRUE(contains(post, Vec3{0, 3, 14}));
  EXPECT_FALSE(contains(post, Vec3{0, 3, next_down(-4)}));
  EXPECT_FALSE(contains(post, Vec3{0, 3, next_up(14)}));
  const Capsule point{{1, 1, 1}, {1, 1, 1}, 0};
  EXPECT_TRUE(contains(point, Vec3{1, 1, 1}));
  EXPECT_FALSE(contains(point, Vec3{1, 1, next_up(1)}));
}

TEST(Contains, PlanesAreClosedHalfSpaces) {
  const Plane p{{0, 0, 1}, 2};
  EXPECT_TRUE(contains(p, Vec3{9, 9, 2}));
  EXPECT_TRUE(contains(p, Vec3{9, 9, -100}));
  EXPECT_FALSE(contains(p, Vec3{9, 9, next_up(2)}));
}

// What contains a point is in the bounds, and hit by the ray without direction.
template <class Shape>
class ContainsAny : public ::testing::Test {};
using Shapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder>;
TYPED_TEST_SUITE(ContainsAny, Shapes);

TYPED_TEST(ContainsAny, AgreesWithBoundsAndWithZeroDirections) {
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Pair<TypeParam> p = random_pair<TypeParam>(r);
    const bool contained = contains(p.shape, p.ray.origin);
    inside += contained;
    ASSERT_TRUE(!contained || contains(bounds(p.shape), p.ray.origin)) << "seed " << seed;
    ASSERT_EQ(is_hit(cast(Ray{p.ray.origin, {0, 0, 0}}, p.shape)), contained) << "seed " << seed;
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(inside, 50);
  }
}

}  // namespace
}  // namespace sightline::testing
