// Scene::set_*: shapes move, and keep their ids and attributes.
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rigid_motion.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

namespace sightline::testing {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Two of each kind, with attributes on some.
Scene two_of_each() {
  Scene s;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const auto x = static_cast<float>(10 * i);
    const Attributes a{i + 1, i + 2, i + 3};
    s.add_aabb({{x, 0, 0}, {x + 1, 1, 1}}, a);
    s.add_obb({{x, 0, 0}, {1, 2, 3}, {}}, a);
    s.add_sphere({{x, 0, 0}, 1}, a);
    s.add_capsule({{x, 0, 0}, {x, 5, 0}, 1}, a);
    s.add_plane({{0, 0, 1}, x}, a);
  }
  return s;
}

template <class T>
bool same_column(const T* a, const T* b, std::uint32_t n) {
  return (a == nullptr) == (b == nullptr) &&
         (a == nullptr || std::memcmp(a, b, n * sizeof(T)) == 0);
}

/// Whether the arithmetic sees the same scene, to the byte.
bool same_scene(const Scene& a, const Scene& b) {
  const ShapesView u = a.view(), v = b.view();
  if (std::memcmp(u.begin, v.begin, sizeof u.begin) != 0) return false;
  const auto n = [&](Kind kind) { return a.count(kind); };
  bool same = same_column(u.bounds, v.bounds, u.bounded()) &&
              same_column(u.mask, v.mask, u.size()) && same_column(u.group, v.group, u.size());
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    ShapeTraits<S>::fields([&](const char*, const auto* x,
                               const auto* y) { same = same && same_column(x, y, n(kind_for<S>)); },
                           u.of<S>(), v.of<S>());
  });
  for (std::uint32_t id = 0; same && id < u.size(); ++id) {
    same = a.attributes(id).label == b.attributes(id).label;
  }
  for (std::uint32_t i = 0; same && i < n(Kind::obb); ++i) {
    const Quat p = a.obb(i).rotation, q = b.obb(i).rotation;
    same = std::memcmp(&p, &q, sizeof p) == 0;
  }
  return same;
}

/// The call throws an error of this kind with these words, and the scene stays as it is.
void expect_refused(Scene& scene, const std::function<void()>& call, ErrorKind kind,
                    const std::string& words) {
  const Scene before = scene;
  expect_error(kind, {words}, call);
  EXPECT_TRUE(same_scene(scene, before)) << words;
}

TEST(SceneSet, AMovedSceneIsTheSceneThatWasAddedThere) {
  Scene moved = two_of_each(), added;
  moved.view();  // what is derived must be derived anew
  const Quat turned{0, 0.6f, 0, 0.8f};
  const Aabb box{{-1, -2, -3}, {4, 5, 6}};
  const Obb obb{{7, 8, 9}, {0.5f, 0.25f, 0}, turned};
  const Sphere sphere{{-5, 5, -5}, 0};
  const Capsule capsule{{1, 1, 1}, {1, 1, 1}, 2};
  const Plane plane{{0, 1, 0}, -3};
  moved.set<Aabb>(1, box);
  moved.set<Obb>(1, obb);
  moved.set<Sphere>(1, sphere);
  moved.set<Capsule>(1, capsule);
  moved.set<Plane>(1, plane);

  const Scene two = two_of_each();
  const Attributes first{1, 2, 3}, second{2, 3, 4};
  added.add_aabb(two.aabb(0), first), added.add_aabb(box, second);
  added.add_obb(two.obb(0), first), added.add_obb(obb, second);
  added.add_sphere(two.sphere(0), first), added.add_sphere(sphere, second);
  added.add_capsule(two.capsule(0), first), added.add_capsule(capsule, second);
  added.add_plane(two.plane(0), first), added.add_plane(plane, second);
  EXPECT_TRUE(same_scene(moved, added));
  EXPECT_FALSE(same_scene(moved, two));
  EXPECT_EQ(moved.bounds().min.x, added.bounds().min.x);
}

TEST(SceneSet, BatchesTakeColumnsInAnyLayout) {
  Scene one_by_one = two_of_each(), batch = two_of_each();
  const Vec3 a[] = {{1, 2, 3}, {-1, -2, -3}}, b[] = {{4, 5, 6}, {1, 2, 3}},
             c[] = {{1, 0, 2}, {3, 3, 3}};
  const float radius[] = {0.5f, 7};
  const Column<float> x = 0.6f, y = 0.0f, z = 0.0f, w = 0.8f;
  const auto of = [](const auto&... columns) { return detail::numbers_in(columns...); };
  const Vec3Column at_a = a, at_b = b, at_c = c;
  const Column<float> radii = radius;
  batch.set(Kind::aabb, 0, 2, of(at_a, at_b));
  batch.set(Kind::obb, 0, 2, of(at_a, at_c, x, y, z, w));
  batch.set(Kind::sphere, 0, 2, of(at_a, radii));
  batch.set(Kind::capsule, 0, 2, of(at_a, at_b, radii));
  const Column<float> first = std::span(radius).first(1);
  batch.set(Kind::plane, 1, 1, of(Vec3Column(Vec3{0, 0, 1}), first));
  for (std::uint32_t i = 0; i < 2; ++i) {
    one_by_one.set<Aabb>(i, {a[i], b[i]});
    one_by_one.set<Obb>(i, {a[i], c[i], {0.6f, 0, 0, 0.8f}});
    one_by_one.set<Sphere>(i, {a[i], radius[i]});
    one_by_one.set<Capsule>(i, {a[i], b[i], radius[i]});
  }
  one_by_one.set<Plane>(1, {{0, 0, 1}, radius[0]});
  EXPECT_TRUE(same_scene(batch, one_by_one));
}

TEST(SceneSet, BadShapesAreRefusedByNameAndNothingMoves) {
  Scene s = two_of_each();
  const ErrorKind bad = ErrorKind::bad_input;
  expect_refused(
      s,
      [&] {
        s.set<Aabb>(1, {{1, 0, 0}, {0, 1, 1}});
      },
      bad, "aabb 1 is refused: min is greater than max");
  expect_refused(
      s,
      [&] {
        s.set<Obb>(0, {{}, {1, -1, 1}, {}});
      },
      bad, "obb 0 is refused");
  expect_refused(
      s,
      [&] {
        s.set<Sphere>(1, {{nan, 0, 0}, 1});
      },
      bad, "sphere 1 is refused");
  expect_refused(
      s,
      [&] {
        s.set<Capsule>(0, {{}, {}, -1});
      },
      bad, "capsule 0 is refused");
  expect_refused(
      s,
      [&] {
        s.set<Plane>(1, {{0, 0, 2}, 1});
      },
      bad, "plane 1 is refused");
  // One bad shape refuses the batch.
  const Vec3 centers[] = {{9, 9, 9}, {8, 8, 8}};
  const float radii[] = {3, -3};
  expect_refused(
      s,
      [&] {
        s.set(Kind::sphere, 0, 2, detail::numbers_in(Vec3Column(centers), Column<float>(radii)));
      },
      bad, "sphere 1 is refused: the radius is negative");
}

TEST(SceneSet, PastTheEndIsNoShape) {
  Scene s = two_of_each();
  const ErrorKind usage = ErrorKind::usage;
  const auto spheres = detail::numbers_in(Vec3Column(Vec3{}), Column<float>(0.0f));
  const auto boxes = detail::numbers_in(Vec3Column(Vec3{}), Vec3Column(Vec3{}));
  expect_refused(
      s,
      [&] {
        s.set<Sphere>(2, {{}, 1});
      },
      usage, "there is no sphere 2: the scene has 2");
  expect_refused(
      s,
      [&] {
        s.set<Plane>(0xFFFFFFFFu, {{0, 0, 1}, 1});
      },
      usage, "no plane 4294967295");
  expect_refused(
      s, [&] { s.set(Kind::sphere, 1, 2, spheres); }, usage, "no sphere 2");
  expect_refused(
      s, [&] { s.set(Kind::sphere, 1, ~std::uint64_t{0}, spheres); }, usage, "no sphere 2");
  expect_refused(
      s, [&] { s.set(Kind::aabb, 3, 0, boxes); }, usage, "no aabb 3");
  const Scene before = s;
  s.set(Kind::sphere, 2, 0, spheres);
  EXPECT_TRUE(same_scene(s, before));
  Scene empty;
  expect_refused(
      empty, [&] { empty.set<Obb>(0, {}); }, usage, "no obb 0: the scene has 0");
}

TEST(SceneSet, MovingAllAndBackGivesTheSameScene) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Scene before = make_scene(every_family[seed % 4], 200, seed);
    Scene scene = before;
    move_shapes(scene, seed, 10);
    EXPECT_FALSE(same_scene(scene, before)) << "seed " << seed;
    for (std::uint32_t i = 0; i < before.count(Kind::aabb); ++i) scene.set<Aabb>(i, before.aabb(i));
    for (std::uint32_t i = 0; i < before.count(Kind::obb); ++i) scene.set<Obb>(i, before.obb(i));
    for (std::uint32_t i = 0; i < before.count(Kind::sphere); ++i) {
      scene.set<Sphere>(i, before.sphere(i));
    }
    for (std::uint32_t i = 0; i < before.count(Kind::capsule); ++i) {
      scene.set<Capsule>(i, before.capsule(i));
    }
    for (std::uint32_t i = 0; i < before.count(Kind::plane); ++i) {
      scene.set<Plane>(i, before.plane(i));
    }
    EXPECT_TRUE(same_scene(scene, before)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline::testing
