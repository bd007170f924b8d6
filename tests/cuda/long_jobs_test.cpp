// Long jobs on a device: it is lost, or the program is killed, in the midst of them; the same
// command goes on, on the device or on the CPU, to the bytes of a run that nothing ended.
#include "tests/cli/long_job.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class LongJobsOnDevice : public LongJobTest {
 protected:
  void SetUp() override {
    make_city(60, 150000);
    make_points(300);
    make_points(9000, "spots.npy", 2);
    make_points(16, "few.npy", 3);
    make_points(70000, "many.npy", 4);
  }
  /// Runs it on a device that is lost at its call number `call`.
  Outcome run_until_lost(std::uint64_t call, const Arguments& job) const {
    RunOptions options;
    options.environment = {{"SIGHTLINE_STANDIN_FAIL", std::to_string(call) + ":700:sticky"}};
    return run(job, options);
  }
  /// Loses the device at each of some calls until something was kept, then goes on by `after`.
  void expect_to_go_on(const Arguments& job, const Arguments& before, const Arguments& after,
                       const std::string& whole) {
    SCOPED_TRACE(job[0] + " on " + before[1] + ", then on " + after[1]);
    std::uint64_t went_on = 0;
    const std::uint64_t least = scaled(4);
    for (std::uint64_t call = 20; went_on < least; call += 1 + call / 4) {
      remove({"out", "out.partial", "out.journal"});
      const Arguments first = job + Arguments{"-o", "out", "--keep-every", "0"} + before;
      const bool on_device = before[1] == "cuda";
      const Outcome ended = on_device ? run_until_lost(call, first) : run_to(call, first);
      if (ended.exit_code == 0) break;
      if (on_device) {
        EXPECT_EQ(ended.exit_code, 4) << ended.err;
      }
      const bool kept = exists("out.journal");
      if (on_device) {
        EXPECT_EQ(ended.said("the same command goes on"), kept) << ended.err;
      }
      const Outcome done = run(job + Arguments{"-o", "out"} + after);
      ASSERT_EQ(done.exit_code, 0) << done.err;
      went_on += done.said("goes on");
      expect_whole("out", whole);
      if (HasFailure()) return;
    }
    EXPECT_GT(went_on, 0u);
  }
};

TEST_F(LongJobsOnDevice, GoOnThereOrOnTheCpu) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  const Arguments jobs[] = {{"cast", "city.st", "--rays", "rays.st", "--normals"},
                            {"visibility", "city.st", "--from", "points.npy", "--to", "spots.npy"},
                            {"exposure", "city.st", "--from", "few.npy", "--to", "many.npy"},
                            {"probes", "city.st", "--points", "points.npy", "--grid", "16"}};
  for (const Arguments& job : jobs) {
    ASSERT_EQ(run(job + Arguments{"-o", "out", "--device", "cpu"}).exit_code, 0);
    const std::string whole = get("out");
    const std::string memory = little_memory(job + Arguments{"-o", "out", "--device", "cuda"});
    const Arguments cpu = {"--device", "cpu", "--max-memory", memory};
    const Arguments cuda = {"--device", "cuda", "--max-memory", memory};
    expect_to_go_on(job, cuda, cuda, whole);
    expect_to_go_on(job, cuda, cpu, whole);
    expect_to_go_on(job, cpu, cuda, whole);
  }
}

}  // namespace
}  // namespace sightline::cli
