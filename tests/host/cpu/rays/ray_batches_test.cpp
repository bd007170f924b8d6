// Chunks of rays through the wide tree by lanes, against brute force: answers of every size of
// chunk, in mixed octants, with filters and with shapes that no tree holds.
#include "tests/host/cpu/rays/expected_batches.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::testing {
namespace {

using detail::RayAnswer;
using detail::RayBatches;
using detail::RayPools;
using detail::RayQuery;
using detail::SimdKernels;

void expect_answers(const Built& built, const std::vector<Ray>& rays, Inside inside,
                    const std::string& what) {
  std::vector<Best> expected;
  for (const Ray& ray : rays) {
    expected.push_back(best_of(built.scene.view(), make_query(ray, inside)));
  }
  RayPools pools;
  for_each_simd([&](const SimdKernels& simd) {
    for (const RayQuery query : {RayQuery::closest, RayQuery::any}) {
      RayBatches batches(built.trace_scene(), simd, query, inside, pools);
      batches.set_grid(detail::grid_over(rows_of(rays), query == RayQuery::any));
      batches.add(rows_of(rays));
      const std::vector<RayAnswer> answers = traced(batches);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        ASSERT_EQ(answer_difference(answers[i], built.scene.view(), rays[i], expected[i], query),
                  "")
            << simd.name << ", " << what << ", ray " << i << " of " << rays.size() << ": "
            << text(rays[i]);
      }
    }
  });
}

TEST(RayBatches, EveryNumberOfRays) {
  for (const SceneFamily family : ray_families) {
    const Built built(make_scene(family, 90, 7));
    for (std::size_t n = 0; n <= 200; ++n) {
      const auto rays = trouble(built.scene, n, n + 1);
      expect_answers(built, rays, every_policy[n % 3], name_of(family));
      if (HasFatalFailure()) return;
    }
  }
}

// Around the size of a batch, and with all rays in one octant beyond it.
TEST(RayBatches, AsManyRaysAsABatchHolds) {
  const Built built(make_scene(SceneFamily::random, 60, 9));
  for (const std::size_t n : {16383u, 16384u, 16385u, 32769u}) {
    auto rays = random_rays(built.scene, n, n);
    expect_answers(built, rays, Inside::solid, "mixed octants");
    for (Ray& ray : rays) {
      const Vec3 d = ray.direction;
      ray.direction = {-abs(d.x), abs(d.y), -abs(d.z)};
    }
    expect_answers(built, rays, Inside::surface, "one octant");
    if (HasFatalFailure()) return;
  }
}

// So large a tree that lists grow short on the way down.
TEST(RayBatches, OverALargeTree) {
  const Built built(make_scene(SceneFamily::city, 9000, 3));
  ASSERT_GT(built.tree.bvh.nodes.size(), 1024u);
  expect_answers(built, trouble(built.scene, std::max<std::uint64_t>(600, scaled(6000)), 11),
                 Inside::solid, "city");
}

// Equal shapes: the answer is the least id, whichever is met first.
TEST(RayBatches, AmongEqualsTheLowestId) {
  Scene scene;
  for (int k = 0; k < 100; ++k) {
    scene.add_sphere({{0, 0, 0}, 1});
    scene.add_aabb({{-1, -1, -1}, {1, 1, 1}});
    scene.add_plane({{0, 0, 1}, -1});
  }
  const Built built(std::move(scene));
  expect_answers(built, random_rays(built.scene, 500, 2), Inside::solid, "equal shapes");
}

TEST(RayBatches, NothingAndUnboundedShapesAlone) {
  const Built empty{Scene()};
  Scene planes;
  planes.add_plane({{0, 0, 1}, 0});
  planes.add_plane({{1, 0, 0}, -3});
  const Built unbounded(std::move(planes));
  const Scene other = make_scene(SceneFamily::random, 20, 4);
  for (const Inside inside : every_policy) {
    expect_answers(empty, random_rays(other, 100, 5), inside, "no shapes");
    expect_answers(unbounded, random_rays(other, 100, 5), inside, "planes");
  }
}

/// Shapes of every kind without masks and groups, so that filters are the rays' alone.
Scene plain_scene(std::uint64_t seed) {
  Random r(seed);
  Scene scene;
  for (int k = 0; k < 40; ++k) {
    scene.add_aabb(random_shape<Aabb>(r, r.vec(-20, 20), 4));
    scene.add_sphere(random_shape<Sphere>(r, r.vec(-20, 20), 4));
    scene.add_capsule(random_shape<Capsule>(r, r.vec(-20, 20), 4));
  }
  scene.add_plane({{0, 0, 1}, -25});
  return scene;
}

/// Takes masks and exclusions from rays and their view.
void unfilter(std::vector<Ray>& rays, RaysView& view) {
  const RaysView all_pass;
  view.mask = all_pass.mask;
  for (Ray& ray : rays) ray.mask = ~0u;
  for (int k = 0; k < 2; ++k) {
    view.exclude[k] = all_pass.exclude[k];
    view.exclude_group[k] = all_pass.exclude_group[k];
    for (Ray& ray : rays) ray.exclude[k] = ray.exclude_group[k] = none;
  }
}

void expect_answers_of(const Built& built, RayBatches& batches, const std::vector<Ray>& rays,
                       const std::string& what) {
  const std::vector<RayAnswer> answers = traced(batches);
  ASSERT_EQ(answers.size(), rays.size());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Best best = best_of(built.scene.view(), make_query(rays[i], Inside::solid));
    ASSERT_EQ(answer_difference(answers[i], built.scene.view(), rays[i], best, RayQuery::closest),
              "")
        << what << ", ray " << i << ": " << text(rays[i]);
  }
}

// One object for all: what a chunk leaves behind must not reach the next.
TEST(RayBatches, PartsWithFiltersAndWithout) {
  const Built plain(plain_scene(1)), masked(make_scene(SceneFamily::lattice, 120, 6));
  const auto check = [](const SimdKernels& simd, const Built& built) {
    RayPools pools;
    RayBatches batches(built.trace_scene(), simd, RayQuery::closest, Inside::solid, pools);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random r(seed);
      std::vector<std::vector<Ray>> parts(static_cast<std::size_t>(r.between(1, 5)));
      std::vector<Ray> all;
      for (auto& rays : parts) {
        const auto n = static_cast<std::uint64_t>(r.one_in(8) ? r.below(6000) : r.between(1, 90));
        rays = random_rays(built.scene, n, r.bits());
        RaysView view = rows_of(rays);
        if (r.one_in(2)) unfilter(rays, view);
        batches.add(view);
        all.insert(all.end(), rays.begin(), rays.end());
      }
      expect_answers_of(built, batches, all, simd.name + (", seed " + std::to_string(seed)));
      if (HasFatalFailure()) return;
    }
  };
  for_each_simd([&](const SimdKernels& simd) {
    check(simd, plain);
    check(simd, masked);
  });
}

TEST(RayBatches, OneMaskOrExclusionForAllRays) {
  const Built built(plain_scene(2));
  for_each_simd([&](const SimdKernels& simd) {
    for (int which = 0; which < 3; ++which) {
      auto rays = random_rays(built.scene, 400, 3);
      RaysView view = rows_of(rays);
      unfilter(rays, view);
      const std::uint32_t id = static_cast<std::uint32_t>(which);
      if (which == 0) view.mask.common = 0;
      if (which > 0) view.exclude[which - 1].common = id;
      for (Ray& ray : rays) {
        if (which == 0) ray.mask = 0;
        if (which > 0) ray.exclude[which - 1] = id;
      }
      RayPools pools;
      RayBatches batches(built.trace_scene(), simd, RayQuery::closest, Inside::solid, pools);
      batches.add(view);
      expect_answers_of(built, batches, rays, simd.name + (", " + std::to_string(which)));
    }
  });
}

TEST(RayBatches, SightsAreWhatTheSegmentsSay) {
  const auto check = [](const SimdKernels& simd, SceneFamily family, std::uint64_t seed) {
    Random r(seed);
    const Built built(r.one_in(2) ? plain_scene(seed) : make_scene(family, 60, seed));
    const auto n = static_cast<std::uint64_t>(r.between(1, 300));
    auto from = random_points(built.scene, n, seed + 1);
    auto to = random_points(built.scene, n, seed + 2);
    PointsView first = rows_of(from), second = rows_of(to);
    const std::uint32_t one = static_cast<std::uint32_t>(r.below(3));
    if (r.one_in(2)) {  // filtered by one exclusion alone
      first.mask = second.mask = PointsView{}.mask;
      first.exclude_group = second.exclude_group = PointsView{}.exclude_group;
      first.exclude = second.exclude = PointsView{}.exclude;
      (r.one_in(2) ? first : second).exclude.common = one;
      for (std::uint64_t i = 0; i < n; ++i) from[i] = first[i], to[i] = second[i];
    }
    SightOptions options;
    options.inside = every_policy[seed % 3];
    if (r.one_in(2)) options.margin = r.uniform(0, 0.4f);
    if (r.one_in(2)) options.range = r.uniform(0, 50);
    RayPools pools;
    RayBatches batches(built.trace_scene(), simd, RayQuery::sight, options.inside, pools);
    batches.add(detail::Sights{n, first, second, options});
    const std::vector<RayAnswer> answers = traced(batches);
    for (std::uint64_t i = 0; i < n; ++i) {
      const SightQuery s = sight_query(from[i], to[i], options);
      const std::string which = std::string(simd.name) + ", " + name_of(family) + ", seed " +
                                std::to_string(seed) + ", pair " + std::to_string(i);
      ASSERT_EQ(is_bad(answers[i]), !s.possible) << which;
      if (!s.possible) continue;
      ASSERT_EQ(answers[i].id != none, is_blocked(built.scene.view(), s.query)) << which;
    }
  };
  for_each_simd([&](const SimdKernels& simd) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      check(simd, ray_family(seed), seed);
      if (HasFatalFailure()) return;
    }
  });
}

}  // namespace
}  // namespace sightline::testing
