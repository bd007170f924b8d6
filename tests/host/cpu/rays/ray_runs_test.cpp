// Runs of rays through RayBatches: so many that they are traced a part at a time, as many as
// those before them have shown to be the better number.
#include "tests/host/cpu/rays/expected_batches.hpp"
#include "tests/support/random_points.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::testing {
namespace {

using detail::RayAnswer;
using detail::RayBatches;
using detail::RayPools;
using detail::RayQuery;
using detail::RayRun;
using detail::SimdKernels;

constexpr std::uint32_t few_rays = 1u << 16, first_rays = 1u << 14;

/// A few rays and their answers, of which a long job takes one after the other at random.
struct Job {
  ShapesView shapes;
  std::vector<Ray> kinds;
  std::vector<Best> answers;
  std::vector<std::uint32_t> kind;  ///< of each ray
  std::vector<Ray> rays;

  Job(const Built& built, const std::vector<Ray>& of, std::size_t count, std::uint64_t seed)
      : shapes(built.scene.view()), kinds(of) {
    for (const Ray& ray : kinds) {
      answers.push_back(best_of(built.scene.view(), make_query(ray, Inside::solid)));
    }
    Random r(seed);
    for (std::size_t i = 0; i < count; ++i) {
      kind.push_back(static_cast<std::uint32_t>(r.bits() % kinds.size()));
      rays.push_back(kinds[kind[i]]);
    }
  }
};

/// Runs of all sizes with gaps between them, one of them long, within [0, count).
std::vector<RayRun> runs_within(std::uint32_t count, std::uint64_t seed) {
  Random r(seed);
  std::vector<RayRun> runs;
  std::uint32_t first = static_cast<std::uint32_t>(r.below(70));
  while (first < count) {
    const auto n =
        static_cast<std::uint32_t>(runs.size() == 3 ? r.between(20000, 30000) : r.between(1, 3000));
    runs.push_back({first, std::min(n, count - first)});
    first += n + static_cast<std::uint32_t>(r.between(1, 200));
  }
  return runs;
}

/// Traces the runs, expects of their rays, and of no others, what brute force answers, in their
/// order.
void expect_answers(RayBatches& batches, const Job& job, const std::vector<RayRun>& runs,
                    RayQuery query, const std::string& what) {
  std::vector<std::uint32_t> expected, seen;
  for (const RayRun& run : runs) {
    for (std::uint32_t i = 0; i < run.count; ++i) expected.push_back(run.first + i);
  }
  std::size_t flaws = 0;
  const auto use = [&](std::uint32_t i, const RayAnswer& r) {
    seen.push_back(i);
    const std::string flaw =
        answer_difference(r, job.shapes, job.rays.at(i), job.answers[job.kind[i]], query);
    if (!flaw.empty() && flaws++ < 3) ADD_FAILURE() << what << ", ray " << i << ": " << flaw;
  };
  const detail::Threads one(1);  // of several each has its own batches
  one.run([&] { batches.trace_runs(rows_of(job.rays), runs, use); });
  EXPECT_EQ(batches.size(), 0u) << what;
  EXPECT_EQ(flaws, 0u) << what;
  EXPECT_EQ(seen, expected) << what;
}

/// Rays into the streets of a city, which visit many nodes.
std::vector<Ray> rays_into(const Scene& scene, std::size_t count) {
  Random r(5);
  const Aabb all = scene.bounds();
  std::vector<Ray> rays(count);
  for (Ray& ray : rays) {
    const Vec3 u = r.vec(0.1f, 0.9f);
    ray.origin = {all.min.x + u.x * (all.max.x - all.min.x),
                  all.min.y + u.y * (all.max.y - all.min.y),
                  all.min.z + 0.2f * u.z * (all.max.z - all.min.z)};
    ray.direction = r.vec(-1, 1);
    ray.direction.z *= 0.05f;
  }
  return rays;
}

/// Rays from beside the scene away from it, which visit its root alone.
std::vector<Ray> rays_away(const Scene& scene, std::size_t count) {
  Random r(6);
  const Aabb all = scene.bounds();
  std::vector<Ray> rays(count);
  for (Ray& ray : rays) {
    ray.origin = plus(all.max, r.vec(1, 9));
    ray.direction = r.vec(0.1f, 1);
    ray.t_min = r.one_in(30) ? -1.0f : 0.0f;
  }
  return rays;
}

struct RayRuns : ::testing::Test {
  static const Built& city() {
    static const Built built(make_scene(SceneFamily::city, 9000, 3));
    return built;
  }
};

TEST_F(RayRuns, ThatVisitManyNodesAreTakenManyAtATime) {
  ASSERT_GT(city().tree.bvh.nodes.size(), 1024u);
  const Job job(city(), rays_into(city().scene, 400), 60000, 1);
  for_each_simd([&](const SimdKernels& simd) {
    for (const RayQuery query : {RayQuery::closest, RayQuery::any}) {
      RayPools pools;
      RayBatches batches(city().trace_scene(), simd, query, Inside::solid, pools);
      batches.set_grid(detail::grid_over(rows_of(job.rays), query == RayQuery::any));
      const std::string what =
          simd.name + std::string(query == RayQuery::any ? ", any" : ", closest");
      EXPECT_EQ(batches.room(), first_rays);
      expect_answers(batches, job, {{7, first_rays}}, query, what);
      EXPECT_EQ(batches.room(), RayBatches::most_rays) << what;
      expect_answers(batches, job, runs_within(60000, 2), query, what);
      EXPECT_EQ(batches.room(), RayBatches::most_rays) << what;
    }
  });
}

TEST_F(RayRuns, ThatVisitFewNodesAreTakenFewAtATime) {
  const Job job(city(), rays_away(city().scene, 400), 200000, 1);
  for_each_simd([&](const SimdKernels& simd) {
    RayPools pools;
    RayBatches batches(city().trace_scene(), simd, RayQuery::closest, Inside::solid, pools);
    batches.set_grid(detail::grid_over(rows_of(job.rays), false));
    expect_answers(batches, job, runs_within(200000, 3), RayQuery::closest, simd.name);
    EXPECT_EQ(batches.room(), few_rays) << simd.name;
  });
}

// More than are ever traced at a time.
TEST_F(RayRuns, BeyondTheMost) {
  const std::uint32_t count = first_rays + RayBatches::most_rays + 1000;
  const Job job(city(), rays_into(city().scene, 400), count, 1);
  const SimdKernels& simd = detail::choose_simd(Lanes::automatic);
  RayPools pools;
  RayBatches batches(city().trace_scene(), simd, RayQuery::any, Inside::solid, pools);
  batches.set_grid(detail::grid_over(rows_of(job.rays), true));
  expect_answers(batches, job, {{0, count}}, RayQuery::any, simd.name);
  EXPECT_EQ(batches.room(), RayBatches::most_rays);
}

// As the rays turn from those that visit many nodes to others and back.
TEST_F(RayRuns, OfBothKindsInTurn) {
  const Job into(city(), rays_into(city().scene, 400), 40000, 1);
  const Job away(city(), rays_away(city().scene, 400), 90000, 2);
  for_each_simd([&](const SimdKernels& simd) {
    RayPools pools;
    RayBatches batches(city().trace_scene(), simd, RayQuery::any, Inside::solid, pools);
    batches.set_grid(detail::grid_over(rows_of(into.rays), true));
    for (std::uint64_t turn = 0; turn < 3; ++turn) {
      const std::string what = simd.name + (", turn " + std::to_string(turn));
      expect_answers(batches, into, runs_within(40000, turn + 1), RayQuery::any, what);
      EXPECT_EQ(batches.room(), RayBatches::most_rays) << what;
      expect_answers(batches, away, runs_within(90000, turn + 11), RayQuery::any, what);
      EXPECT_EQ(batches.room(), few_rays) << what;
    }
  });
}

/// Thin rods, whose boxes are in the way of most rays that they themselves are not.
Scene rods(int count) {
  Random r(7);
  Scene scene;
  for (int k = 0; k < count; ++k) scene.add_capsule({r.vec(-9, 9), r.vec(-9, 9), 0.01f});
  return scene;
}

// Of a small tree rays may visit many nodes: it stays in the caches all the same.
TEST(RayRunsOverASmallTree, AreTakenFewAtATime) {
  const Built built(rods(700));
  ASSERT_LE(built.tree.bvh.nodes.size(), 1024u);
  const Job job(built, rays_into(built.scene, 400), 60000, 1);
  for_each_simd([&](const SimdKernels& simd) {
    RayPools pools;
    RayBatches batches(built.trace_scene(), simd, RayQuery::closest, Inside::solid, pools);
    batches.set_grid(detail::grid_over(rows_of(job.rays), false));
    expect_answers(batches, job, runs_within(60000, 4), RayQuery::closest, simd.name);
    EXPECT_EQ(batches.room(), few_rays) << simd.name;
  });
}

TEST_F(RayRuns, NoneAtAll) {
  const Job job(city(), rays_away(city().scene, 5), 100, 1);
  for_each_simd([&](const SimdKernels& simd) {
    RayPools pools;
    RayBatches batches(city().trace_scene(), simd, RayQuery::closest, Inside::solid, pools);
    expect_answers(batches, job, {}, RayQuery::closest, simd.name);
    EXPECT_EQ(batches.room(), first_rays);
  });
}

/// Rays of which every other run is filtered: a part that is traced early must leave no filter.
TEST_F(RayRuns, OfSightsWithFilters) {
  const Built built(make_scene(SceneFamily::random, 30, 2));
  constexpr std::uint32_t count = 60000, kinds = 300;
  const auto from = random_points(built.scene, kinds, 3), to = random_points(built.scene, kinds, 4);
  std::vector<SightPoint> first, second;
  for (std::uint32_t i = 0; i < count; ++i) {
    first.push_back(from[i * 7 % kinds]);
    second.push_back(to[i * 7 % kinds]);
  }
  std::vector<int> expected;
  for (std::uint32_t k = 0; k < kinds; ++k) {
    const SightQuery s = sight_query(from[k], to[k], {});
    expected.push_back(s.possible && !is_blocked(built.scene.view(), s.query));
  }
  for_each_simd([&](const SimdKernels& simd) {
    RayPools pools;
    RayBatches batches(built.trace_scene(), simd, RayQuery::sight, Inside::solid, pools);
    std::uint64_t flaws = 0, seen = 0, places = 0;
    const auto runs = runs_within(count, 5);
    batches.trace_runs(detail::Sights{count, rows_of(first), rows_of(second), {}}, runs,
                       [&](std::uint32_t i, const RayAnswer& r) {
                         const bool clear = !is_bad(r) && r.id == none;
                         flaws += clear != (expected[i * 7 % kinds] != 0);
                         ++seen;
                         places += i;
                       });
    std::uint64_t all = 0, sum = 0;
    for (const RayRun& run : runs) {
      for (std::uint32_t i = 0; i < run.count; ++i) sum += run.first + i;
      all += run.count;
    }
    EXPECT_EQ(flaws, 0u) << simd.name;
    EXPECT_EQ(seen, all) << simd.name;
    EXPECT_EQ(places, sum) << simd.name;
  });
}

}  // namespace
}  // namespace sightline::testing
