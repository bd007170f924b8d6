// Memory that threads take and give back.
#include "tests/host/cpu/rays/expected_batches.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <atomic>
#include <set>
#include <thread>

namespace sightline::testing {
namespace {

using detail::BatchMemory;
using detail::ObjectPool;
using detail::RayAnswer;
using detail::RayBatches;
using detail::RayPools;
using detail::RayQuery;
using detail::SimdKernels;

TEST(RayPools, WhatIsGivenBackIsTakenAgain) {
  ObjectPool<BatchMemory> pools;
  const BatchMemory* first = nullptr;
  {
    const auto taken = pools.take();
    ASSERT_NE(taken, nullptr);
    first = taken.get();
    taken->records.resize(100);
  }
  const auto again = pools.take();
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(again->records.size(), 100u) << "kept as it was";
}

TEST(RayPools, TakenAtOnceTheyDiffer) {
  ObjectPool<BatchMemory> pools;
  std::set<const BatchMemory*> all;
  for (int round = 0; round < 2; ++round) {
    const auto a = pools.take(), b = pools.take(), c = pools.take();
    const std::set<const BatchMemory*> here = {a.get(), b.get(), c.get()};
    EXPECT_EQ(here.size(), 3u);
    all.insert(here.begin(), here.end());
  }
  EXPECT_EQ(all.size(), 3u) << "the second round takes what the first gave back";
}

TEST(RayPools, OneThreadsAreNoOthers) {
  ObjectPool<detail::RayMemory> pools;
  std::atomic<int> flaws{0};
  std::vector<std::thread> threads;
  for (std::uint32_t k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      for (int round = 0; round < 2000; ++round) {
        const auto taken = pools.take();
        taken->keys.assign(8, k);
        for (const std::uint32_t key : taken->keys) flaws += key != k;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(flaws, 0);
}

/// A row of spheres so that each is half as far from the end as the one before: a deep tree.
Scene deep_scene() {
  Scene scene;
  for (int k = 0; k < 60; ++k) {
    const float x = std::ldexp(1.0f, k - 30);
    scene.add_sphere({{x, 0, 0}, 0.2f * x});
  }
  return scene;
}

// The memory of a call over one scene serves the next over another, whatever its tree.
TEST(RayPools, ServeScenesOfAnyDepth) {
  const Built flat(make_scene(SceneFamily::random, 5, 1)), deep(deep_scene()),
      large(make_scene(SceneFamily::random, 3000, 2));
  ASSERT_LT(flat.tree.bvh.depth, deep.tree.bvh.depth);
  ASSERT_LT(flat.tree.bvh.depth, large.tree.bvh.depth);
  const detail::Threads one(1);  // or another's memory has the largest batch
  for_each_simd([&](const SimdKernels& simd) {
    RayPools pools;
    for (const Built* built : {&flat, &deep, &flat, &large, &deep, &flat}) {
      for (const std::uint64_t n : {3u, 700u, 5000u, 1u}) {
        const auto rays = random_rays(built->scene, n, n + 1);
        RayBatches batches(built->trace_scene(), simd, RayQuery::closest, Inside::solid, pools);
        batches.add(rows_of(rays));
        std::vector<RayAnswer> answers;
        one.run([&] { answers = traced(batches); });
        for (std::size_t i = 0; i < n && i < 300; ++i) {
          const Best best = best_of(built->scene.view(), make_query(rays[i], Inside::solid));
          ASSERT_EQ(
              answer_difference(answers[i], built->scene.view(), rays[i], best, RayQuery::closest),
              "")
              << simd.name << ", ray " << i << " of " << n << ": " << text(rays[i]);
        }
      }
      // Some octant has an eighth of the rays, which are one batch.
      const auto taken = pools.batches.take();
      EXPECT_GE(taken->scratch.size(), simd.scratch_bytes(built->tree.bvh.depth, 5000 / 8));
    }
  });
}

}  // namespace
}  // namespace sightline::testing
