// Thick rays and sweeps on every backend: the bytes of the reference.
#include "host/gen/rays.hpp"
#include "tests/host/door/sweep_answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scale.hpp"

namespace sightline::testing {
namespace {

void expect_same(const Answers& a, const Answers& truth, const std::string& what) {
  const std::uint64_t i = first_difference(truth, a);
  ASSERT_EQ(i, truth.t.size()) << what << ", " << i << ": t " << truth.t[i] << " and " << a.t[i]
                               << ", id " << truth.id[i] << " and " << a.id[i];
}

class ThickRays : public EveryBackend {};
class Sweeps : public EveryBackend {};

/// So many scenes for one backend: few where it is one of several whose lanes take no part here.
std::uint64_t scenes_for(const BackendCase& backend, std::uint64_t n) {
  const auto* const cpu = std::get_if<CpuOptions>(&backend.options);
  const bool lanes = cpu != nullptr && cpu->lanes != Lanes::automatic;
  return std::max<std::uint64_t>(2, scaled(lanes ? n / 10 : n));
}

// 1.0e6 (ray, policy) pairs a backend: 4 families x 50 scenes x 1,700 rays x 3 policies.
TEST_P(ThickRays, AreTheReferencesBytes) {
  if (GetParam().backend == Backend::reference) GTEST_SKIP() << "itself";
  const std::uint64_t scenes = scenes_for(GetParam(), 50), n = 1700;
  for_each_scene(scenes, [&](const Scene& scene, std::uint64_t seed, const std::string& what) {
    const Caster truth(scene, ReferenceOptions{}), some = caster(scene);
    const std::vector<Ray> rays = trouble(scene, n, seed);
    const std::vector<float> radii = random_radii(scene, n, seed + 1);
    for (const Inside inside : every_policy) {
      const Answers expected = thick_answers(truth, rays, radii, inside);
      ASSERT_TRUE(any_is_closest(expected)) << what;
      expect_same(thick_answers(some, rays, radii, inside), expected, what);
    }
  });
}

TEST_P(Sweeps, AreTheReferencesBytes) {
  if (GetParam().backend == Backend::reference) GTEST_SKIP() << "itself";
  const std::uint64_t scenes = scenes_for(GetParam(), 50), n = 1700;
  for_each_scene(scenes, [&](const Scene& scene, std::uint64_t seed, const std::string& what) {
    const Caster truth(scene, ReferenceOptions{}), some = caster(scene);
    const RandomMovers movers(scene, n, seed);
    for (const Inside inside : every_policy) {
      const float t_max = seed % 2 == 0 ? infinity : 1.5f;
      const SweepOptions options = {inside, false, t_max};
      expect_same(swept_answers(some, movers, options), swept_answers(truth, movers, options),
                  what);
    }
  });
}

// A radius of 0 is the ray itself, whether all have it or some.
TEST_P(ThickRays, OfRadiusZeroAreRays) {
  for_each_scene(scenes_for(GetParam(), 16), [&](const Scene& scene, std::uint64_t seed,
                                                 const std::string& what) {
    const Caster some = caster(scene);
    const std::vector<Ray> rays = trouble(scene, 400, seed);
    std::vector<float> radii(rays.size(), -0.0f), mixed(rays.size(), 0.0f);
    for (std::size_t i = 0; i < mixed.size(); i += 5) mixed[i] = 1;
    for (const Inside inside : every_policy) {
      const Answers thin = answers_of(some, rows_of(rays), inside);
      expect_same(thick_answers(some, rays, radii, inside), thin, what);
      expect_same(thick_answers(some, rows_of(rays), 0.0f, inside), thin, what + ", common");
      const Answers all = thick_answers(some, rays, mixed, inside);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        if (i % 5 == 0) continue;
        const Hit a = {all.t[i], all.id[i], all.flags[i], all.normal[i]};
        const Hit b = {thin.t[i], thin.id[i], thin.flags[i], thin.normal[i]};
        ASSERT_TRUE(same_bits(a, b)) << what << ", ray " << i << ": " << text(rays[i]);
        ASSERT_EQ(all.is_blocked(i), thin.is_blocked(i)) << what << ", ray " << i;
      }
    }
  });
}

// Spheres that move are thick rays, and so are capsules of length 0.
TEST_P(Sweeps, OfSpheresAreThickRays) {
  const Scene scene = make_scene(SceneFamily::random, 40, 3);
  const Caster some = caster(scene);
  std::vector<Ray> rays = trouble(scene, 300, 4);
  std::vector<float> radii = random_radii(scene, rays.size(), 5);
  RandomMovers spheres(scene, 0, 0), capsules(scene, 0, 0);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    Ray r;
    r.origin = in_domain(rays[i].origin) ? rays[i].origin : Vec3{0, 0, 0};
    r.direction = rays[i].direction;
    r.t_max = 2;
    r.mask = rays[i].mask;
    rays[i] = r;
    if (!(0 <= radii[i] && radii[i] <= domain_limit)) radii[i] = 1;
    Attributes attributes;
    attributes.mask = r.mask;
    spheres.scene.add_sphere({r.origin, radii[i]}, attributes);
    capsules.scene.add_capsule({r.origin, r.origin, radii[i]}, attributes);
    spheres.directions.push_back(r.direction);
  }
  capsules.directions = spheres.directions;
  Answers truth = thick_answers(some, rays, radii, Inside::ignore);
  std::fill(truth.blocked.begin(), truth.blocked.end(), 0);
  const SweepOptions options = {Inside::ignore, false, 2};
  expect_same(swept_answers(some, spheres, options), truth, "spheres");
  expect_same(swept_answers(some, capsules, options), truth, "capsules");
}

TEST_P(ThickRays, AndSweepsAreTheSameOverShuffledShapes) {
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(3, scaled(20)); ++seed) {
    const Caster a = caster(make_scene(every_family[seed % 2], 60, seed));
    const Caster b = caster(shuffled(a.scene(), seed + 1));
    std::vector<Ray> rays = trouble(a.scene(), 300, seed + 2);
    for (Ray& r : rays) r.exclude[0] = r.exclude[1] = none;
    const std::vector<float> radii = random_radii(a.scene(), rays.size(), seed);
    const RandomMovers movers(a.scene(), 300, seed + 3);
    for (const Inside inside : every_policy) {
      const Answers of_a = thick_answers(a, rays, radii, inside);
      const Answers of_b = thick_answers(b, rays, radii, inside);
      ASSERT_TRUE(same_bytes(of_a.t, of_b.t)) << "seed " << seed;
      ASSERT_TRUE(same_bytes(of_a.blocked, of_b.blocked)) << "seed " << seed;
      const Answers swept_a = swept_answers(a, movers, {inside});
      const Answers swept_b = swept_answers(b, movers, {inside});
      ASSERT_TRUE(same_bytes(swept_a.t, swept_b.t)) << "seed " << seed;
      std::uint64_t other = 0;
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const bool hit = of_a.id[i] != none;
        ASSERT_EQ(hit, of_b.id[i] != none);
        other +=
            hit && a.scene().attributes(of_a.id[i]).label != b.scene().attributes(of_b.id[i]).label;
      }
      EXPECT_LT(other, rays.size() * 2 / 3);  // among equals the lowest id
    }
  }
}

TEST_P(ThickRays, InAnyNumberOfParts) {
  const Scene scene = make_scene(SceneFamily::city, 150, 7);
  const std::vector<Ray> rays = trouble(scene, 1500, 8);
  const std::vector<float> radii = random_radii(scene, rays.size(), 9);
  const RandomMovers movers(scene, 700, 10);
  const Caster truth(scene, ReferenceOptions{});
  const Answers thick = thick_answers(truth, rays, radii, Inside::solid);
  const Answers swept = swept_answers(truth, movers);
  for (const std::uint64_t part : {1u, 2u, 7u, 64u, 65u, 333u}) {
    CasterOptions options = GetParam().options;
    if (auto* const cpu = std::get_if<CpuOptions>(&options)) {
      cpu->threads = static_cast<int>(std::min<std::uint64_t>(part, 7));
    } else if (auto* const cuda = std::get_if<CudaOptions>(&options)) {
      cuda->chunk = part;
    }
    const Caster some(scene, options);
    expect_same(thick_answers(some, rays, radii, Inside::solid), thick, std::to_string(part));
    expect_same(swept_answers(some, movers), swept, std::to_string(part));
  }
}

// Over large trees many are answered in the order of their places, few in the caller's.
TEST(ManyThickRays, HaveTheAnswersOfFew) {
  constexpr gen::SceneKind kind = gen::SceneKind::city;
  constexpr std::uint64_t n = 4501, few = 1500;
  const Scene scene = gen::make_scene(kind, 120'000, 11);
  const gen::RaySet set = gen::make_rays(gen::RayKind::los, scene, kind, n, 12);
  std::vector<Ray> rays(n);
  std::vector<float> radii(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    rays[i].origin = set.origin[i];
    rays[i].direction = set.direction[i];
    rays[i].t_max = i % 3 == 0 ? infinity : 1.0f;
    radii[i] = 0.125f * static_cast<float>(i % 4);
    if (i % 500 == 77) radii[i] = -1;
  }
  for (const int threads : {1, 3}) {
    const Caster caster(scene, CpuOptions{.threads = threads});
    CastReport report;
    const Answers many = thick_answers(caster, rows_of(rays), radii, Inside::solid, &report);
    EXPECT_GT(report.hits, n / 20);
    CastReport sum;
    for (std::uint64_t first = 0; first < n; first += few) {
      const auto begin = static_cast<std::ptrdiff_t>(first);
      const auto end = static_cast<std::ptrdiff_t>(std::min(first + few, n));
      const std::vector<Ray> some(rays.begin() + begin, rays.begin() + end);
      const std::vector<float> radii_of_some(radii.begin() + begin, radii.begin() + end);
      CastReport part;
      const Answers truth =
          thick_answers(caster, rows_of(some), radii_of_some, Inside::solid, &part);
      if (sum.bad_rays == 0 && part.bad_rays > 0) sum.first_bad_ray = first + part.first_bad_ray;
      sum.hits += part.hits;
      sum.bad_rays += part.bad_rays;
      for (std::uint64_t i = 0; i < some.size(); ++i) {
        ASSERT_EQ(many.t[first + i], truth.t[i]) << first + i;
        ASSERT_EQ(many.id[first + i], truth.id[i]) << first + i;
        ASSERT_EQ(many.flags[first + i], truth.flags[i]) << first + i;
        ASSERT_EQ(many.blocked[(first + i) / 64] >> (first + i) % 64 & 1,
                  truth.blocked[i / 64] >> i % 64 & 1)
            << first + i;
      }
    }
    EXPECT_EQ(report.hits, sum.hits);
    EXPECT_GT(sum.bad_rays, 0u);
    EXPECT_EQ(report.bad_rays, sum.bad_rays);
    EXPECT_EQ(report.first_bad_ray, sum.first_bad_ray);
  }
}

TEST_P(ThickRays, CountWhatIsBad) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  const Caster some = caster(scene);
  std::vector<Ray> rays(200);
  for (Ray& r : rays) r.origin = {-5, 0, 0}, r.direction = {1, 0, 0};
  std::vector<float> radii(rays.size(), 0.5f);
  radii[150] = infinity;
  radii[77] = std::nanf("");
  rays[90].t_min = -1;
  radii[0] = radii[3] = 0;
  CastReport report;
  const Answers a = thick_answers(some, rows_of(rays), radii, Inside::solid, &report);
  EXPECT_EQ(report.rays, 200u);
  EXPECT_EQ(report.hits, 197u);
  EXPECT_EQ(report.bad_rays, 3u);
  EXPECT_EQ(report.first_bad_ray, 77u);
  EXPECT_EQ(a.flags[77], hit_flags::bad_ray);
  EXPECT_EQ(a.t[3], 4);
  EXPECT_EQ(a.t[4], 3.5f);
  EXPECT_EQ(a.normal[4].x, -1);
  // The first, whatever is bad about it.
  const auto told = [&] {
    return refusal(ErrorKind::bad_input, [&] {
      Answers b(rays.size());
      some.closest_hit(thick_rows_of(rays, radii), b.view(), {Inside::solid, true});
    });
  };
  EXPECT_EQ(told().find("ray 77 is bad: its radius"), 0u) << told();
  radii[77] = 1;
  EXPECT_EQ(told().find("ray 90 is bad: its interval"), 0u) << told();
  expect_error(ErrorKind::bad_input, {"ray 90 "}, [&] {
    std::vector<std::uint64_t> blocked(4);
    some.any_hit(thick_rows_of(rays, radii), blocked, {Inside::solid, true});
  });
}

TEST_P(Sweeps, CountWhatIsBad) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  RandomMovers movers(scene, 0, 0);
  for (int k = 0; k < 4; ++k) movers.scene.add_sphere({{-5, 0, 0}, 0.5f});
  for (int k = 0; k < 4; ++k) movers.scene.add_capsule({{-5, 0, 0}, {-5, 2, 0}, 0.5f});
  movers.directions.assign(8, {1, 0, 0});
  movers.directions[5].y = infinity;
  movers.directions[7].x = std::nanf("");
  const Caster some = caster(scene);
  Answers a(8);
  const CastReport report = some.sweep(movers.scene, movers.directions, a.view());
  EXPECT_EQ(report.rays, 8u);
  EXPECT_EQ(report.hits, 6u);
  EXPECT_EQ(report.bad_rays, 2u);
  EXPECT_EQ(report.first_bad_ray, 5u);
  EXPECT_EQ(a.flags[5], hit_flags::bad_ray);
  EXPECT_EQ(a.t[4], 3.5f);
  movers.directions[2].z = infinity;
  EXPECT_EQ(some.sweep(movers.scene, movers.directions, a.view()).first_bad_ray, 2u);
  movers.directions.assign(8, {0, 1, 0});
  const CastReport none_bad = some.sweep(movers.scene, movers.directions, a.view());
  EXPECT_EQ(none_bad.bad_rays + none_bad.first_bad_ray + none_bad.hits, 0u);
}

TEST_P(Sweeps, OfAPartAndInNothing) {
  const Scene scene = make_scene(SceneFamily::random, 30, 12);
  const Caster some = caster(scene);
  const RandomMovers movers(scene, 90, 13);
  const Answers all = swept_answers(some, movers);
  Answers part(40);
  std::fill(part.blocked.begin(), part.blocked.end(), 0);
  const std::span<const Vec3> directions = std::span(movers.directions).subspan(25, 40);
  some.sweep(movers.scene, directions, part.view(), {.of = {25, 40}});
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(bits_of(part.t[i]), bits_of(all.t[i + 25]));
    EXPECT_EQ(part.id[i], all.id[i + 25]);
  }
  const Caster empty = caster(Scene());
  const Answers nothing = swept_answers(empty, movers);
  EXPECT_EQ(nothing.id, std::vector<std::uint32_t>(90, none));
  EXPECT_EQ(empty.sweep(Scene(), {}).report.rays, 0u);
  EXPECT_EQ(
      some.closest_hit(RaysView{.origin = {}, .direction = {}, .radius = 1.0f}, HitArrays{}).rays,
      0u);
  Answers only(90);
  some.sweep(movers.scene, movers.directions, {.id = only.id});
  EXPECT_EQ(only.id, all.id);
}

TEST_P(Sweeps, RefuseWhatMeansNothing) {
  const Caster some = caster(make_scene(SceneFamily::random, 5, 1));
  Scene moving;
  moving.add_sphere({{1, 2, 3}, 1});
  const std::vector<Vec3> one(1), two(2);
  EXPECT_THROW(some.sweep(moving, two), Error);
  EXPECT_THROW(some.sweep(moving, one, {.t_max = -1}), Error);
  EXPECT_THROW(some.sweep(moving, one, {.t_max = std::nanf("")}), Error);
  EXPECT_THROW(some.sweep(moving, one, {.of = {1, 1}}), Error);
  Scene box;
  box.add_aabb({{0, 0, 0}, {1, 1, 1}});
  EXPECT_THROW(some.sweep(box, one), Error);
  EXPECT_THROW(some.sweep(moving, {{{0, infinity, 0}}}, {.strict = true}), Error);
  const CastReport report = some.sweep(moving, {{{0, infinity, 0}}}).report;
  EXPECT_EQ(report.bad_rays, 1u);
  EXPECT_EQ(report.first_bad_ray, 0u);
}

TEST_P(Sweeps, FollowShapesThatMove) {
  Scene scene;
  for (int k = 0; k < 30; ++k) scene.add_sphere({{static_cast<float>(k), 0, 0}, 0.25f});
  Caster moving = caster(scene);
  RandomMovers movers(scene, 0, 0);
  movers.scene.add_capsule({{3, 5, 0}, {3, 6, 0}, 0.25f});
  movers.directions = {{0, -1, 0}};
  EXPECT_EQ(swept_answers(moving, movers).t[0], 4.5f);
  for (std::uint32_t k = 0; k < 30; ++k)
    scene.set<Sphere>(k, {{3, -4, static_cast<float>(k)}, 0.25f});
  moving.update(scene);
  const Answers after = swept_answers(moving, movers);
  EXPECT_EQ(after.t[0], 8.5f);
  EXPECT_EQ(after.id[0], 0u);
  EXPECT_EQ(after.normal[0].y, 1);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, ThickRays, ::testing::ValuesIn(every_backend),
                         name_of_backend);
INSTANTIATE_TEST_SUITE_P(Everywhere, Sweeps, ::testing::ValuesIn(every_backend), name_of_backend);

}  // namespace
}  // namespace sightline::testing
