// Objects that have been moved from: casters refuse every call, all others are empty.
#include "tests/support/backends.hpp"
#include "tests/support/refusal.hpp"

#include <sightline/geometry/flat/flat_shapes_view.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/sightline.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

template <class F>
void expect_empty(const F& f) {
  expect_error(ErrorKind::usage, {"it has been moved from"}, f);
}

class MovedFromCaster : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Everywhere, MovedFromCaster, ::testing::ValuesIn(every_backend),
                         name_of_backend);

TEST_P(MovedFromCaster, Refuses) {
  Caster c = caster(Scene());
  std::vector<Vec3> origins(9), directions = origins;
  std::vector<std::uint32_t> id(9);
  std::vector<std::uint64_t> words(9);
  const RaysView rays{origins, directions};
  RaysView thick = rays;
  thick.radius = 1.0f;
  const PointsView points{origins};
  const Caster taken = std::move(c);
  const Scene balls;
  expect_empty([&] { c.scene(); });
  expect_empty([&] { c.backend(); });
  expect_empty([&] { c.description(); });
  expect_empty([&] { c.memory_bytes(); });
  expect_empty([&] { c.closest_hit(Ray{}); });
  expect_empty([&] { c.any_hit(Ray{}); });
  expect_empty([&] { c.closest_hit(rays); });
  expect_empty([&] { c.any_hit(rays, words); });
  expect_empty([&] { c.closest_hit(thick); });
  expect_empty([&] { c.any_hit(thick); });
  expect_empty([&] { c.count_hits(rays, id); });
  expect_empty([&] { c.all_hits(rays); });
  expect_empty([&] { c.sweep(balls, {}); });
  // Before there is memory for answers.
  const float zero = 0;
  const std::uint64_t most = std::uint64_t{1} << 62;
  const Column<float> common(&zero, most, 0);
  const RaysView too_many{{common, common, common}, {common, common, common}};
  const PointsView too_far(too_many.origin);
  expect_empty([&] { c.closest_hit(too_many); });
  expect_empty([&] { c.any_hit(too_many); });
  expect_empty([&] { c.count_hits(too_many); });
  expect_empty([&] { c.visibility(too_far); });
  expect_empty([&] { c.visibility(too_far, too_far); });
  expect_empty([&] { c.visibility(too_far, FieldsView{}, too_far); });
  expect_empty([&] { c.visibility_pairs(too_far, too_far); });
  expect_empty([&] { c.nearest(too_far.slice(0, most / 8)); });
  expect_empty([&] { c.clearance(too_far.slice(0, most / 8), too_far.slice(0, most / 8)); });
  expect_empty([&] { exposure(c, too_far, {}, too_far); });
  expect_empty([&] { probe_distances(c, too_far, 1); });
  expect_empty([&] { cover(c, too_far); });
  expect_empty([&] { area_counts(c, {}); });
  expect_empty([&] { area_classes(c, {}); });
  expect_empty([&] { c.visibility(points, words); });
  expect_empty([&] { c.visibility(points, points, words); });
  expect_empty([&] { c.visibility(points, FieldsView{}, points, words); });
  expect_empty([&] { c.visibility_pairs(points, points, words); });
  expect_empty([&] { c.overlap_any(balls, words); });
  expect_empty([&] { c.overlap_count(balls, id); });
  expect_empty([&] { c.overlap_all(balls); });
  expect_empty([&] { c.nearest(points); });
  expect_empty([&] { c.winding(points); });
  expect_empty([&] { c.clearance(points, points); });
  expect_empty([&] { c.closest_hit_on_device(rays, {}, nullptr); });
  expect_empty([&] { c.any_hit_on_device(rays, words, nullptr); });
  expect_empty([&] { c.update(Scene()); });
  expect_empty([&] { bake_nav(c); });
  c = caster(Scene());
  EXPECT_EQ(c.closest_hit(Ray{}).id, none);
}

TEST(MovedFrom, ScenesAreEmpty) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1}, {.mask = 3});
  const Scene taken = std::move(scene);
  EXPECT_EQ(scene.size(), 0u);
  EXPECT_EQ(scene.count(Kind::sphere), 0u);
  EXPECT_FALSE(scene.has_masks(Kind::sphere));
  EXPECT_EQ(scene.view().size(), 0u);
  EXPECT_GT(scene.bounds().min.x, scene.bounds().max.x);
  EXPECT_EQ(Scene(scene).size(), 0u);
  EXPECT_THROW(scene.sphere(0), Error);
  EXPECT_THROW(scene.set<Sphere>(0, {}), Error);
  EXPECT_THROW(scene.attributes(0), Error);
  EXPECT_EQ(Caster(scene, CpuOptions{}).closest_hit(Ray{.direction = {1, 0, 0}}).id, none);
  EXPECT_EQ(scene.add_aabb({{0, 0, 0}, {1, 1, 1}}), 0u);
  EXPECT_EQ(scene.size(), 1u);

  FlatScene flat;
  flat.add_circle({{0, 0}, 1}, 2);
  const float corners[] = {0, 0};
  flat.add_polygon(std::span(reinterpret_cast<const Vec2*>(corners), 1));
  const FlatScene taken_flat = std::move(flat);
  EXPECT_EQ(flat.size(), 0u);
  EXPECT_EQ(flat.view().size(), 0u);
  EXPECT_FALSE(flat.has_masks(FlatKind::circle));
  EXPECT_THROW(flat.mask(FlatKind::circle, 0), Error);
  EXPECT_EQ(flat.add_circle({{0, 0}, 1}), 0u);
}

// What the README's example does, gone on with.
TEST(MovedFrom, ASceneThatBecameACastersAndIsUsedOn) {
  Scene scene;
  scene.add_sphere({{8, 0, 1}, 1});
  Caster caster(std::move(scene), CpuOptions{});
  EXPECT_THROW(scene.set(0, std::vector<Sphere>{{{9, 0, 1}, 1}}), Error);
  caster.update(scene);
  EXPECT_EQ(caster.scene().size(), 0u);
}

TEST(MovedFrom, FlatCastersRefuse) {
  FlatCaster c{FlatScene(), CpuOptions{}};
  const FlatCaster taken = std::move(c);
  expect_empty([&] { c.scene(); });
  expect_empty([&] { c.backend(); });
  expect_empty([&] { c.description(); });
  expect_empty([&] { c.memory_bytes(); });
  const float zero = 0;
  const Column<float> common(&zero, std::uint64_t{1} << 62, 0);
  const CirclesView too_many{{common, common}, common};
  expect_empty([&] { c.overlap_any(too_many); });
  expect_empty([&] { c.overlap_count(too_many); });
  expect_empty([&] { c.overlap_all(too_many); });
  expect_empty([&] { c.cast({too_many.center, too_many.center}); });
}

TEST(MovedFromAnswers, AreEmpty) {
  Bits<CastReport> bits(70);
  Bits<CastReport> taken = std::move(bits);
  EXPECT_EQ(bits.size(), 0u);
  EXPECT_EQ(taken.size(), 70u);
  bits = std::move(taken);
  EXPECT_EQ(taken.size(), 0u);
  EXPECT_EQ(bits.size(), 70u);
  const Bits<CastReport> copy = bits;
  EXPECT_EQ(bits.size() + copy.size(), 140u);
  BitMatrix matrix(3, 70);
  const BitMatrix taken_matrix = std::move(matrix);
  EXPECT_EQ(matrix.rows() + matrix.columns(), 0u);
  EXPECT_EQ(taken_matrix.rows() * taken_matrix.columns(), 210u);
  Counts<OverlapReport> counts{{1, 2, 3}};
  const Counts<OverlapReport> taken_counts = std::move(counts);
  EXPECT_EQ(counts.size(), 0u);
  EXPECT_EQ(taken_counts.size(), 3u);
}

}  // namespace
}  // namespace sightline::testing
