// Every call of the library while the system refuses memory or threads. It throws
// Error{out_of_memory} or answers as always. Afterwards it answers again.
#include "tests/host/door/shortage/jobs.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/scale.hpp"

#include <sightline/error.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace sightline::testing {
namespace {

enum class End { done, no_memory, another_error, another_exception };

struct Ended {
  End how = End::done;
  std::uint64_t sum = 0;
  long calls = 0;
};

/// Runs a job while calls fail; it tells how it has ended when none fails any more.
Ended run_short_of(const FailurePlan& plan, const ShortageJob& job) {
  Ended ended;
  set_failure_plan(plan);
  try {
    ended.sum = job.run();
  } catch (const Error& error) {
    const bool no_memory = error.kind() == ErrorKind::out_of_memory;
    ended.how = no_memory ? End::no_memory : End::another_error;
  } catch (const std::exception&) {
    ended.how = End::another_exception;
  }
  ended.calls = planned_calls();
  set_failure_plan({});
  return ended;
}

void fail_allocations(int threads, bool on) {
  for (const ShortageJob& job : shortage_jobs(threads)) {
    const std::uint64_t truth = job.run();
    const Ended whole = run_short_of({Call::memory, 0, false, ENOMEM}, job);
    ASSERT_EQ(whole.sum, truth) << job.name;
    const auto calls = static_cast<std::uint64_t>(whole.calls);
    const std::uint64_t stride = std::max<std::uint64_t>(1, calls / scaled(24));
    std::uint64_t refused = 0;
    for (std::uint64_t i = 1; i <= calls; i += stride) {
      SCOPED_TRACE(std::string(job.name) + ", allocation " + std::to_string(i) + " of " +
                   std::to_string(calls));
      const Ended ended = run_short_of({Call::memory, static_cast<long>(i), on, ENOMEM}, job);
      EXPECT_TRUE(ended.how == End::done || ended.how == End::no_memory)
          << "end " << static_cast<int>(ended.how);
      if (ended.how == End::done) {
        EXPECT_EQ(ended.sum, truth);
      }
      refused += ended.how == End::no_memory;
      EXPECT_EQ(job.run(), truth) << "afterwards";
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_TRUE(calls == 0 || refused > 0) << job.name << ": no allocation was missed";
  }
}

TEST(Shortage, AnAllocation) { fail_allocations(1, false); }
TEST(Shortage, AnAllocationOfTwoThreads) { fail_allocations(2, false); }
TEST(Shortage, EveryAllocationFromOneOn) { fail_allocations(1, true); }
TEST(Shortage, EveryAllocationFromOneOnOfTwoThreads) { fail_allocations(2, true); }

/// In a process of its own, which has no thread yet: builds a caster of `threads` threads while
/// the system refuses some, and ends with 0 where it answers as the reference does.
[[noreturn]] void answer_without_threads(const FailurePlan& plan, int threads) {
  constexpr std::uint64_t rays = 4000;
  const Scene scene = shortage_scene(400);
  std::vector<Vec3> from(rays), to(rays);
  for (std::uint64_t i = 0; i < rays; ++i) {
    const float x = static_cast<float>(i % 97) - 48, y = static_cast<float>(i % 89) - 44;
    from[i] = {x / 5, y / 5, -20};
    to[i] = {y / 500, x / 500, 1};
  }
  std::vector<std::uint32_t> truth(rays), id(rays);
  Caster(scene, ReferenceOptions{}).closest_hit({from, to}, {.id = truth});
  set_failure_plan(plan);
  try {
    for (int again = 0; again < 2; ++again) {
      const Caster caster(scene, CpuOptions{.threads = threads});
      caster.closest_hit({from, to}, {.id = id});
      if (id != truth) std::_Exit(1);
    }
  } catch (const Error& error) {
    std::_Exit(error.kind() == ErrorKind::out_of_memory ? 5 : 2);
  } catch (...) {
    std::_Exit(3);
  }
  std::_Exit(0);
}

// Refused at any number, alone or with all that follow.
TEST(Shortage, ThreadsAreFewer) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int threads : {0, 2, 5}) {
    for (long first = 1; first <= 9; ++first) {
      for (const bool on : {false, true}) {
        EXPECT_EXIT(answer_without_threads({Call::thread, first, on, EAGAIN}, threads),
                    ::testing::ExitedWithCode(0), "")
            << threads << " threads, refused from " << first << " on";
      }
    }
  }
}

}  // namespace
}  // namespace sightline::testing
