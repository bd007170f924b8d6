// Several devices share the work of one run: the same bytes and counts, also where it is stopped,
// killed or gone on with by others; of the stand-in, where it is there, two cuda devices.
#include "tests/host/program/jobs/long_job.hpp"

#include <csignal>

#include <chrono>
#include <filesystem>
#include <thread>

namespace sightline::cli {
namespace {

using nlohmann::json;

#ifdef SIGHTLINE_ON_STANDIN
const char* const device_lists[] = {"cuda:0,cuda:1", "cuda:1,cpu", "cpu,cuda:0,cuda:1"};
const char* const all_devices = "cuda:0,cuda:1";
#else
const char* const device_lists[] = {"cpu,cpu", "cpu,reference", "reference,cpu,cpu"};
const char* const all_devices = "cpu,cpu,cpu";
#endif

class DevicesTest : public LongJobTest {
 protected:
  void SetUp() override {
    ::setenv("SIGHTLINE_STANDIN_DEVICES", "2", 1);
    make_city(60, 30000);
    make_points(700);
    make_points(150, "few.npy", 2);
  }
  void TearDown() override {
    ::unsetenv("SIGHTLINE_STANDIN_DEVICES");
    LongJobTest::TearDown();
  }
};

TEST_F(DevicesTest, ShareTheWork) {
  const Arguments jobs[] = {{"visibility", "city.st", "--from", "points.npy"},
                            {"visibility", "city.st", "--from", "few.npy", "--to", "points.npy"},
                            {"cast", "city.st", "--rays", "rays.st", "--normals"},
                            {"cast", "city.st", "--rays", "rays.st", "--query", "any"},
                            {"exposure", "city.st", "--from", "few.npy", "--to", "points.npy"},
                            {"distance", "city.st", "--points", "points.npy", "--k", "3"},
                            {"cover", "city.st", "--points", "points.npy", "--at", "1.7"}};
  for (const Arguments& job : jobs) {
    for (const char* of_another_kind : {"one", "two", "many"}) {
      std::filesystem::remove(path(of_another_kind));
    }
    const json one = json_of(job, {"-o", "one", "--device", "cpu"});
    for (const char* list : device_lists) {
      SCOPED_TRACE(job[0] + " on " + list);
      // A shard is cut into units, so that there is more than one part.
      for (int i = 0; i < 2; ++i) {
        json_of(job, {"-o", "two", "--device", list, "--shard", std::to_string(i) + "/2"});
      }
      json_of({"merge", "-o", "two"});
      EXPECT_TRUE(get("two") == get("one"));
      const json many = json_of(job, {"-o", "many", "--device", list});
      EXPECT_TRUE(get("many") == get("one"));
      EXPECT_EQ(many["counts"].dump(), one["counts"].dump());
      EXPECT_EQ(many["device"]["count"], std::count(list, list + std::strlen(list), ',') + 1);
    }
  }
}

#ifndef SIGHTLINE_ON_STANDIN  // whose parts are so large that there is one
TEST_F(DevicesTest, WhatOneRunLeftOthersGoOnWith) {
  make_points(9000, "many.npy", 3);
  const Arguments job = {"visibility", "city.st", "--from",       "many.npy",
                         "-o",         "out",     "--keep-every", "0"};
  ASSERT_EQ(run(job).exit_code, 0);
  const std::string bytes = get("out");
  for (const int signal : {SIGTERM, SIGKILL}) {
    remove({"out"});
    // Until a run ends by itself: one that is killed after its result is named leaves its journal.
    int code = -1;
    for (std::uint64_t ms = 10 + random_() % 30; code != 0; ms += 5 + ms / 2) {
      const bool many = random_() % 4 != 0;
      const pid_t process = start(job + Arguments{"--device", many ? all_devices : "cpu"});
      std::this_thread::sleep_for(std::chrono::milliseconds(ms));
      ::kill(process, signal);
      code = wait_for(process).exit_code;
      EXPECT_TRUE(code == 0 || code == 75 || code == 130 || code == -1) << code;
    }
    expect_whole("out", bytes);
  }
}
#endif

TEST_F(DevicesTest, WhatTheyDoNotShareIsRefused) {
  const Arguments cast = {"cast", "city.st", "--rays", "rays.st", "-o", "out"};
  const Arguments both = {"--device", all_devices};
  expect_failure(2, {"--device", "rows"}, cast + Arguments{"--query", "all"} + both);
  expect_failure(2, {"--max-memory"}, cast + Arguments{"--max-memory", "1G"} + both);
  expect_failure(2, {"--device", "'abacus'"}, cast + Arguments{"--device", "cpu,abacus"});
  expect_failure(2, {"--device"},
                 {"gen", "city", "--shapes", "9", "-o", "x.st", "--device", "cpu,cpu"});
  put("set.json", R"({"dimensions": 2, "circle": [{"center": [9, 9], "radius": 50}]})");
  write_npy("segments.npy", 40, 4);
  expect_failure(2, {"--device", "2D"},
                 Arguments{"flat", "set.json", "--segments", "segments.npy", "-o", "out"} + both);
}

// One of them finds the bad ray; the others end.
TEST_F(DevicesTest, AFailureOfOneEndsAll) {
  std::string bytes = get("rays.st");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + offset_of("rays.st", "origin", 20007 * 12), &nan, sizeof nan);
  put("rays.st", bytes);
  expect_failure(3, {"ray 20007:"},
                 {"cast", "city.st", "--rays", "rays.st", "-o", "out", "--strict", "--shard", "0/1",
                  "--device", all_devices});
}

}  // namespace
}  // namespace sightline::cli
