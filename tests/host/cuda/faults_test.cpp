// The n-th runtime call fails, for every n of three jobs: a typed error that names the call,
// nothing leaked, and the same caster answers again where the context still lives.
#include "tests/host/cuda/jobs.hpp"
#include "tests/standin/standin.hpp"
#include "tests/support/backends.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace sightline::testing {
namespace {

using standin::Plan;

struct Fault {
  const char* name;
  cudaError_t error;
  bool sticky, report_late;

  bool loses_context() const { return sticky || report_late; }
};
constexpr Fault faults[] = {
    {"OutOfMemory", cudaErrorMemoryAllocation, false, false},
    {"Plain", cudaErrorLaunchOutOfResources, false, false},
    {"Sticky", cudaErrorIllegalAddress, true, false},
    {"Late", cudaErrorIllegalAddress, false, true},
};

/// Calls whose failing harms no answer: they release or put back.
bool may_fail(std::string_view call) {
  constexpr std::string_view calls[] = {
      "cudaFree",         "cudaFreeAsync",         "cudaFreeHost",       "cudaStreamDestroy",
      "cudaEventDestroy", "cudaStreamSynchronize", "cudaMemPoolDestroy", "cudaMemPoolTrimTo"};
  return std::find(std::begin(calls), std::end(calls), call) != std::end(calls);
}

/// Calls that look for a device: there is none then, and the reason is told.
bool looks_for_a_device(std::string_view call) {
  return call == "cudaGetDeviceCount" || call == "cudaGetDeviceProperties";
}

struct Outcome {
  std::optional<Caster> caster;
  std::optional<Error> error;
  Bytes bytes;
  std::string failed;
};

Outcome run(const Job& job) {
  Outcome outcome;
  try {
    outcome.caster.emplace(job.caster());
    outcome.bytes = job.run(*outcome.caster);
  } catch (const Error& error) {
    outcome.error = error;
  }
  outcome.failed = standin::state().failed;
  return outcome;
}

/// The words of an error: one sentence that names the call, and how to go on.
void expect_words(const Error& error, const Fault& fault, const std::string& failed) {
  const std::string words = error.what();
  EXPECT_EQ(words.find('\n'), std::string::npos) << words;
  EXPECT_NE(words.find("cuda"), std::string::npos) << words;
  EXPECT_NE(words.find(cudaGetErrorString(fault.error)), std::string::npos) << words;
  const auto says = [&](const std::string& part) { return words.find(part) != std::string::npos; };
  if (looks_for_a_device(failed)) return;
  EXPECT_EQ(says("lost"), fault.loses_context()) << words;
  // A launcher's own calls and launches go by its name; what is lost unheard is heard later.
  constexpr const char* launchers[] = {
      "build_tree",     "refit_tree",   "tree_area",      "morton_order",  "closest_hit",
      "any_hit",        "shape_bounds", "count_points",   "sight",         "self_sight",
      "reorder_bits",   "sight_pairs",  "widen_tree",     "count_hits",    "fill_hits",
      "fields_of_view", "sweep",        "count_overlaps", "fill_overlaps", "nearest",
      "clearance",      "count_flat",   "fill_flat",      "cast_flat",     "winding"};
  const bool by_launcher = std::any_of(std::begin(launchers), std::end(launchers), says);
  const bool heard_later = fault.report_late || (fault.sticky && may_fail(failed));
  EXPECT_TRUE(says(failed) || by_launcher || heard_later) << words;
}

void expect_no_more(const standin::State& before, const standin::State& now) {
  EXPECT_EQ(now.allocations, before.allocations);
  EXPECT_EQ(now.device_bytes, before.device_bytes);
  EXPECT_EQ(now.pools, before.pools);
  EXPECT_EQ(now.streams, before.streams);
  EXPECT_EQ(now.events, before.events);
}

/// What an outcome must be, whatever call has failed.
void judge(Outcome outcome, const Job& job, const Bytes& truth, const Fault& fault) {
  if (!outcome.error) {
    EXPECT_TRUE(outcome.bytes == truth) << "other bytes";
    const bool not_yet = outcome.failed.empty();  // but at the caster's end
    // A caster of 2D sets has its end within the query.
    const bool at_its_end = job.name == std::string_view("2D") && outcome.failed == "cudaGetDevice";
    EXPECT_TRUE(not_yet || at_its_end || may_fail(outcome.failed) ||
                fault.error == cudaErrorMemoryAllocation);
    return;
  }
  const bool no_memory =
      fault.error == cudaErrorMemoryAllocation && !looks_for_a_device(outcome.failed);
  EXPECT_EQ(outcome.error->kind(), no_memory ? ErrorKind::out_of_memory : ErrorKind::device)
      << outcome.error->what();
  expect_words(*outcome.error, fault, outcome.failed);
  if (!outcome.caster) return;
  if (fault.loses_context()) {
    EXPECT_THROW(cast_all(*outcome.caster), Error);
    return;
  }
  const Caster reference(outcome.caster->scene(), ReferenceOptions{});
  EXPECT_TRUE(cast_all(*outcome.caster) == cast_all(reference)) << "other bytes afterwards";
  EXPECT_TRUE(job.run(*outcome.caster) == truth) << "other bytes when done again";
}

class Faults : public ::testing::TestWithParam<Fault> {
 protected:
  void TearDown() override { standin::set_plan({}); }

  /// Fails each call in turn; at a small scale some of them.
  void fail_every_call(const Job& job, standin::Schedule schedule) {
    const Bytes truth = job.truth();
    Plan plan;
    plan.schedule = schedule;
    standin::set_plan(plan);
    const standin::State before = standin::state();
    ASSERT_TRUE(run(job).bytes == truth);
    const std::uint64_t calls = standin::state().calls;
    ASSERT_GT(calls, 20u);
    plan.error = GetParam().error;
    plan.sticky = GetParam().sticky;
    plan.report_late = GetParam().report_late;
    const std::uint64_t runs = std::min(calls, std::max<std::uint64_t>(16, scaled(20 * calls)));
    for (std::uint64_t i = 0; i < runs; ++i) {
      const std::uint64_t n = 1 + i * calls / runs;
      plan.failing_call = plan.seed = n;
      standin::set_plan(plan);
      Outcome outcome = run(job);
      SCOPED_TRACE(std::string(job.name) + ", call " + std::to_string(n) + " of " +
                   std::to_string(calls) + ", " + outcome.failed);
      judge(std::move(outcome), job, truth, GetParam());
      expect_no_more(before, standin::state());
      if (HasFailure()) return;
    }
  }
  void fail_every_call(const Job& job) {
    fail_every_call(job, standin::Schedule::late);
    fail_every_call(job, standin::Schedule::threads);
  }
};
INSTANTIATE_TEST_SUITE_P(, Faults, ::testing::ValuesIn(faults),
                         [](const auto& test) { return std::string(test.param.name); });

constexpr CudaOptions fast{0, Search::tree, TreeBuild::fast, 64};
constexpr CudaOptions in_pieces{0, Search::tree, TreeBuild::fast, 7};
constexpr CudaOptions careful{0, Search::tree, TreeBuild::careful, 64};
constexpr CudaOptions brute{0, Search::brute_force, TreeBuild::fast, 128};

TEST_P(Faults, InEveryQuery) {
  for (const EveryQuery& query : every_query()) {
    fail_every_call(query_job(query.name, fast, 100));
    if (HasFailure()) return;
  }
}
TEST_P(Faults, InACastByBruteForce) { fail_every_call(query_job("rays", brute, 300)); }
TEST_P(Faults, InAllHitsInPieces) { fail_every_call(query_job("all hits", in_pieces, 20)); }
TEST_P(Faults, InUpdates) { fail_every_call(update_job(fast)); }
TEST_P(Faults, InUpdatesOfACarefulTree) { fail_every_call(update_job(careful)); }

}  // namespace
}  // namespace sightline::testing
