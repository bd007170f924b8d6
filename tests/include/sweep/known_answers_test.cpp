// Sweeps worked out by hand, the recipes that get them wrong, and numbers that are none.
#include "tests/include/sweep/sweep_test.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace sightline::testing {
namespace {

constexpr Aabb cube{{-1, -1, -1}, {1, 1, 1}};
/// The same, as an OBB.
const ObbFrame turned_cube = frame(Obb{{0, 0, 0}, {1, 1, 1}, {0, 0, 1, 1}});

Ray ray_at(const Vec3& origin, const Vec3& direction) {
  Ray r;
  r.origin = origin;
  r.direction = direction;
  return r;
}
void expect_hit(const Hit& h, float t, const Vec3& n) {
  EXPECT_TRUE(is_hit(h));
  EXPECT_FLOAT_EQ(h.t, t);
  EXPECT_NEAR(h.normal.x, n.x, 1e-7f);
  EXPECT_NEAR(h.normal.y, n.y, 1e-7f);
  EXPECT_NEAR(h.normal.z, n.z, 1e-7f);
}
template <class Shape>
Hit ball(const Vec3& from, const Vec3& d, float radius, const Shape& s,
         Inside inside = Inside::solid) {
  return cast_sphere(ray_at(from, d), radius, s, inside);
}

template <class Box>
void expect_ball_on_cube(const Box& box) {
  const float half = std::sqrt(0.5f), third = std::sqrt(1.0f / 3);
  // On the face; on an edge 1 aside, where the ball is sqrt(3)/2 short of it; on a corner.
  expect_hit(ball({-5, 0.5f, 0}, {1, 0, 0}, 1, box), 3, {-1, 0, 0});
  expect_hit(ball({-5, 1.5f, 0}, {2, 0, 0}, 1, box), 2 - std::sqrt(0.75f) / 2,
             {-std::sqrt(0.75f), 0.5f, 0});
  expect_hit(ball({-6, 6, 0}, {1, -1, 0}, 1, box), 5 - half, {-half, half, 0});
  expect_hit(ball({-6, 6, -6}, {1, -1, 1}, 3, box), 5 - 3 * third, {-third, third, -third});
  // In touch with a face along which it slides, and with an edge it passes.
  expect_hit(ball({-5, 2, 0}, {1, 0, 0}, 1, box), 4, {0, 1, 0});
  expect_hit(ball({-5, 4, 5}, {0, 0, -1}, 5, box), 4, {-0.8f, 0.6f, 0});
  EXPECT_FALSE(is_hit(ball({-5, 2, 0}, {1, 0, 0}, next_down(1), box)));
  EXPECT_FALSE(is_hit(ball({-5, 4, 5}, {0, 0, -1}, next_down(5), box)));
  // From inside.
  const Hit solid = ball({0, 1.5f, 0}, {1, 0, 0}, 1, box);
  EXPECT_TRUE(started_inside(solid));
  expect_hit(solid, 0, {-1, 0, 0});
  expect_hit(ball({0, 0.5f, 0}, {1, 0, 0}, 1, box, Inside::surface), 2, {1, 0, 0});
  EXPECT_FALSE(is_hit(ball({0, 0.5f, 0}, {1, 0, 0}, 1, box, Inside::ignore)));
}
TEST(KnownSweeps, ABallOnACube) {
  expect_ball_on_cube(cube);
  expect_ball_on_cube(turned_cube);
}

template <class Box>
void expect_agent_at_cube(const Box& box) {
  // Someone upright, 2 tall and 1 wide, who walks at it, over it, falls on it and leans over its
  // rim.
  const auto agent = [](const Vec3& foot) { return Capsule{foot, plus(foot, {0, 0, 1}), 0.5f}; };
  expect_hit(cast_capsule(agent({-4, 0, 0}), {1, 0, 0}, box), 2.5f, {-1, 0, 0});
  expect_hit(cast_capsule(agent({-4, 0, 1.25f}), {1, 0, 0}, box), 3 - std::sqrt(0.1875f),
             {-std::sqrt(0.75f), 0, 0.5f});
  EXPECT_FALSE(is_hit(cast_capsule(agent({-4, 0, next_up(1.5f)}), {1, 0, 0}, box)));
  expect_hit(cast_capsule(agent({-4, 0, 1.5f}), {1, 0, 0}, box), 3, {0, 0, 1});
  expect_hit(cast_capsule(agent({0.5f, 0.5f, 9}), {0, 0, -2}, box), 3.75f, {0, 0, 1});
  const Capsule leaning{{-3, 0, 0}, {-1, 0, 4}, 0.5f};  // across the edge, at (2, -1) / sqrt(5)
  const float r5 = std::sqrt(5.0f);
  expect_hit(cast_capsule(leaning, {1, 0, 0}, box), 1.5f - r5 / 4, {-2 / r5, 0, 1 / r5});
  // Lying, it bumps into a vertical edge with its side.
  const Capsule lying{{-4, -2, 0}, {-4, 4, 0}, 0.5f};
  expect_hit(cast_capsule(lying, {1, 0, 0}, box), 2.5f, {-1, 0, 0});
  // Too short an interval.
  EXPECT_FALSE(is_hit(cast_capsule(agent({-4, 0, 0}), {1, 0, 0}, box, Inside::solid, 0, 2.25f)));
  EXPECT_FALSE(is_hit(cast_capsule(agent({-4, 0, 0}), {-1, 0, 0}, box)));
}
TEST(KnownSweeps, AnAgentAtACube) {
  expect_agent_at_cube(cube);
  expect_agent_at_cube(turned_cube);
}

/// An OBB as callers have it needs no frame of theirs.
TEST(KnownSweeps, ObbsAsGiven) {
  const Obb box{{0, 0, 0}, {1, 2, 1}, {0, 0, 0.25f, 1}};
  const Ray ray = ray_at({-5, 0.5f, 0}, {1, 0, 0});
  EXPECT_TRUE(same_bits(cast_sphere(ray, 1, box), cast_sphere(ray, 1, frame(box))));
  const Capsule agent{{-5, 0, 0}, {-5, 0, 1}, 0.5f};
  EXPECT_TRUE(same_bits(cast_capsule(agent, ray.direction, box),
                        cast_capsule(agent, ray.direction, frame(box))));
}

TEST(KnownSweeps, OnPlanes) {
  // A floor that faces up, and one whose normal is a hair too long: the plane is where it says.
  const Plane floor{{0, 0, 1}, 2};
  expect_hit(ball({0, 0, 10}, {1, 0, -1}, 1, floor), 7, {0, 0, 1});
  const Plane longer{{0, 0, 1.0625f}, 2.125f};
  expect_hit(ball({0, 0, 10}, {1, 0, -1}, 1, longer), 7, {0, 0, 1});
  expect_hit(cast_capsule({{0, 0, 10}, {3, 0, 6}, 1}, {0, 0, -1}, floor), 3, {0, 0, 1});
  EXPECT_TRUE(started_inside(ball({0, 0, 2.5f}, {1, 0, 1}, 1, floor)));
  EXPECT_FALSE(is_hit(ball({0, 0, next_up(3)}, {1, 0, 0}, 1, floor)));
  EXPECT_TRUE(is_hit(ball({0, 0, 3}, {1, 0, 0}, 1, floor)));
}

/// A segment without a radius: faces push it off, edges against the way it came.
TEST(KnownSweeps, AMovingSegment) {
  expect_hit(cast_capsule({{-4, 0, 0}, {-3, 0, 0.5f}, 0}, {1, 0, 0}, cube), 2, {-1, 0, 0});
  const float half = std::sqrt(0.5f);
  expect_hit(cast_capsule({{-4, 0, 0}, {-2, 0, 2}, 0}, {1, 0, 0}, cube), 2, {-half, 0, half});
  expect_hit(cast_capsule({{-4, -3, 0}, {-4, 3, 0}, 0}, {1, 0, 0}, cube), 3, {-1, 0, 0});
}

/// "A thick ray against a box is a ray against the box grown by the radius": near edges and corners
/// that says yes though the ball passes by.
TEST(WrongSweepRecipes, AGrownBoxHasCorners) {
  const Ray past_edge = ray_at({-5, 1.75f, 1.75f}, {1, 0, 0});
  EXPECT_TRUE(is_hit(cast(past_edge, Aabb{{-2, -2, -2}, {2, 2, 2}})));
  EXPECT_FALSE(is_hit(cast_sphere(past_edge, 1, cube)));
  const ObbFrame grown_obb = frame(Obb{{0, 0, 0}, {2, 2, 2}, {0, 0, 1, 1}});
  EXPECT_TRUE(is_hit(cast(past_edge, grown_obb)));
  EXPECT_FALSE(is_hit(cast_sphere(past_edge, 1, turned_cube)));
  // And where it does hit, too early: head on at a corner by 0.73 radii.
  const Ray at_corner = ray_at({-6, 6, -6}, {1, -1, 1});
  EXPECT_FLOAT_EQ(cast(at_corner, Aabb{{-2, -2, -2}, {2, 2, 2}}).t, 4);
  EXPECT_FLOAT_EQ(cast_sphere(at_corner, 1, cube).t, 5 - std::sqrt(1.0f / 3));
}

/// "Cast a sphere from the capsule's middle, or from its ends": what comes between them is missed.
TEST(WrongSweepRecipes, SpheresAtTheEndsOfACapsule) {
  const Capsule agent{{-5, 0, -3}, {-5, 0, 3}, 0.5f};
  const Aabb shelf{{-1, -1, 1}, {1, 1, 1.25f}};
  for (const Vec3& at : {agent.a, agent.b, Vec3{-5, 0, 0}})
    EXPECT_FALSE(is_hit(cast_sphere(ray_at(at, {1, 0, 0}), 0.5f, shelf)));
  expect_hit(cast_capsule(agent, {1, 0, 0}, shelf), 3.5f, {-1, 0, 0});
}

template <class Shape>
void expect_miss(const Hit& h, const Shape&, bool bad_ray) {
  EXPECT_EQ(h.flags, bad_ray ? hit_flags::bad_ray : 0);
  EXPECT_EQ(h.t, infinity);
  EXPECT_EQ(h.id, none);
  EXPECT_TRUE(h.normal.x == 0 && h.normal.y == 0 && h.normal.z == 0);
}
/// Each number of the shape in turn is not finite.
template <class Shape>
void expect_bad_shape_missed(const Shape& good) {
  const Ray ray = ray_at({0.1f, 0.2f, 5}, {0, 0.01f, -1});
  const Capsule agent{ray.origin, plus(ray.origin, {0, 0, 1}), 0.5f};
  EXPECT_TRUE(is_hit(cast_sphere(ray, 0.5f, good)));
  EXPECT_TRUE(is_hit(cast_capsule(agent, ray.direction, good)));
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), inf, -inf}) {
    for (std::size_t i = 0; i < sizeof(Shape) / sizeof(float); ++i) {
      Shape s = good;
      float numbers[sizeof(Shape) / sizeof(float)];
      std::memcpy(numbers, &good, sizeof(Shape));
      numbers[i] = bad;
      std::memcpy(&s, numbers, sizeof(Shape));
      expect_miss(cast_sphere(ray, 0.5f, s), s, false);
      expect_miss(cast_capsule(agent, ray.direction, s), s, false);
    }
  }
}
TEST(BadSweeps, ShapesThatAreNotFiniteAreMissed) {
  expect_bad_shape_missed(cube);
  expect_bad_shape_missed(turned_cube);
  expect_bad_shape_missed(Sphere{{0, 0, 0}, 1});
  expect_bad_shape_missed(Capsule{{0, 0, 0}, {0, 1, 0}, 1});
  expect_bad_shape_missed(Plane{{0, 0, 1}, 0});
}
TEST(BadSweeps, BadMoversMakeBadRays) {
  constexpr float inf = infinity, nan = std::numeric_limits<float>::quiet_NaN();
  const Ray ray = ray_at({0, 0, 5}, {0, 0, -1});
  for (const float radius : {-1.0f, -0x1p-149f, inf, nan, next_up(domain_limit)}) {
    expect_miss(cast_sphere(ray, radius, cube), cube, true);
    expect_miss(cast_capsule({{0, 0, 5}, {0, 0, 6}, radius}, {0, 0, -1}, cube), cube, true);
  }
  for (const float bad : {inf, -inf, nan, next_up(domain_limit)}) {
    expect_miss(cast_capsule({{0, 0, bad}, {0, 0, 6}, 1}, {0, 0, -1}, cube), cube, true);
    expect_miss(cast_capsule({{0, 0, 5}, {bad, 0, 6}, 1}, {0, 0, -1}, cube), cube, true);
    if (abs(bad) <= largest_float) continue;
    expect_miss(cast_capsule({{0, 0, 5}, {0, 0, 6}, 1}, {0, bad, -1}, cube), cube, true);
  }
  EXPECT_TRUE(is_hit(cast_sphere(ray, domain_limit, cube)));
}

/// A grain against a hall of 5000, 1e6 from the origin: what is asked of the stored floats is
/// answered as it is near by.
TEST(KnownSweeps, UnlikeSizesFarOff) {
  constexpr float m = 1e6f;
  const Aabb hall{{m, m, m}, {m + 5000, m + 5000, m + 1}};
  const ObbFrame slab_there =
      frame(Obb{{m + 2500, m + 2500, m + 0.5f}, {2500, 2500, 0.5f}, Quat{}});
  const Vec3 over{m - 8, m + 7, m + 1.0625f};
  const auto expect = [&](const auto& s, float t) {
    expect_hit(ball(over, {1, 0, 0}, 0.0625f, s), t, {0, 0, 1});
    EXPECT_FALSE(is_hit(ball(over, {1, 0, 0}, next_down(0.0625f), s)));
    expect_hit(ball({m + 7, m + 7, m + 9}, {0, 0, -1}, 0.0625f, s), 7.9375f, {0, 0, 1});
    const Capsule rod{over, plus(over, {-4, 0, 8}), 0.0625f};
    expect_hit(cast_capsule(rod, {1, 0, 0}, s), t, {0, 0, 1});
    EXPECT_FALSE(is_hit(cast_capsule({rod.a, rod.b, next_down(0.0625f)}, {1, 0, 0}, s)));
  };
  expect(hall, 8);
  expect(slab_there, 8);
  const Plane ground{{0, 0, 1}, m + 1};
  EXPECT_TRUE(is_hit(ball(over, {1, 0, 0}, 0.0625f, ground)));
  EXPECT_FALSE(is_hit(ball(over, {1, 0, 0}, next_down(0.0625f), ground)));
}

}  // namespace
}  // namespace sightline::testing
