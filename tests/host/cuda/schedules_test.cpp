// Work that is done late, in another order, or by threads: the same bytes.
#include "tests/host/cuda/jobs.hpp"
#include "tests/standin/standin.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace sightline::testing {
namespace {

using standin::Plan;
using standin::Schedule;

class Schedules : public ::testing::TestWithParam<Schedule> {
 protected:
  void TearDown() override { standin::set_plan({}); }
  static void start(std::uint64_t seed) {
    Plan plan;
    plan.schedule = GetParam();
    plan.seed = seed;
    standin::set_plan(plan);
  }
  static std::uint64_t seeds() { return std::max<std::uint64_t>(5, scaled(2000)); }

  void same_bytes_by_every_seed(const Job& job, std::uint64_t count = seeds()) {
    const Bytes truth = job.truth();
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
      start(seed);
      Caster caster = job.caster();
      ASSERT_TRUE(job.run(caster) == truth) << job.name << ", seed " << seed;
      // Again, in what it has kept.
      ASSERT_TRUE(job.run(caster) == truth) << job.name << " again, seed " << seed;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(, Schedules, ::testing::Values(Schedule::late, Schedule::threads),
                         [](const auto& test) {
                           return test.param == Schedule::late ? "Late" : "Threads";
                         });

constexpr CudaOptions small_chunks{0, Search::tree, TreeBuild::fast, 64};

TEST_P(Schedules, OfEveryQuery) {
  for (const EveryQuery& query : every_query()) {
    same_bytes_by_every_seed(query_job(query.name, small_chunks, 150), 1 + seeds() / 4);
    if (HasFatalFailure()) return;
  }
}
TEST_P(Schedules, OfACast) {
  same_bytes_by_every_seed(query_job("rays", small_chunks, 700));
  same_bytes_by_every_seed(query_job("rays", {0, Search::brute_force, TreeBuild::fast, 100}, 300));
}
TEST_P(Schedules, OfAllHits) {
  same_bytes_by_every_seed(query_job("all hits", small_chunks, 150));
  same_bytes_by_every_seed(query_job("all hits", {0, Search::tree, TreeBuild::fast, 5}, 20));
}
TEST_P(Schedules, OfVisibility) {
  same_bytes_by_every_seed(query_job("visibility", small_chunks, 90));
}
TEST_P(Schedules, OfUpdates) {
  same_bytes_by_every_seed(update_job(small_chunks));
  same_bytes_by_every_seed(update_job({0, Search::tree, TreeBuild::careful, 64}));
}

TEST_P(Schedules, SeveralThreadsMayAskOneCaster) {
  const Job cast = query_job("rays", small_chunks, 300),
            sight = query_job("visibility", small_chunks, 90);
  const Scene scene = cast.scene;
  Caster reference(scene, ReferenceOptions{});
  const Bytes hits = cast.run(reference), seen = sight.run(reference);
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(2, seeds() / 20); ++seed) {
    start(seed);
    Caster caster(scene, small_chunks);
    std::atomic<int> differing = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < 6; ++k) {
      threads.emplace_back([&, k] {
        for (int again = 0; again < 3; ++again) {
          const bool casts = (k + again) % 2 == 0;
          differing += (casts ? cast : sight).run(caster) != (casts ? hits : seen);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(differing, 0) << "seed " << seed;
  }
}

// One thread's query fails; the others' answers are right or they hear of an error too.
TEST_P(Schedules, AFaultInOneThreadSpoilsNoOther) {
  const Job cast = query_job("rays", small_chunks, 300),
            sight = query_job("visibility", small_chunks, 90);
  Caster reference(cast.scene, ReferenceOptions{});
  const Bytes hits = cast.run(reference), seen = sight.run(reference);
  start(1);
  const standin::State before = standin::state();
  const std::uint64_t steps = std::max<std::uint64_t>(4, seeds() / 2);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t n = 30 + 400 * step / steps;
    Plan plan;
    plan.schedule = GetParam();
    plan.seed = plan.failing_call = n;
    plan.error = step % 2 == 0 ? cudaErrorLaunchOutOfResources : cudaErrorIllegalAddress;
    plan.sticky = step % 2 != 0;
    standin::set_plan(plan);
    std::atomic<int> differing = 0;
    std::atomic<int> errors = 0;
    try {
      Caster caster(cast.scene, small_chunks);
      std::vector<std::thread> threads;
      for (int k = 0; k < 4; ++k) {
        threads.emplace_back([&, k] {
          try {
            differing += (k % 2 == 0 ? cast : sight).run(caster) != (k % 2 == 0 ? hits : seen);
          } catch (const Error& error) {
            ++errors;
            differing += error.kind() != ErrorKind::device;
          }
        });
      }
      for (std::thread& thread : threads) thread.join();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device) << error.what();
    }
    ASSERT_EQ(differing, 0) << "call " << n;
    ASSERT_TRUE(plan.sticky || errors <= 1) << "call " << n;
    ASSERT_EQ(standin::state().allocations, before.allocations) << "call " << n;
    ASSERT_EQ(standin::state().streams, before.streams) << "call " << n;
  }
}

}  // namespace
}  // namespace sightline::testing
