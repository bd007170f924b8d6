// What a pair of braces may leave out: either the rest is as the struct has it, or the call does
// not compile.
#include "tests/support/refusal.hpp"

#include <sightline/sightline.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace sightline::testing {
namespace {

// A box from {0, 0, 0} used to be a point, and {1, 1, 1} its attributes.
template <class S>
concept TakesForgottenBraces = requires(S scene) {
  scene.add_aabb({0, 0, 0}, {1, 1, 1});
}
|| requires(S scene) { scene.add_obb({0, 0, 0}, {1, 1, 1}); }
|| requires(S scene) { scene.add_sphere({0, 0, 0}, {1}); }
|| requires(S scene) { scene.add_sphere({0, 0, 0}, 1); }
|| requires(S scene) { scene.add_capsule({0, 0, 0}, {1, 1, 1}); }
|| requires(S scene) { scene.add_plane({0, 0, 1}, {5}); }
|| requires(S scene) { scene.add_plane({0, 0, 1}, 5); };
static_assert(!TakesForgottenBraces<Scene>);
template <class S>
concept TakesBraces = requires(S scene) {
  scene.add_aabb({{0, 0, 0}, {1, 1, 1}}, {.mask = 3});
  scene.add_obb({{0, 0, 0}, {1, 1, 1}, {}}, {.group = 3});
  scene.add_sphere({{0, 0, 0}, 1}, {3});
  scene.add_capsule({{0, 0, 0}, {1, 1, 1}, 1}, {});
  scene.add_plane({{0, 0, 1}, 5}, {.label = 3});
};
static_assert(TakesBraces<Scene>);

template <class S>
concept TakesForgottenBracesOfCircles = requires(S scene) {
  scene.add_circle({0, 0}, 1);
}
|| requires(S scene) { scene.add_circle({0, 0}, 1.5f); };
static_assert(!TakesForgottenBracesOfCircles<FlatScene>);
template <class S>
concept TakesBracesOfCircles = requires(S scene) {
  scene.add_circle({{0, 0}, 1}, 2);
};
static_assert(TakesBracesOfCircles<FlatScene>);

// Empty braces would be options or arrays. They used to be arrays, of which none was wanted.
template <class C>
concept TakesEmptyBraces = requires(const C c, RaysView rays) {
  c.closest_hit(rays, {});
}
|| requires(const C c, RaysView rays) { c.any_hit(rays, {}); }
|| requires(const C c, RaysView rays) { c.count_hits(rays, {}); }
|| requires(const C c, PointsView points) { c.nearest(points, {}); }
|| requires(const C c, PointsView points) { c.visibility(points, {}); };
static_assert(!TakesEmptyBraces<Caster>);

TEST(Braces, OfOneIdLeaveTheSecondNone) {
  Scene scene;
  scene.add_sphere({{5, 0, 0}, 1});
  scene.add_sphere({{9, 0, 0}, 1}, {.group = 4});
  const Caster c(scene, CpuOptions{1});
  const Ray ray{.direction = {1, 0, 0}, .exclude = {1}, .exclude_group = {4}};
  EXPECT_EQ(ray.exclude[1], none);
  EXPECT_EQ(ray.exclude_group[1], none);
  EXPECT_EQ(c.closest_hit(ray).id, 0u);
  const RaysView view{.origin = Vec3{}, .direction = Vec3{1, 0, 0}, .exclude = {1u}};
  EXPECT_EQ(c.closest_hit(view).id[0], 0u);
  EXPECT_EQ(c.closest_hit(Ray{.direction = {1, 0, 0}, .exclude = {1, 0}}).id, none);
  // The layout of two arrays.
  static_assert(offsetof(Ray, exclude) == 36 && sizeof(ray.exclude) == 8 && sizeof(Ray) == 52);
}

// {origin, direction} of two vectors is one ray, with options or without.
TEST(Braces, OfTwoVectorsAreARay) {
  Scene scene;
  scene.add_sphere({{5, 0, 0}, 1});
  const Caster c(scene, CpuOptions{1});
  EXPECT_EQ(c.closest_hit({{0, 0, 0}, {1, 0, 0}}).t, 4.0f);
  EXPECT_EQ(c.closest_hit({{0, 0, 0}, {1, 0, 0}}, {}).t, 4.0f);
  EXPECT_EQ(c.closest_hit({{5, 0, 0}, {1, 0, 0}}, {Inside::surface}).t, 1.0f);
  EXPECT_TRUE(c.any_hit({{0, 0, 0}, {1, 0, 0}}));
}

}  // namespace
}  // namespace sightline::testing
