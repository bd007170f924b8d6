// What the door makes of sizes that do not match and of options that there are not: an Error, and
// never anything else.
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"

#include <sightline/geometry/flat/flat_shapes_view.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/sightline.hpp>

#include <gtest/gtest.h>

#include <climits>

namespace sightline::testing {
namespace {

template <class F>
void expect_refused(const F& f, const std::string& why) {
  expect_error(ErrorKind::usage, {why}, f);
}

class Misuse : public EveryBackend {
 protected:
  static constexpr std::uint64_t n = 1000, few = 10;

  Caster some() const { return caster(make_scene(SceneFamily::random, 20, 1)); }

  std::vector<Vec3> origins = std::vector<Vec3>(n, Vec3{-9, 0, 0}), directions = origins;
  std::vector<float> t = std::vector<float>(few);
  std::vector<std::uint32_t> id = std::vector<std::uint32_t>(few);
  std::vector<std::uint8_t> flags = std::vector<std::uint8_t>(few);
  std::vector<Vec3> vectors = std::vector<Vec3>(few);
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(few);
  RaysView rays{origins, directions};
  PointsView points{origins};

  RaysView thick(const Column<float>& radius) const {
    RaysView r = rays;
    r.radius = radius;
    return r;
  }
};

// A thousand answers used to be written into arrays of ten.
TEST_P(Misuse, OfArraysForHits) {
  const Caster c = some();
  const std::string ten = " has 10 elements, not 1000";
  expect_refused([&] { c.closest_hit(rays, {.t = t}); }, "t" + ten);
  expect_refused([&] { c.closest_hit(rays, {.id = id}); }, "id" + ten);
  expect_refused([&] { c.closest_hit(rays, {.flags = flags}); }, "flags" + ten);
  expect_refused([&] { c.closest_hit(rays, {.normal = vectors}); }, "normal" + ten);
  expect_refused([&] { c.closest_hit(thick(1.0f), {.t = t}); }, "t" + ten);
  expect_refused([&] { c.any_hit(rays, words); }, "blocked has 10 elements, not 16");
  expect_refused([&] { c.count_hits(rays, id); }, "counts" + ten);
  Scene balls;
  for (std::uint64_t i = 0; i < n; ++i) balls.add_sphere({{0, 0, 9}, 1});
  expect_refused([&] { c.sweep(balls, directions, {.id = id}); }, "id" + ten);
  expect_refused([&] { c.sweep(balls, vectors); }, "directions" + ten);
}

TEST_P(Misuse, OfArraysForDistances) {
  const Caster c = some();
  const NearestOptions two{2, infinity};
  const std::string ten = " has 10 elements, not 1000 x 2";
  expect_refused([&] { c.nearest(points, {.distance = t}, two); }, "distance" + ten);
  expect_refused([&] { c.nearest(points, {.id = id}, two); }, "id" + ten);
  expect_refused([&] { c.nearest(points, {.point = vectors}, two); }, "point" + ten);
  expect_refused([&] { c.nearest(points, {.direction = vectors}, two); }, "direction" + ten);
  expect_refused([&] { c.clearance(points, points, {.t = t}, two); }, "t" + ten);
  expect_refused([&] { c.clearance(points, points, {.on_shape = vectors}, two); },
                 "on_shape" + ten);
}

TEST_P(Misuse, OfColumns) {
  const Caster c = some();
  t.resize(n);
  const std::string ten = " has 10 elements, not 1000";
  const auto cast = [&](auto&& spoil) {
    RaysView spoilt = rays;
    spoil(spoilt);
    return [&c, spoilt, this] { c.closest_hit(spoilt, {.t = t}); };
  };
  expect_refused(cast([&](RaysView& r) { r.direction = vectors; }), "direction" + ten);
  expect_refused(cast([&](RaysView& r) { r.direction = std::vector<Vec3>(); }),
                 "direction has 0 elements, not 1000");
  expect_refused(cast([&](RaysView& r) { r.t_max = std::span(t).first(10); }), "t_max" + ten);
  expect_refused(cast([&](RaysView& r) { r.exclude_group[1] = id; }), "exclude_group" + ten);
  expect_refused([&] { c.closest_hit(thick(std::span(t).first(10)), {.t = t}); }, "radius" + ten);
  PointsView masked = points;
  masked.mask = id;
  words.resize(16 * n);
  expect_refused([&] { c.visibility(masked, points, words); }, "mask" + ten);
  expect_refused([&] { c.visibility_pairs(points, masked, std::span(words).first(16)); },
                 "mask" + ten);
  FieldsView fields;
  fields.direction = vectors;
  expect_refused([&] { c.visibility(points, fields, points, words); }, "direction" + ten);
  expect_refused([&] { c.nearest(masked); }, "mask" + ten);
  expect_refused([&] { c.winding(masked); }, "mask" + ten);
  std::vector<std::uint32_t> counts(n);
  expect_refused([&] { exposure(c, masked, {}, points, counts); }, "mask" + ten);
  expect_refused([&] { probe_distances(c, masked, 1, t); }, "mask" + ten);
  CoverRows rows;
  expect_refused([&] { cover(c, points, rows.view()); }, "has 0 elements, not 1000");
}

TEST_P(Misuse, OfRowsThatAreNotWhole) {
  const Caster c = some();
  const std::vector<float> seven(7);
  t.resize(2);
  const RaysView two = rays.slice(0, 2);
  const auto cast = [&](const Vec3Column& origin) {
    return [&, origin] { c.closest_hit({origin, two.direction}, {.t = t}); };
  };
  expect_refused(cast(Vec3Column::rows(seven)), "origin has 2 elements, not 3");
}

TEST_P(Misuse, OfColumnsWithoutMemory) {
  const Caster c = some();
  const float* const nowhere = nullptr;
  const std::uint32_t* const no_masks = nullptr;
  const std::span<const Vec3> no_vectors(static_cast<const Vec3*>(nullptr), n);
  const std::span<const SightPoint> no_points(static_cast<const SightPoint*>(nullptr), n);
  const std::span<const Ray> no_rays(static_cast<const Ray*>(nullptr), n);
  const auto cast = [&](const Vec3Column& origin) {
    return [&, origin] { c.closest_hit({origin, directions}); };
  };
  const std::string null = " is a null pointer to 1000 elements";
  expect_refused(cast(Vec3Column::strided(nullptr, n, sizeof(Vec3))), "origin" + null);
  expect_refused(cast(no_vectors), "origin" + null);
  expect_refused(cast(Vec3Column(no_vectors).slice(5, 1000)), "origin" + null);
  expect_refused(cast({origins.front().x, 0.0f, {nowhere, n}}), "origin" + null);
  expect_refused([&] { c.closest_hit(thick({nowhere, n})); }, "radius" + null);
  expect_refused([&] { c.closest_hit(RaysView::rows(no_rays)); }, "origin" + null);
  expect_refused([&] { c.nearest(PointsView::rows(no_points)); }, "position" + null);
  expect_refused(
      [&] {
        c.closest_hit({Vec3Column::rows({nowhere, 3 * n}), directions});
      },
      "origin" + null);
  Scene scene;
  expect_refused([&] { scene.add_spheres(n, no_vectors, 1.0f); }, "sphere center.x" + null);
  expect_refused([&] { scene.add(std::span(static_cast<const Sphere*>(nullptr), n)); },
                 "sphere center.x" + null);
  expect_refused(
      [&] {
        scene.add_spheres(1, Vec3{0, 0, 0}, 1.0f, {.mask = {no_masks, 1}});
      },
      "mask is a null pointer to 1 element");
}

TEST_P(Misuse, OfArraysWithoutMemory) {
  const Caster c = some();
  expect_refused(
      [&] {
        c.any_hit(rays, {static_cast<std::uint64_t*>(nullptr), 16});
      },
      "blocked is null");
  expect_refused(
      [&] {
        c.closest_hit(rays, {.t = {static_cast<float*>(nullptr), n}});
      },
      "t is null");
  expect_refused(
      [&] {
        c.nearest(points, {.id = {static_cast<std::uint32_t*>(nullptr), n}});
      },
      "id is null");
}

TEST_P(Misuse, OfFieldsOfOtherPoints) {
  FieldsView fields;
  fields.direction = vectors;
  words.resize(16 * 3);
  expect_refused([&] { some().visibility(points.slice(5, 3), fields, points, words); },
                 "direction has 10 elements, not 3");
}

TEST(ColumnOfMembers, StepsByTheWholeStruct) {
  struct Enemy : Sphere {
    int health;
  };
  const std::vector<Enemy> enemies = {{{{1, 2, 3}, 4}, 5}, {{{6, 7, 8}, 9}, 10}};
  EXPECT_EQ(Column<float>(enemies, &Enemy::radius)[1], 9);
  EXPECT_EQ(Vec3Column(enemies, &Enemy::center)[1].z, 8);
}

TEST_P(Misuse, OfEnumerators) {
  const Caster c = some();
  const auto policy = static_cast<Inside>(3);
  expect_refused([&] { c.closest_hit(rays, HitArrays{}, {policy}); },
                 "no inside policy of number 3");
  expect_refused([&] { c.sweep(Scene(), {}, {policy}); }, "no inside policy");
  expect_refused([&] { c.visibility(points, words, {infinity, 0, policy}); }, "no inside policy");
  FieldsView fields;
  fields.shape = static_cast<FieldShape>(-1);
  expect_refused([&] { c.visibility(points, fields, points, words); }, "no shape of fields");
  expect_refused([&] { caster(Scene()).update(Scene(), static_cast<Update>(9)); },
                 "no way of updating of number 9");
}

TEST_P(Misuse, OneRayIsABatchOfOne) {
  const Scene scene = make_scene(SceneFamily::random, 60, 5);
  const Caster c = caster(scene);
  const std::vector<Ray> all = random_rays(scene, 300, 6);
  for (const Inside inside : {Inside::solid, Inside::surface, Inside::ignore}) {
    std::vector<Hit> hits(all.size());
    std::vector<float> many_t(all.size());
    std::vector<std::uint32_t> many_id(all.size());
    std::vector<std::uint8_t> many_flags(all.size());
    std::vector<Vec3> many_normal(all.size());
    c.closest_hit(RaysView::rows(all), {many_t, many_id, many_flags, many_normal}, {inside});
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Hit one = c.closest_hit(all[i], {inside});
      ASSERT_EQ(bits_of(one.t), bits_of(many_t[i])) << i;
      ASSERT_EQ(one.id, many_id[i]) << i;
      ASSERT_EQ(one.flags, many_flags[i]) << i;
      ASSERT_EQ(one.normal, many_normal[i]) << i;
      ASSERT_EQ(c.any_hit(all[i], {inside}), one.id != none) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Misuse, ::testing::ValuesIn(every_backend), name_of_backend);

// A hundred thousand threads used to end the process from one of them.
TEST(Options, OutOfTheirRangeAreRefused) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  FlatScene flat;
  const auto refuse = [&](const CasterOptions& options, const std::string& why) {
    expect_refused([&] { Caster(scene, options); }, why);
    expect_refused([&] { FlatCaster(flat, options); }, why);
  };
  for (const int threads : {-1, 100000, INT_MAX, INT_MIN}) {
    refuse(CpuOptions{.threads = threads}, "the number of threads is " + std::to_string(threads));
  }
  refuse(CpuOptions{.search = static_cast<Search>(-5)}, "no search of number -5");
  refuse(CudaOptions{.search = static_cast<Search>(3)}, "no search of number 3");
  refuse(CudaOptions{.tree = static_cast<TreeBuild>(2)}, "no way of building trees");
  refuse(CpuOptions{.lanes = static_cast<Lanes>(4)}, "no kind of lanes");
  for (const int threads : {-1, 100000}) {
    refuse(AutomaticOptions{.cpu = {.threads = threads}}, "the number of threads is ");
  }
  refuse(AutomaticOptions{.cuda = {.tree = static_cast<TreeBuild>(2)}}, "no way of building trees");
}

TEST(Options, OfABackendThatThereIsNotAreRefused) {
  EXPECT_TRUE(std::holds_alternative<CudaOptions>(default_options(Backend::cuda)));
  expect_refused([] { default_options(static_cast<Backend>(7)); }, "no backend of number 7");
  expect_refused([] { default_options(static_cast<Backend>(-1)); }, "no backend of number -1");
}

TEST(Options, ThreadsBeyondTheCoresAnswer) {
  Scene scene;
  scene.add_sphere({{9, 0, 0}, 1});
  const Caster c(scene, CpuOptions{.threads = 200});
  EXPECT_EQ(c.closest_hit(Ray{.direction = {1, 0, 0}}).t, 8.0f);
}

TEST(FlatSizes, MustMatch) {
  FlatScene scene;
  scene.add_circle({{0, 0}, 1});
  const FlatCaster c(scene, CpuOptions{});
  const std::vector<Vec2> two(2);
  std::vector<float> t(3);
  const std::vector<Vec2> three(3);
  expect_refused([&] { c.cast({two, three}); }, "b has 3 elements, not 2");
  const SegmentsView good{two, two};
  expect_refused([&] { c.cast(good, {.t = t}); }, "t has 3 elements, not 2");
  expect_refused([&] { c.cast(good, {}, static_cast<Inside>(7)); }, "no inside policy");
  expect_refused([&] { c.overlap_all({two, t}); }, "radius has 3 elements, not 2");
}

TEST(SceneMisuse, NamesWhatThereIsNot) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  const std::vector<Vec3> two(2);
  const std::vector<float> three(3);
  expect_refused([&] { scene.add_spheres(2, two, three); },
                 "a column of sphere radius has 3 elements, not 2");
  const auto numbers = detail::numbers_in(Vec3Column(two), Column<float>(1));
  expect_refused([&] { scene.set(Kind::sphere, 0, 1, numbers); },
                 "a column of sphere center.x has 2 elements, not 1");
  const std::vector<std::uint32_t> masks(3);
  expect_refused([&] { scene.add_spheres(2, two, 1.0f, {.mask = masks}); },
                 "mask has 3 elements, not 2");
  const auto kind = static_cast<Kind>(kind_count);
  expect_refused([&] { scene.count(kind); }, "no kind of shape of number 7");
  expect_refused([&] { scene.has_labels(kind); }, "no kind of shape");
  expect_refused([&] { scene.add(kind, 0, {}); }, "no kind of shape");
  expect_refused([&] { scene.remove(kind, 0); }, "no kind of shape");
  const std::span<const std::uint32_t> nowhere(static_cast<std::uint32_t*>(nullptr), 3);
  expect_refused([&] { scene.remove(Kind::sphere, nowhere); }, "the indices are null");
  expect_refused([&] { scene.sphere(1); }, "there is no sphere 1: the scene has 1");
  EXPECT_EQ(scene.size(), 1u);
}

TEST(Vectors, InFormulas) {
  const Vec3 a{1, 2, 3}, b{4, 5, 6};
  EXPECT_EQ(a + 2 * b, (Vec3{9, 12, 15}));
  EXPECT_EQ((b - a) / 3, (Vec3{1, 1, 1}));
  EXPECT_EQ(normalize({0, 0, -1e30f}), (Vec3{0, 0, -1}));
  EXPECT_EQ(normalize({1e-40f, 0, 0}), (Vec3{1, 0, 0}));
  EXPECT_EQ(normalize({0, 0, 0}), (Vec3{0, 0, 0}));
}

TEST(MapMisuse, MapsAndSamplesThatDoNotFitTogether) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {4, 4, 0}});
  const Caster c(scene, CpuOptions{});
  NavOptions options;
  options.cell = 1;
  options.bounds = {{0, 0, -2}, {4, 4, 3}};
  const NavMap map = bake_nav(c, options);
  expect_refused([&] { map.neighbour(16, 0); }, "no column 16");
  expect_refused([&] { map.linked(map.spans(), 0, 0); }, "no such span");
  expect_refused([&] { map.neighbour(0, 4); }, "there is no side 4 of a column");
  expect_refused([&] { NavGrid().at(0, 0); }, "no column 0");
  NavMap spoilt = map;
  spoilt.links[0] = {3, 3, 3, 3};
  expect_refused([&] { spans_along_walls(spoilt); }, "leads to no span");
  spoilt = map;
  spoilt.offsets[3] = 100;
  expect_refused([&] { find_cover_places(c, spoilt); }, "the offsets of spans");
  AreaSamples samples{{0, 5}, {{1, 1, 1}}};
  std::vector<std::uint32_t> counts(1);
  expect_refused([&] { area_counts(c, samples, {}, {}, counts); }, "the offsets of samples");
  Areas areas;
  areas.height = {1};
  expect_refused([&] { sample_areas(areas, 4); }, "the offsets of areas");
}

}  // namespace
}  // namespace sightline::testing
