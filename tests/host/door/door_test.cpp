// The door: what it refuses, what it reports.
#include <sightline/caster.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::testing {
namespace {

class Door : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, Door, ::testing::ValuesIn(every_backend), name_of_backend);

Scene one_sphere() {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  return scene;
}

TEST(Backends, CudaIsRefusedInOneSentenceWhereThereIsNone) {
  const Caster automatic(one_sphere());
  if (automatic.backend() == Backend::cuda) GTEST_SKIP() << "there is a device";
  EXPECT_EQ(automatic.backend(), Backend::cpu);
  expect_error(ErrorKind::device, {}, [] { Caster(one_sphere(), CudaOptions{}); });
}

TEST(Backends, SayWhoTheyAre) {
  const Caster reference(one_sphere(), ReferenceOptions{}), cpu(one_sphere(), CpuOptions{3});
  EXPECT_EQ(reference.backend(), Backend::reference);
  EXPECT_NE(reference.description().find("1 thread"), std::string::npos);
  EXPECT_NE(cpu.description().find("3 threads"), std::string::npos);
  EXPECT_GE(reference.memory_bytes(), sizeof(Sphere) + sizeof(Aabb));
  expect_error(ErrorKind::usage, {}, [] { Caster(one_sphere(), CpuOptions{-1}); });
}

TEST(Backends, KeepBoundsOnlyWhereTheyAreLookedUp) {
  const std::uint64_t node = 224, bounds = sizeof(Aabb);
  const std::uint64_t reference = Caster(one_sphere(), ReferenceOptions{}).memory_bytes();
  Scene seen = one_sphere();
  seen.view();  // makes bounds, which the caster drops
  Caster cpu(std::move(seen), CpuOptions{});
  EXPECT_EQ(cpu.memory_bytes(), reference - bounds + node);
  EXPECT_EQ(cpu.scene().bounds().max.x, cpu.scene().view().bounds[0].max.x);
  EXPECT_EQ(cpu.memory_bytes(), reference + node) << "the view's bounds are kept";
  for (const Update how : {Update::refit, Update::rebuild, Update::automatic}) {
    Scene again = one_sphere();
    again.view();
    cpu.update(std::move(again), how);
    EXPECT_EQ(cpu.memory_bytes(), reference - bounds + node);
  }
}

TEST_P(Door, CountsHitsAndBadRays) {
  const Caster c = caster(one_sphere());
  std::vector<Ray> rays(200);
  for (Ray& r : rays) r.origin = {-5, 0, 0}, r.direction = {1, 0, 0};
  rays[3].direction = {0, 1, 0};
  rays[150].t_min = -1;
  rays[77].origin.x = std::nanf("");
  rays[78].t_min = -1;  // in the same word of bits as the first
  Answers a(rays.size());
  const CastReport closest = c.closest_hit(rows_of(rays), a.view());
  const CastReport any = c.any_hit(rows_of(rays), a.blocked);
  for (const CastReport& report : {closest, any}) {
    EXPECT_EQ(report.rays, 200u);
    EXPECT_EQ(report.hits, 196u);
    EXPECT_EQ(report.bad_rays, 3u);
    EXPECT_EQ(report.first_bad_ray, 77u);
  }
  EXPECT_TRUE(any_is_closest(a));
  EXPECT_EQ(a.flags[77], hit_flags::bad_ray);
  EXPECT_EQ(a.t[77], infinity);
  EXPECT_EQ(a.id[77], none);
  EXPECT_EQ(a.normal[77].x, 0);
}

TEST_P(Door, StrictNamesTheFirstBadRayAndWritesNothing) {
  const Caster c = caster(one_sphere());
  std::vector<Ray> rays(200);
  rays[150].t_min = -1;
  rays[77].origin.x = std::nanf("");
  Answers a(rays.size());
  const CastOptions strict{Inside::solid, true};
  const auto closest = [&] { c.closest_hit(rows_of(rays), a.view(), strict); };
  expect_error(ErrorKind::bad_input, {"ray 77 ", "origin"}, closest);
  expect_error(ErrorKind::bad_input, {"ray 77 ", "origin"},
               [&] { c.any_hit(rows_of(rays), a.blocked, strict); });
  EXPECT_EQ(a.flags[0], 0xFF);
  rays[77].origin.x = 0;
  expect_error(ErrorKind::bad_input, {"ray 150 "}, closest);
  rays[150].t_min = 0;
  EXPECT_EQ(c.closest_hit(rows_of(rays), a.view(), strict).bad_rays, 0u);
  rays[0].t_min = -1;
  expect_error(ErrorKind::bad_input, {"ray 0 "}, closest);
}

TEST_P(Door, AmongEqualsTheLowestIdIsTheAnswer) {
  Scene scene;
  for (int i = 0; i < 9; ++i) scene.add_aabb({{1, -1, -1}, {2 + static_cast<float>(i % 3), 1, 1}});
  for (int i = 0; i < 9; ++i) scene.add_sphere({{2, 0, 0}, 1});
  const Caster c = caster(std::move(scene));
  std::vector<Ray> rays(3);
  for (Ray& r : rays) r.direction = {1, 0, 0};
  rays[1].exclude[0] = 0, rays[1].exclude[1] = 1;
  rays[2].origin = {1.5f, 0, 0};  // inside them all
  const Answers a = answers_of(c, rows_of(rays), Inside::solid);
  EXPECT_EQ(a.id, (std::vector<std::uint32_t>{0, 2, 0}));
  EXPECT_EQ(a.t, (std::vector<float>{1, 1, 0}));
}

TEST_P(Door, ColumnsMayBeLeftOutOrCommon) {
  const Caster c = caster(one_sphere());
  const std::vector<Vec3> origin(70, Vec3{-5, 0, 0});
  RaysView rays;
  rays.count = origin.size();
  rays.origin = Vec3Column::rows(origin);
  rays.direction = Vec3{1, 0, 0};
  std::vector<float> t(70);
  EXPECT_EQ(c.closest_hit(rays, {.t = t}).hits, 70u);
  EXPECT_EQ(t, std::vector<float>(70, 4.0f));
  rays.t_max.common = 3.0f;
  EXPECT_EQ(c.closest_hit(rays, HitArrays{}).hits, 0u);
}

TEST_P(Door, NoRaysAndNoShapes) {
  const Caster c = caster(Scene{});
  EXPECT_EQ(c.closest_hit(RaysView{}, HitArrays{}).rays, 0u);
  EXPECT_EQ(c.any_hit(RaysView{}, std::span<std::uint64_t>()).rays, 0u);
  const std::vector<Ray> rays = random_rays(c.scene(), 100, 1);
  const Answers a = answers_of(c, rows_of(rays), Inside::solid);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    EXPECT_EQ(a.t[i], infinity);
    EXPECT_EQ(a.flags[i] & ~hit_flags::bad_ray, 0);
  }
  EXPECT_EQ(a.blocked, std::vector<std::uint64_t>(2, 0));
}

TEST_P(Door, ChunkedCallsEqualTheWhole) {
  const Caster c = caster(make_scene(SceneFamily::random, 50, 4));
  const std::vector<Ray> rays = random_rays(c.scene(), 1000, 5);
  const Answers whole = answers_of(c, rows_of(rays), Inside::solid);
  Answers parts(rays.size());
  for (std::uint64_t first = 0; first < 1000; first += 192) {
    const RaysView slice = rows_of(rays).slice(first, std::min<std::uint64_t>(192, 1000 - first));
    const auto part = [&](auto& all) { return std::span(all).subspan(first, slice.count); };
    c.closest_hit(slice, {part(parts.t), part(parts.id), part(parts.flags), part(parts.normal)});
    c.any_hit(slice, std::span(parts.blocked).subspan(first / 64, (slice.count + 63) / 64));
  }
  EXPECT_EQ(first_difference(whole, parts), 1000u);
}

TEST_P(Door, SizesMustMatch) {
  const Caster c = caster(one_sphere());
  std::vector<Ray> rays(130);
  std::vector<std::uint64_t> bits(9);
  PointsView points;
  points.count = 3;
  const auto usage = [&](auto&& f) { expect_error(ErrorKind::usage, {}, f); };
  const std::span<std::uint64_t> all(bits);
  usage([&] { c.any_hit(rows_of(rays), all.first(2)); });
  usage([&] { c.any_hit(rows_of(rays), all.first(4)); });
  usage([&] { c.visibility(points, points, all.first(2)); });
  usage([&] { c.visibility(points, all.first(4)); });
  usage([&] { c.visibility_pairs(points, points, all.first(2)); });
  PointsView two = points;
  two.count = 2;
  usage([&] { c.visibility_pairs(points, two, all.first(1)); });
}

TEST_P(Door, OptionsMustMakeSense) {
  const Caster c = caster(one_sphere());
  std::vector<std::uint64_t> bits(1);
  PointsView point;
  point.count = 1;
  point.position = Vec3{0, 0, 0};
  const float nan = std::nanf("");
  for (const VisibilityOptions& o : {VisibilityOptions{-1, 0, Inside::solid},
                                     {nan, 0, Inside::solid},
                                     {1, -0x1p-149f, Inside::solid},
                                     {1, 0.5f, Inside::solid},
                                     {1, nan, Inside::solid}}) {
    expect_error(ErrorKind::usage, {}, [&] { c.visibility(point, point, bits, o); });
    expect_error(ErrorKind::usage, {}, [&] { c.visibility(point, bits, o); });
    expect_error(ErrorKind::usage, {}, [&] { c.visibility_pairs(point, point, bits, o); });
  }
  c.visibility(point, bits, {0, 0.49999997f, Inside::solid});
}

}  // namespace
}  // namespace sightline::testing
