// The bodies of the casting kernels, emulated, against the reference: the same bytes.
#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_cast.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using kernels::AnyHitJob;
using kernels::ClosestHitJob;
using standin::emulate;
using standin::Emulation;
using standin::LaneOrder;

constexpr std::uint64_t every_count[] = {0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000};

/// What the counts say after `n` rays with these answers, over what they said before.
CastCounts counted(const Answers& truth, std::uint64_t n, CastCounts before,
                   std::uint64_t first_ray) {
  for (std::uint64_t i = 0; i < n; ++i) {
    before.hits += truth.hit(i);
    if ((truth.flags[i] & hit_flags::bad_ray) == 0) continue;
    ++before.bad_rays;
    before.first_bad_ray = std::min(before.first_bad_ray, first_ray + i);
  }
  return before;
}

bool same(const CastCounts& a, const CastCounts& b) {
  return a.hits == b.hits && a.bad_rays == b.bad_rays && a.first_bad_ray == b.first_bad_ray;
}

/// The bits of the first n rays as the kernels write them, padding 0.
std::vector<std::uint32_t> words_of(const Answers& truth, std::uint64_t n) {
  std::vector<std::uint32_t> words(kernels::bit_words32(n));
  for (std::uint64_t i = 0; i < n; ++i) {
    words[i / 32] |= std::uint32_t{truth.is_blocked(i)} << (i % 32);
  }
  return words;
}

/// Casts the first n rays and compares everything that is written.
void expect_closest(const ClosestHitJob& base, std::uint64_t n, const Answers& truth,
                    const Emulation& emulation, const std::string& what) {
  Guarded<float> t(n);
  Guarded<std::uint32_t> id(n);
  Guarded<std::uint8_t> flags(n);
  Guarded<Vec3> normal(n);
  CastCounts counts{5, 7, ~std::uint64_t{0}};
  const CastCounts expected = counted(truth, n, counts, 1000);
  ClosestHitJob job = base;
  job.rays.count = n;
  job.hits = {t.data(), id.data(), flags.data(), normal.data()};
  job.counts = &counts;
  job.first_ray = 1000;
  emulate(job, emulation);
  EXPECT_TRUE(t.is(truth.t) && id.is(truth.id) && flags.is(truth.flags) && normal.is(truth.normal))
      << "closest hit, " << n << " rays, " << what;
  EXPECT_TRUE(same(counts, expected)) << "counts of closest hit, " << n << " rays, " << what;
}

void expect_any(const AnyHitJob& base, std::uint64_t n, const Answers& truth,
                const Emulation& emulation, const std::string& what) {
  Guarded<std::uint32_t> blocked(kernels::bit_words32(n));
  CastCounts counts{5, 7, 900};
  const CastCounts expected = counted(truth, n, counts, 1000);
  AnyHitJob job = base;
  job.rays.count = n;
  job.blocked = blocked.data();
  job.counts = &counts;
  job.first_ray = 1000;
  emulate(job, emulation);
  EXPECT_TRUE(blocked.is(words_of(truth, n))) << "any hit, " << n << " rays, " << what;
  EXPECT_TRUE(same(counts, expected)) << "counts of any hit, " << n << " rays, " << what;
}

void expect_parity(const TreeScene& scene, const std::vector<Ray>& rays, const std::string& what) {
  const Caster reference(scene.scene, ReferenceOptions{});
  const RaysView view = rows_of(rays);
  std::uint64_t schedule = rays.size();
  for (const Inside inside : every_policy) {
    const Answers truth = answers_of(reference, view, inside);
    ASSERT_TRUE(any_is_closest(truth)) << what;
    for (const Way way : every_way) {
      for (const LaneOrder order : every_lane_order) {
        const std::string where =
            what + ", policy " + std::to_string(static_cast<int>(inside)) + ", " + name_of(way);
        const kernels::DeviceScene device = scene.view(way, ++schedule);
        const ClosestHitJob closest{device, view, {}, inside};
        const AnyHitJob any{device, view, nullptr, inside};
        for (const std::uint64_t n : every_count) {
          if (n > rays.size() || (n == 1000 && order == LaneOrder::downwards)) continue;
          expect_closest(closest, n, truth, {nullptr, order}, where);
          expect_any(any, n, truth, {nullptr, order}, where);
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

class CastKernels : public ::testing::TestWithParam<SceneFamily> {};
INSTANTIATE_TEST_SUITE_P(Families, CastKernels, ::testing::ValuesIn(ray_families),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CastKernels, AnswerAsTheReference) {
  const std::uint64_t scenes = std::max<std::uint64_t>(4, scaled(24));
  for (std::uint64_t k = 0; k < scenes; ++k) {
    const std::uint64_t seed = 7000 + 1000 * static_cast<std::uint64_t>(GetParam()) + k;
    Random r(seed);
    // Around the size of a tile, and below.
    const int shapes = k % 3 == 0 ? r.between(127, 130) : k % 3 == 1 ? r.between(1, 40) : 300;
    const TreeScene scene(make_scene(GetParam(), shapes, seed));
    const std::string what = std::string(name_of(GetParam())) + " scene, seed " +
                             std::to_string(seed) + ", " + std::to_string(shapes) + " shapes";
    expect_parity(scene, random_rays(scene.scene, 1000, seed + 1), what + ", random rays");
    expect_parity(scene, adversarial_rays(scene.scene, 1000, seed + 2), what + ", adversarial");
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

TEST(CastKernels, EmptyScenesAndScenesOfPlanesAlone) {
  const TreeScene none{Scene{}};
  Scene floor;
  floor.add_plane({{0, 0, 1}, 0}, {3u, 2u, 0});
  floor.add_plane({{0, 1, 0}, -2}, {5u, sightline::none, 0});
  const TreeScene planes(std::move(floor));
  const std::vector<Ray> rays = random_rays(planes.scene, 200, 3);
  expect_parity(none, rays, "no shapes");
  expect_parity(planes, rays, "planes alone");
}

// Rays that begin in all shapes, at -0: the hit with the least id wins, and a limit of -0, whose
// bits are the least of all, must not keep its node from being visited.
TEST(CastKernels, TiesAtMinusZero) {
  Random r(9);
  Scene balls;
  std::vector<Ray> rays(200);
  const auto place = [&] { return Vec3{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)}; };
  for (int i = 0; i < 100; ++i) balls.add_sphere({place(), r.uniform(4, 8)});
  for (Ray& ray : rays) ray.origin = place(), ray.direction = place(), ray.t_min = -0.0f;
  expect_parity(TreeScene(std::move(balls)), rays, "t_min -0");
}

TEST(CastKernels, WriteOnlyTheOutputsThatAreGiven) {
  const TreeScene scene(make_scene(SceneFamily::random, 60, 5));
  const std::vector<Ray> rays = random_rays(scene.scene, 130, 6);
  const Answers truth =
      answers_of(Caster(scene.scene, ReferenceOptions{}), rows_of(rays), Inside::solid);
  for (const Way way : every_way) {
    Guarded<float> t(rays.size());
    Guarded<Vec3> normal(rays.size());
    emulate(ClosestHitJob{scene.view(way), rows_of(rays), {t.data()}});
    EXPECT_TRUE(t.is(truth.t));
    HitsView normals;
    normals.normal = normal.data();
    emulate(ClosestHitJob{scene.view(way), rows_of(rays), normals});
    EXPECT_TRUE(normal.is(truth.normal));
  }
}

// Trees ask for masks, groups and exclusions only where something has any: here one thing has,
// and each thing in turn.
TEST(CastKernels, OneFilterAtATime) {
  Scene plain, masked, grouped;
  for (int i = 0; i < 40; ++i) {
    const Sphere s{{static_cast<float>(i % 8), static_cast<float>(i / 8), 0}, 0.6f};
    plain.add_sphere(s);
    masked.add_sphere(s, {i % 2 == 0 ? 1u : 2u, none, 0});
    grouped.add_sphere(s, {0xFFFFFFFFu, i % 3 == 0 ? 7u : none, 0});
  }
  std::vector<Ray> rays(200);
  Random r(4);
  for (Ray& ray : rays) ray = {{r.uniform(-1, 8), r.uniform(-1, 5), -5}, {0, 0, 1}};
  RaysView bare;
  bare.count = rays.size();
  bare.origin = rows_of(rays).origin;
  bare.direction = rows_of(rays).direction;
  const auto expect = [&](const Scene& scene, const RaysView& view, const char* what) {
    const TreeScene trees{Scene(scene)};
    const Answers all = answers_of(Caster(trees.scene, ReferenceOptions{}), bare, Inside::solid);
    const Answers truth = answers_of(Caster(trees.scene, ReferenceOptions{}), view, Inside::solid);
    for (const Way way : every_way) {
      expect_closest({trees.view(way), view, {}}, view.count, truth, {}, what);
      expect_any({trees.view(way), view}, view.count, truth, {}, what);
    }
    return all.id != truth.id;
  };
  EXPECT_FALSE(expect(plain, bare, "nothing"));
  RaysView view = bare;
  view.mask.common = 0;
  EXPECT_TRUE(expect(plain, view, "the rays' mask"));
  view.mask.common = 1;
  EXPECT_TRUE(expect(masked, view, "both masks"));
  view = bare;
  view.exclude[0].common = 11;
  EXPECT_TRUE(expect(plain, view, "one exclusion"));
  view = bare;
  view.exclude[1].common = 12;
  EXPECT_TRUE(expect(plain, view, "the other exclusion"));
  view = bare;
  view.exclude_group[0].common = 7;
  EXPECT_TRUE(expect(grouped, view, "one group"));
  view = bare;
  view.exclude_group[1].common = 7;
  EXPECT_TRUE(expect(grouped, view, "the other group"));
}

// Rays in chunks count as the rays of one batch.
TEST(CastKernels, CountsOfChunksAddUp) {
  const TreeScene scene(make_scene(SceneFamily::lattice, 60, 8));
  const std::vector<Ray> rays = random_rays(scene.scene, 1000, 9);
  const RaysView all = rows_of(rays);
  const Answers truth = answers_of(Caster(scene.scene, ReferenceOptions{}), all, Inside::solid);
  CastCounts counts;
  std::vector<std::uint32_t> blocked(64);
  for (std::uint64_t first = 960; first < 1000; first -= 192) {
    AnyHitJob job{scene.view(Way::tree),
                  all.slice(first, std::min<std::uint64_t>(192, 1000 - first)), blocked.data()};
    job.counts = &counts;
    job.first_ray = first;
    emulate(job);
  }
  EXPECT_GT(counts.bad_rays, 0u);
  EXPECT_TRUE(same(counts, counted(truth, 1000, {}, 0)));
}

}  // namespace
}  // namespace sightline::testing
