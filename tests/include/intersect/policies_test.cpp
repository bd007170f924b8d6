// solid, surface and ignore: how the three answers of one ray are related.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

template <class Shape>
class Policies : public ::testing::Test {};
using Shapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Plane>;
TYPED_TEST_SUITE(Policies, Shapes);

TYPED_TEST(Policies, DifferOnlyForRaysThatStartInside) {
  int outside = 0, inside = 0;
  for (std::uint64_t seed = 1; seed <= scaled(300'000); ++seed) {
    Random r(seed);
    const Pair<TypeParam> p = random_pair<TypeParam>(r);
    const Hit solid = cast(p.ray, p.shape, Inside::solid);
    const Hit surface = cast(p.ray, p.shape, Inside::surface);
    const Hit ignore = cast(p.ray, p.shape, Inside::ignore);
    if (!is_hit(solid)) {
      ASSERT_FALSE(is_hit(surface) || is_hit(ignore)) << "seed " << seed << " " << text(p.ray);
    } else if (!started_inside(solid)) {
      ++outside;
      ASSERT_TRUE(same_bits(solid, surface)) << "seed " << seed << " " << text(p.ray);
      ASSERT_TRUE(same_bits(solid, ignore)) << "seed " << seed << " " << text(p.ray);
    } else {
      ++inside;
      ASSERT_EQ(bits_of(solid.t), bits_of(p.ray.t_min + 0.0f)) << "seed " << seed;
      ASSERT_FALSE(is_hit(ignore)) << "seed " << seed << " " << text(p.ray);
      if (is_hit(surface)) {
        ASSERT_TRUE(started_inside(surface)) << "seed " << seed << " " << text(p.ray);
        ASSERT_GE(surface.t, solid.t) << "seed " << seed << " " << text(p.ray);
      }
    }
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(outside, 50);
    EXPECT_GT(inside, 50);
  }
}

// From the middle of bounded shapes, and from below a plane.
TEST(PoliciesFromInside, AreThoseOfTheContract) {
  const Ray ray{{5, 0, 0}, {0.5f, 0, 0}};
  const auto expect = [&](const auto& shape) {
    const Hit solid = cast(ray, shape, Inside::solid);
    EXPECT_EQ(solid.t, 0);
    EXPECT_EQ(solid.flags, hit_flags::hit | hit_flags::started_inside);
    const Hit surface = cast(ray, shape, Inside::surface);
    EXPECT_EQ(surface.t, 2);
    EXPECT_EQ(surface.flags, hit_flags::hit | hit_flags::started_inside);
    const Hit ignore = cast(ray, shape, Inside::ignore);
    EXPECT_TRUE(same_bits(ignore, Hit{}));
  };
  expect(Aabb{{4, -1, -1}, {6, 1, 1}});
  expect(frame(Obb{{5, 0, 0}, {3, 1, 2}, {0, 0, 1, 1}}));
  expect(Sphere{{5, 0, 0}, 1});
  expect(Capsule{{5, 0, -3}, {5, 0, 3}, 1});
  expect(Plane{{1, 0, 0}, 6});
}

TEST(PoliciesFromInside, AHalfSpaceWithoutAnEndHasNoSurfaceToLeave) {
  const Plane floor{{0, 0, 1}, 0};
  for (const Vec3 d : {Vec3{0, 0, -1}, Vec3{1, 0, 0}}) {
    const Ray ray{{0, 0, -1}, d};
    EXPECT_EQ(cast(ray, floor, Inside::solid).t, 0);
    EXPECT_FALSE(is_hit(cast(ray, floor, Inside::surface)));
    EXPECT_FALSE(is_hit(cast(ray, floor, Inside::ignore)));
  }
}

TEST(PoliciesFromOutside, WhatLiesBehindIsNotHit) {
  const auto expect_miss = [](const Ray& ray, const auto& shape) {
    for (const Inside policy : every_policy) {
      EXPECT_FALSE(is_hit(cast(ray, shape, policy))) << text(ray);
    }
  };
  expect_miss(Ray{{0, 0, 1}, {0, 0, 1}}, Plane{{0, 0, 1}, 0});
  expect_miss(Ray{{0, 0, 1}, {3, 0, 1}}, Plane{{0, 0, 1}, 0});
  // Inside the bounds of round shapes, where no box says no.
  expect_miss(Ray{{0.9f, 0.9f, 0}, {1, 0, 0}}, Sphere{{0, 0, 0}, 1});
  expect_miss(Ray{{0.9f, -2.9f, 0}, {1, 0.5f, 0}}, Capsule{{0, -2, 0}, {0, 2, 0}, 1});
  expect_miss(Ray{{1.9f, 1.9f, 0}, {1, 0.5f, 0}},
              frame(Obb{{0, 0, 0}, {2, 2, 1}, {0, 0, 0.38268343f, 0.92387953f}}));
}

TEST(PoliciesOnTheSurface, TouchingIsAHit) {
  // At the surface, going in: the entry is at 0, and the ray did not start inside.
  for (const Inside policy : every_policy) {
    const Hit h = cast(Ray{{4, 0, 0}, {1, 0, 0}}, Sphere{{5, 0, 0}, 1}, policy);
    EXPECT_EQ(h.t, 0);
    EXPECT_EQ(h.flags, hit_flags::hit);
  }
  // At the surface, going out: the exit is at 0.
  EXPECT_EQ(cast(Ray{{6, 0, 0}, {1, 0, 0}}, Sphere{{5, 0, 0}, 1}, Inside::solid).t, 0);
  EXPECT_EQ(cast(Ray{{6, 0, 0}, {1, 0, 0}}, Sphere{{5, 0, 0}, 1}, Inside::surface).t, 0);
  EXPECT_FALSE(is_hit(cast(Ray{{6, 0, 0}, {1, 0, 0}}, Sphere{{5, 0, 0}, 1}, Inside::ignore)));
  // A tangent: one point.
  for (const Inside policy : every_policy) {
    EXPECT_EQ(cast(Ray{{0, 1, 0}, {1, 0, 0}}, Sphere{{5, 0, 0}, 1}, policy).t, 5);
    EXPECT_EQ(cast(Ray{{0, 1, 0}, {1, 0, 0}}, Aabb{{4, -1, -1}, {6, 1, 1}}, policy).t, 4);
  }
}

TEST(PoliciesOfAPoint, OnlySolidIsHitByARayWithoutDirection) {
  const Ray in{{5, 0, 0}, {0, 0, 0}, 0.5f, 2}, on{{4, 0, 0}, {0, 0, 0}}, out{{3, 0, 0}, {0, 0, 0}};
  const auto expect = [&](const auto& shape) {
    const Hit h = cast(in, shape, Inside::solid);
    EXPECT_EQ(h.t, 0.5f);
    EXPECT_EQ(h.flags, hit_flags::hit | hit_flags::started_inside);
    EXPECT_EQ(h.normal.x, 0);
    EXPECT_EQ(h.normal.y, 0);
    EXPECT_EQ(h.normal.z, 0);
    EXPECT_EQ(cast(on, shape, Inside::solid).t, 0);
    EXPECT_FALSE(is_hit(cast(in, shape, Inside::surface)));
    EXPECT_FALSE(is_hit(cast(in, shape, Inside::ignore)));
    for (const Inside policy : every_policy) EXPECT_FALSE(is_hit(cast(out, shape, policy)));
  };
  expect(Aabb{{4, -1, -1}, {6, 1, 1}});
  expect(frame(Obb{{5, 0, 0}, {3, 1, 2}, {0, 0, 1, 1}}));
  expect(Sphere{{5, 0, 0}, 1});
  expect(Capsule{{5, 0, -3}, {5, 0, 3}, 1});
  expect(Capsule{{5, 0, 0}, {5, 0, 0}, 1});
  expect(Plane{{-1, 0, 0}, -4});
}

}  // namespace
}  // namespace sightline::testing
