// Cylinders in scenes: which are refused, how rays are answered on every backend, and which queries
// refuse them.
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"

#include <sightline/cover.hpp>
#include <sightline/nav.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::testing {
namespace {

class Cylinders : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, Cylinders, ::testing::ValuesIn(every_backend), name_of_backend);

TEST(CylindersInScenes, BadOnesAreRefused) {
  const auto refused = [](const Cylinder& bad, const char* why) {
    Scene scene;
    expect_error(ErrorKind::bad_input, {"cylinder 0 is refused: ", why},
                 [&] { scene.add_cylinder(bad); });
    EXPECT_EQ(scene.size(), 0u);
  };
  refused({{1, 2, 3}, {1, 2, 3}, 1}, "both ends are the same point");
  refused({{0, 0, 0}, {-0.0f, 0, -0.0f}, 1}, "both ends are the same point");
  refused({{0, 0, 0}, {0, 0, 1}, -1}, "the radius is negative");
  refused({{0, 0, 0}, {0, 0, 1}, NAN}, "a value is NaN or infinite");
  refused({{0, infinity, 0}, {0, 0, 1}, 1}, "a value is NaN or infinite");
  refused({{0, 0, 0}, {0, 0, 0x1p41f}, 1}, "a value is larger than 2^40 in size");
  Scene scene;
  EXPECT_EQ(scene.add_cylinder({{0, 0, 0}, {0, 0, 0x1p-149f}, 0}), 0u);
  const std::vector<float> x = {0, 2}, radius = {1, 2};
  EXPECT_EQ(scene.add_cylinders(2, {x, 0.0f, 0.0f}, {x, 0.0f, 3.0f}, radius), 1u);
  EXPECT_EQ(scene.cylinder(2).b, (Vec3{2, 0, 3}));
  expect_error(ErrorKind::bad_input, {"cylinder 1 is refused"}, [&] {
    scene.set(1, Cylinder{{1, 1, 1}, {1, 1, 1}, 1});
  });
  EXPECT_EQ(scene.cylinder(1).radius, 1.0f);
}

TEST_P(Cylinders, ComeBeforeTrianglesAndHaveFlatEnds) {
  Scene scene;
  scene.add_triangle({{8, -1, 0}, {8, 1, 0}, {8, 0, 2}});
  scene.add_plane({{0, 0, 1}, -5});
  scene.add_cylinder({{2, 0, 0}, {2, 0, 1}, 1});
  EXPECT_EQ(scene.id(Kind::cylinder, 0), 0u);
  EXPECT_EQ(scene.id(Kind::triangle, 0), 1u);
  const Caster c = caster(scene);
  const Hit side = c.closest_hit(Ray{{0, 0, 0.5f}, {1, 0, 0}});
  EXPECT_TRUE(side.id == 0 && side.t == 1 && side.normal.x == -1);
  const Hit above = c.closest_hit(Ray{{0, 0, 1.25f}, {1, 0, 0}});
  EXPECT_TRUE(above.id == 1 && above.t == 8);
  const Hit top = c.closest_hit(Ray{{2.5f, 0, 3}, {0, 0, -1}});
  EXPECT_TRUE(top.id == 0 && top.t == 2 && top.normal.z == 1);
  const std::vector<Ray> rays = {{{2.5f, 0, 3}, {0, 0, -1}}, {{0, 0, 0.5f}, {1, 0, 0}}};
  const HitRows rows = c.all_hits(rows_of(rays));
  EXPECT_EQ(rows.id, (std::vector<std::uint32_t>{0, 2, 0, 1}));
  EXPECT_EQ(rows.t, (std::vector<float>{2, 8, 1, 8}));
}

// Each kind of query that knows no cylinders says so.
TEST_P(Cylinders, AreRefusedByName) {
  Scene scene, queries;
  scene.add_sphere({{0, 0, 0}, 1});
  scene.add_cylinder({{0, 0, 0}, {1, 0, 0}, 1});
  queries.add_sphere({{0, 0, 0}, 1});
  const Caster c = caster(scene);
  const auto expect = [](const char* query, const auto& ask) {
    expect_error(ErrorKind::usage,
                 {query, " take no cylinders yet, and the scene has 1: remove them"}, ask);
  };
  std::uint64_t word = 0;
  const std::span<std::uint64_t> bits(&word, 1);
  const std::vector<Vec3> one(1);
  expect("overlaps", [&] { c.overlap_any(queries, bits); });
  expect("nearest shapes", [&] { c.nearest(PointsView{one}); });
  expect("clearances", [&] { c.clearance(PointsView{one}, PointsView{one}); });
  expect("sweeps", [&] { c.sweep(queries, one); });
  const RaysView thick = {.origin = one, .direction = one, .radius = 0.5f};
  expect("thick rays", [&] { c.closest_hit(thick); });
  expect("bakes of cover", [&] { cover(c, PointsView{one}); });
  expect("navigation maps", [&] { bake_nav(c); });
  expect_error(ErrorKind::usage, {"cylinders cannot be overlap queries yet"},
               [&] { caster(queries).overlap_any(scene, bits); });
  expect_error(ErrorKind::usage, {"only spheres and capsules can move"},
               [&] { caster(queries).sweep(scene, std::vector<Vec3>(2)); });
}

}  // namespace
}  // namespace sightline::testing
