// A device that is short of memory: smaller chunks and the same bytes, or an error that says how
// many bytes there was no room for.
#include "tests/host/cuda/jobs.hpp"
#include "tests/standin/standin.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>

namespace sightline::testing {
namespace {

using standin::Plan;

/// Whether a number of bytes is named.
bool names_bytes(std::string_view words) {
  const std::size_t at = words.find(" bytes");
  return at != std::string_view::npos && at > 0 && words[at - 1] >= '0' && words[at - 1] <= '9';
}

class MemoryLimits : public ::testing::Test {
 protected:
  void TearDown() override { standin::set_plan({}); }
  static void limit(std::uint64_t bytes) {
    Plan plan;
    plan.memory_bytes = plan.seed = bytes;
    standin::set_plan(plan);
  }
  static std::uint64_t peak_of(const Job& job) {
    limit(std::uint64_t{1} << 30);
    Caster caster = job.caster();
    job.run(caster);
    return standin::state().peak_device_bytes;
  }

  /// Does the job under every limit from nothing to what it would take: what was enough once, and a
  /// quarter more, is enough from there on. With a little less than the device's build takes, the
  /// host builds a tree that takes less of the device than the device's.
  static void same_bytes_or_the_error(const Job& job, bool in_less) {
    const Bytes truth = job.truth();
    const std::uint64_t peak = peak_of(job);
    const standin::State before = standin::state();
    const std::uint64_t steps = std::max<std::uint64_t>(16, scaled(2000));
    std::optional<std::uint64_t> enough;
    for (std::uint64_t step = 0; step <= steps; ++step) {
      const std::uint64_t bytes = peak * step / steps;
      limit(bytes);
      const std::string where = std::string(job.name) + ", " + std::to_string(bytes) + " of " +
                                std::to_string(peak) + " bytes";
      try {
        Caster caster = job.caster();
        ASSERT_TRUE(job.run(caster) == truth) << where;
        if (!enough) enough = bytes;
      } catch (const Error& error) {
        ASSERT_EQ(error.kind(), ErrorKind::out_of_memory) << where << ": " << error.what();
        ASSERT_TRUE(names_bytes(error.what())) << where << ": " << error.what();
        ASSERT_FALSE(enough.has_value() && bytes > *enough + *enough / 4)
            << where << ", but " << *enough << " were enough: " << error.what();
      }
      ASSERT_EQ(standin::state().allocations, before.allocations) << where;
      ASSERT_LE(standin::state().peak_device_bytes, bytes) << where;
    }
    ASSERT_TRUE(enough.has_value()) << job.name;
    EXPECT_TRUE(!in_less || *enough < peak) << job.name << " knows no smaller chunks";
  }
};

constexpr CudaOptions fast_build{0, Search::tree, TreeBuild::fast, 0};

TEST_F(MemoryLimits, OfACast) {
  same_bytes_or_the_error(query_job("rays", fast_build, 2000), true);
}
TEST_F(MemoryLimits, OfACastByBruteForce) {
  same_bytes_or_the_error(query_job("rays", {0, Search::brute_force, TreeBuild::fast, 0}, 2000),
                          true);
}
TEST_F(MemoryLimits, OfAllHits) {
  same_bytes_or_the_error(query_job("all hits", fast_build, 1000), true);
}
TEST_F(MemoryLimits, OfVisibility) {
  same_bytes_or_the_error(query_job("visibility", fast_build, 200), true);
}
TEST_F(MemoryLimits, OfEveryQuery) {
  for (const EveryQuery& query : every_query()) {
    same_bytes_or_the_error(query_job(query.name, fast_build, 100), false);
    if (HasFatalFailure()) return;
  }
}
TEST_F(MemoryLimits, OfUpdates) { same_bytes_or_the_error(update_job(fast_build), false); }

TEST_F(MemoryLimits, ACasterThatFoundNoRoomAnswersWhenThereIsSome) {
  const Job job = query_job("rays", fast_build, 2000);
  const Bytes truth = job.truth();
  limit(std::uint64_t{1} << 30);
  Caster caster = job.caster();
  limit(standin::state().device_bytes + 100);
  EXPECT_THROW(job.run(caster), Error);
  limit(std::uint64_t{1} << 30);
  EXPECT_TRUE(job.run(caster) == truth);
}

}  // namespace
}  // namespace sightline::testing
