// The launchers themselves, on whatever device there is: the kernels' answers, without a backend
// around them. The same bytes as the reference.
#include "tests/kernels/launchers.hpp"
#include "kernels/launch/grid.hpp"
#include "tests/support/sweeps.hpp"

#include <algorithm>

#if defined(SIGHTLINE_ON_STANDIN)
#include "tests/standin/standin.hpp"
#endif

namespace sightline::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Launchers, EveryWay, ::testing::ValuesIn(every_way),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(EveryWay, ClosestAndAnyHit) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Scene scene = make_scene(ray_family(seed), 100 + 50 * static_cast<int>(seed), seed);
    const std::vector<Ray> rays = random_rays(scene, 1000 + seed, seed + 1);
    const std::uint64_t n = rays.size(), words = kernels::bit_words32(n);
    const Inside inside = every_policy[seed % 3];
    const Answers truth = answers_of(Caster(scene, ReferenceOptions{}), rows_of(rays), inside);
    const kernels::DeviceScene device = upload(scene, GetParam());
    const RaysView view = upload(rays);
    const HitsView hits = make_hits(n);
    auto* blocked = memory_.make<std::uint32_t>(words);
    auto* counts = make_counts();
    kernels::closest_hit(stream_, {device, view, hits, inside, counts, 0});
    kernels::any_hit(stream_, {device, view, blocked, inside, counts + 1, 0});
    finish();
    EXPECT_TRUE(holds_all(hits, truth)) << "seed " << seed;
    EXPECT_EQ(std::memcmp(blocked, truth.blocked.data(), words * 4), 0) << "seed " << seed;
    std::uint64_t hit = 0;
    for (std::uint64_t i = 0; i < n; ++i) hit += truth.hit(i);
    EXPECT_EQ(counts[0].hits, hit) << "seed " << seed;
    EXPECT_EQ(std::memcmp(counts, counts + 1, sizeof(CastCounts)), 0) << "seed " << seed;
  }
}

TEST_P(EveryWay, ThickRays) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Scene scene = make_scene(every_family[seed % 4], 40 * static_cast<int>(seed), seed);
    const std::vector<Ray> rays = random_rays(scene, 500 + seed, seed + 1);
    const std::vector<float> radii = random_radii(scene, rays.size(), seed + 2);
    const std::uint64_t n = rays.size(), words = kernels::bit_words32(n);
    const Inside inside = every_policy[seed % 3];
    const Caster reference(scene, ReferenceOptions{});
    Answers truth(n);
    const RaysView thick = thick_rows_of(rays, radii);
    const CastReport report = reference.closest_hit(thick, truth.view(), {inside});
    reference.any_hit(thick, truth.blocked, {inside});

    const kernels::DeviceScene device = upload(scene, GetParam());
    SweepsView view = {upload(rays)};
    view.rays.radius = {memory_.copy(radii), n};
    const HitsView hits = make_hits(n);
    auto* blocked = memory_.make<std::uint32_t>(words);
    auto* counts = make_counts();
    kernels::sweep(stream_, {device, view, hits, nullptr, inside, counts, 0});
    kernels::sweep(stream_, {device, view, {}, blocked, inside, counts + 1, 0});
    finish();
    EXPECT_TRUE(holds_all(hits, truth)) << "seed " << seed;
    EXPECT_EQ(std::memcmp(blocked, truth.blocked.data(), words * 4), 0) << "seed " << seed;
    EXPECT_EQ(counts[0].hits, report.hits) << "seed " << seed;
    EXPECT_EQ(counts[0].first_bad_ray, report.first_bad_ray) << "seed " << seed;
    EXPECT_EQ(std::memcmp(counts, counts + 1, sizeof(CastCounts)), 0) << "seed " << seed;
  }
}

TEST_P(EveryWay, CapsulesThatMove) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Scene scene = make_scene(every_family[seed % 4], 40 * static_cast<int>(seed), seed);
    const RandomMovers movers(scene, 500, seed + 1);
    const ShapesView moving = movers.scene.view();
    const std::uint32_t first = moving.begin[3], n = moving.size() - first;
    Answers truth(n);
    const std::vector<Vec3> directions(movers.directions.begin() + first, movers.directions.end());
    Caster(scene, ReferenceOptions{})
        .sweep(movers.scene, directions, truth.view(), {Inside::surface, false, 2, {first, n}});
    const auto columns = [&](const Vec3* from) {
      return memory_.copy(std::vector<Vec3>(from, from + n));
    };
    SweepsView view;
    view.rays.count = n;
    view.rays.origin = std::span(columns(moving.of<Capsule>().a), n);
    view.rays.direction = std::span(columns(directions.data()), n);
    view.rays.t_max.common = 2;
    view.rays.mask.data = memory_.copy(std::vector(moving.mask + first, moving.mask + first + n));
    view.rays.radius.data =
        memory_.copy(std::vector(moving.of<Capsule>().radius, moving.of<Capsule>().radius + n));
    view.b = columns(moving.of<Capsule>().b);
    const HitsView hits = make_hits(n);
    kernels::sweep(stream_, {upload(scene, GetParam()), view, hits, nullptr, Inside::surface});
    finish();
    EXPECT_TRUE(holds_all(hits, truth)) << "seed " << seed;
  }
}

// Whole rows, and the same in pieces of three, each of which goes on where the last one ended.
TEST_P(EveryWay, AllHits) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Scene scene = make_scene(ray_family(seed), 150, seed);
    const std::vector<Ray> rays = random_rays(scene, 500 + seed, seed + 1);
    const std::uint64_t n = rays.size();
    const Inside inside = every_policy[seed % 3];
    const HitRows truth = Caster(scene, ReferenceOptions{})
                              .all_hits(rows_of(rays), {inside, false, none, seed % 2 == 0});
    const std::uint64_t all = truth.id.size();
    const kernels::DeviceScene device = upload(scene, GetParam());
    const RaysView view = upload(rays);
    auto* counts = memory_.make<std::uint32_t>(n);
    auto* flags = memory_.make<std::uint8_t>(n);
    kernels::count_hits(stream_, {device, view, inside, none, counts, flags});
    finish();
    EXPECT_TRUE(holds(counts, truth.count) && holds(flags, truth.flags)) << "seed " << seed;

    auto* pieces = memory_.make<kernels::HitPiece>(n);
    auto* t = memory_.make<float>(all);
    auto* id = memory_.make<std::uint32_t>(all);
    auto* t_out = seed % 2 == 0 ? memory_.make<float>(all) : nullptr;
    auto* last_t = memory_.make<float>(n);
    for (const std::uint32_t most : {none, 3u}) {
      std::vector<std::uint32_t> done(n, 0);
      std::fill_n(id, all, 77);
      for (bool more = true; more;) {
        more = false;
        for (std::uint64_t i = 0; i < n; ++i) {
          const std::uint64_t begin = truth.offsets[i] + done[i];
          const bool first = done[i] == 0;
          pieces[i] = {begin, std::min(counts[i] - done[i], most), first ? 0 : id[begin - 1],
                       first ? -1 : last_t[i]};
          done[i] += pieces[i].count;
          more = more || done[i] < counts[i];
        }
        kernels::fill_hits(stream_, {device, view, inside, pieces, t, id, t_out, last_t});
        finish();
      }
      EXPECT_TRUE(holds(t, truth.t) && holds(id, truth.id)) << "seed " << seed;
      if (t_out != nullptr) {
        EXPECT_TRUE(holds(t_out, truth.t_out)) << "seed " << seed;
      }
    }
  }
}

// Counters that several streams change at once: on the stand-in, by a thread each.
TEST_F(Launchers, StreamsShareTheirCounts) {
#if defined(SIGHTLINE_ON_STANDIN)
  standin::Plan plan;
  plan.schedule = standin::Schedule::threads;
  standin::set_plan(plan);
#endif
  const Scene scene = make_scene(SceneFamily::lattice, 80, 3);
  const std::vector<Ray> rays = random_rays(scene, 4000, 4);
  const Answers truth = answers_of(Caster(scene, ReferenceOptions{}), rows_of(rays), Inside::solid);
  CastCounts expected;
  for (std::uint64_t i = 0; i < rays.size(); ++i) {
    expected.hits += truth.hit(i);
    if ((truth.flags[i] & hit_flags::bad_ray) == 0) continue;
    if (expected.bad_rays++ == 0) expected.first_bad_ray = i;
  }
  ASSERT_GT(expected.bad_rays, 1u);
  const kernels::DeviceScene device = upload(scene, Way::tree);
  const RaysView view = upload(rays);
  auto* blocked = memory_.make<std::uint32_t>(kernels::bit_words32(rays.size()));
  auto* counts = memory_.make<CastCounts>(1);
  *counts = {};
  cudaStream_t streams[4] = {};
  for (std::uint64_t k = 0; k < 4; ++k) {
    ASSERT_EQ(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking), cudaSuccess);
  }
  for (std::uint64_t first = 0, k = 0; first < rays.size(); first += 128, ++k) {
    const RaysView part = view.slice(first, std::min<std::uint64_t>(128, rays.size() - first));
    kernels::any_hit(streams[k % 4],
                     {device, part, blocked + first / 32, Inside::solid, counts, first});
  }
  for (cudaStream_t stream : streams) {
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  }
  EXPECT_EQ(std::memcmp(blocked, truth.blocked.data(), truth.blocked.size() * 8), 0);
  EXPECT_EQ(counts->hits, expected.hits);
  EXPECT_EQ(counts->bad_rays, expected.bad_rays);
  EXPECT_EQ(counts->first_bad_ray, expected.first_bad_ray);
#if defined(SIGHTLINE_ON_STANDIN)
  standin::set_plan({});
#endif
}

TEST_F(Launchers, BoundsAreTheHosts) {
  const Scene scene = make_scene(SceneFamily::random, 2500, 13);
  ShapesView shapes = memory_.copy(scene.view());
  const Aabb* expected = shapes.bounds;
  shapes.bounds = nullptr;
  auto* bounds = memory_.make<Aabb>(shapes.bounded());
  kernels::shape_bounds(stream_, shapes, bounds);
  finish();
  EXPECT_EQ(std::memcmp(bounds, expected, shapes.bounded() * sizeof(Aabb)), 0);
}

TEST_P(EveryWay, NothingToDoIsNoError) {
  const kernels::DeviceScene device = upload(make_scene(SceneFamily::random, 20, 1), GetParam());
  const RaysView rays = RaysView().slice(0, 0);
  const PointsView points = PointsView().slice(0, 0);
  kernels::closest_hit(stream_, {device, rays, {}});
  kernels::any_hit(stream_, {device, rays, nullptr});
  kernels::sweep(stream_, {device, {rays}, {}});
  kernels::count_hits(stream_, {device, rays, Inside::solid, none, nullptr, nullptr});
  kernels::fill_hits(stream_, {device, rays, Inside::solid, nullptr, nullptr, nullptr});
  kernels::sight(stream_, {device, points, points, nullptr, {}, nullptr, 0});
  kernels::self_sight(stream_, {device, points, nullptr, {}, nullptr, 0});
  kernels::lowest_nodes(stream_, {device, points, nullptr, nullptr});
  kernels::reorder_bits(stream_, {});
  kernels::sight_pairs(stream_, {device, points, points, {}, nullptr, nullptr});
  kernels::count_points(stream_, {device, points, nullptr});
  finish();
}

}  // namespace
}  // namespace sightline::testing
