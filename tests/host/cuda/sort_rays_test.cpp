// Rays that the cuda backend sorts before it casts them: when, in whose memory, and never at the
// cost of an answer. On the stand-in device.
#include "host/cuda/device/ray_sorter.hpp"
#include "host/cuda/device/scene.hpp"
#include "tests/host/cuda/fixture.hpp"
#include "tests/standin/standin.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/refusal.hpp"

namespace sightline::testing {
namespace {

using cuda::RaySorter;

constexpr Aabb box = {{0, 0, 0}, {1, 1, 1}};

class SortRaysTest : public ::testing::Test {
 protected:
  void TearDown() override {
    standin::set_plan({});
    EXPECT_EQ(standin::state().allocations, 0u);
    EXPECT_EQ(standin::state().pools, 0u);
  }
};

TEST_F(SortRaysTest, AlwaysSortsAndTheOthersNever) {
  const RaySorter always(SortRays::always, &box);
  EXPECT_TRUE(always.sorts(1));
  EXPECT_TRUE(always.sorts(0xFFFFFFFFu));
  EXPECT_FALSE(always.sorts(0));
  EXPECT_FALSE(always.sorts(std::uint64_t{1} << 32)) << "an order cannot number them";
  for (const SortRays other : {SortRays::automatic, SortRays::never}) {
    EXPECT_FALSE(RaySorter(other, &box).sorts(1));
    EXPECT_FALSE(RaySorter(other, &box).sorts(std::uint64_t{1} << 24));
  }
  EXPECT_FALSE(RaySorter(SortRays::always, nullptr).sorts(1));
}

/// How many calls of the runtime a cast takes.
std::uint64_t calls_of(const Caster& caster, const std::vector<Ray>& rays) {
  const std::uint64_t before = standin::state().calls;
  answers_of(caster, rows_of(rays), Inside::solid);
  return standin::state().calls - before;
}

TEST_F(SortRaysTest, SortsWhereATreeIsCastInAndNowhereElse) {
  const Scene scene = make_scene(SceneFamily::random, 100, 3);
  const std::vector<Ray> rays = trouble(scene, 500, 4);
  for (const Search search : {Search::tree, Search::brute_force}) {
    const Caster plain(scene, Backend::cuda, {.search = search, .sort = SortRays::never}),
        sorted(scene, Backend::cuda, {.search = search, .sort = SortRays::always});
    calls_of(plain, rays), calls_of(sorted, rays);  // workspaces are made
    if (search == Search::tree) {
      EXPECT_LT(calls_of(plain, rays), calls_of(sorted, rays));
    } else {
      EXPECT_EQ(calls_of(plain, rays), calls_of(sorted, rays));
    }
  }
}

// The memory of a sort is the stream's: given back when it has come there, and the call has not
// waited for that. The pool keeps it for the next sort, until it is trimmed.
TEST_F(SortRaysTest, DoesNotWaitAndGivesBackInTheStreamsOrder) {
  standin::Plan plan;
  plan.schedule = standin::Schedule::late;
  standin::set_plan(plan);
  const Scene scene = make_scene(SceneFamily::random, 100, 5);
  const cuda::MemoryPool pool(0);
  const cuda::ResidentScene device(scene.view(), {.search = Search::tree}, pool);
  pool.trim();
  const cuda::OwnStream stream;
  RaysView rays;
  rays.count = 1000;
  rays.direction.x.common = 1;
  const std::uint64_t before = standin::state().device_bytes;
  std::uint64_t kept = 0;
  for (int sort = 0; sort < 3; ++sort) {
    {
      const cuda::DeviceRayOrder order =
          device.sorter(SortRays::always).order(rays, {pool, stream.get()});
      ASSERT_NE(order.get(), nullptr);
      EXPECT_GE(standin::state().unfinished, 2u);
      EXPECT_GE(standin::state().device_bytes, before + 8'000);
      EXPECT_LE(standin::state().device_bytes, before + 16'000);
    }
    EXPECT_GE(standin::state().unfinished, 3u);
    stream.synchronize();
    EXPECT_GT(standin::state().device_bytes, before);
    if (sort == 0) kept = standin::state().device_bytes;
    EXPECT_EQ(standin::state().device_bytes, kept) << "taken anew";
    EXPECT_EQ(pool.bytes(), kept - before);
  }
  pool.trim();
  EXPECT_EQ(standin::state().device_bytes, before);
}

TEST_F(SortRaysTest, SortsAlongTheCurveOfTheScenesBox) {
  Scene scene;
  for (int i = 0; i <= 100; ++i) scene.add_sphere({{static_cast<float>(i), 0, 0}, 0.5f});
  const cuda::MemoryPool pool(0);
  for (const TreeBuild build : {TreeBuild::fast, TreeBuild::careful}) {
    const cuda::ResidentScene device(scene.view(), {.search = Search::tree, .build = build}, pool);
    const cuda::OwnStream stream;
    const float x[] = {95, 70, 45, 20};
    RaysView rays;
    rays.count = std::size(x);
    rays.origin.x = x;
    rays.direction.y.common = 1;
    const cuda::DeviceRayOrder order =
        device.sorter(SortRays::always).order(rays, {pool, stream.get()});
    stream.synchronize();
    for (std::uint32_t k = 0; k < rays.count; ++k) EXPECT_EQ(order.get()[k], 3 - k);
  }
}

TEST_F(SortRaysTest, NamesTheBytesWhereMemoryIsShort) {
  const cuda::OwnStream stream;
  const cuda::MemoryPool pool(0);
  RaysView rays;
  rays.count = std::uint64_t{1} << 20;
  standin::Plan plan;
  plan.memory_bytes = 1000;
  standin::set_plan(plan);
  expect_error(ErrorKind::out_of_memory, {"4194304 bytes"}, [&] {
    RaySorter(SortRays::always, &box).order(rays, {pool, stream.get()});
  });
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(SortRaysTest, WithoutMemoryPoolsAlwaysIsRefused) {
  standin::Plan plan;
  plan.memory_pools = false;
  standin::set_plan(plan);
  const Scene scene = make_scene(SceneFamily::random, 100, 6);
  // Trees are built all the same, by memory of their own.
  const std::vector<Ray> rays = trouble(scene, 300, 7);
  const Caster automatic(scene, Backend::cuda), truth(scene, Backend::reference);
  EXPECT_EQ(first_difference(answers_of(truth, rows_of(rays), Inside::solid),
                             answers_of(automatic, rows_of(rays), Inside::solid)),
            rays.size());
  expect_error(ErrorKind::device, {"no memory pools"},
               [&] { Caster(scene, Backend::cuda, {.sort = SortRays::always}); });
}

}  // namespace
}  // namespace sightline::testing
