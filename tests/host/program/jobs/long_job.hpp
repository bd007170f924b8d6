// Long jobs that are killed and go on: what their tests share.
#pragma once

#include "tests/host/program/program.hpp"
#include "tests/support/scale.hpp"

#include <iostream>
#include <random>

namespace sightline::cli {

class LongJobTest : public ProgramTest {
 protected:
  static constexpr std::uint64_t ray_count = 300000;

  /// SIGHTLINE_TEST_SEED, or new in every run.
  static std::uint64_t new_seed() {
    const char* const set = std::getenv("SIGHTLINE_TEST_SEED");
    return set != nullptr ? std::stoull(set) : std::random_device{}();
  }
  const std::uint64_t seed_ = new_seed();
  std::mt19937_64 random_{seed_};

  void SetUp() override {
    make_city(120, ray_count);
    make_points(2500);
    make_points(150, "few.npy", 2);
  }
  void TearDown() override {
    if (HasFailure()) std::cerr << "seed " << seed_ << '\n';
  }
  void write_npy(const std::string& name, std::uint64_t rows, std::uint64_t columns) {
    std::mt19937_64 random(3);
    std::vector<float> x(rows * columns);
    for (float& value : x) value = static_cast<float>(random() % 2000) * 0.1f;
    put_npy(name, x, {rows, columns});
  }
  /// areas.json: n boxes side by side.
  void make_areas(int n) {
    nlohmann::json areas = {{"up", "z"}, {"areas", nlohmann::json::array()}};
    for (int i = 0; i < n; ++i) {
      const int x = 18 * (i % 10), y = 18 * (i / 10);
      areas["areas"].push_back({{"min", {x, y, 1}}, {"max", {x + 18, y + 18, 3}}});
    }
    put("areas.json", areas.dump());
  }
  /// So little that the job is cut into some chunks: 5 MiB for buffers, twice what chance takes or
  /// gives, and half of what the whole job needs.
  std::string little_memory(const Arguments& job) {
    const auto dry = json_of(job, {"--dry-run"});
    const std::uint64_t more = sanitized ? 512 << 20 : 13 << 20;
    return std::to_string(dry["peak_memory_bytes"].get<std::uint64_t>() + more);
  }
  static std::string kill_library() {
    const char* set = std::getenv("SIGHTLINE_KILL_LIBRARY");
    return set != nullptr ? set : SIGHTLINE_KILL_LIBRARY;
  }
  static bool can_kill_at_calls() { return !sanitized && std::filesystem::exists(kill_library()); }
  /// Runs it up to its call number `call` that changes files.
  Outcome run_to(std::uint64_t call, const Arguments& job) const {
    RunOptions options;
    options.environment = {{"LD_PRELOAD", kill_library()},
                           {"SIGHTLINE_KILL_AT", std::to_string(call)}};
    return run(job, options);
  }
  void remove(const Arguments& files) {
    for (const std::string& file : files) std::filesystem::remove(path(file));
  }
  /// Runs the job, whose output is "out", up to its first record, tried call by call from one run
  /// to the next, which are `growth` further apart the later; false where it ends before.
  bool leave_unfinished(const Arguments& job, std::uint64_t growth = 0) {
    const Arguments every = job + Arguments{"--keep-every", "0"};
    for (std::uint64_t call = 8; call < 100000; call += 1 + growth * call / 4) {
      remove({"out.partial", "out.journal"});
      if (run_to(call, every).exit_code == 0) return false;
      if (!exists("out.partial")) continue;
      const auto status = json_of({"info", "out"});
      if (status.at("unfinished").at("resumable") == true) return true;
    }
    return false;
  }
  /// Expects that this other job is refused, and that what is unfinished stays.
  void expect_refused(const std::string& word, const Arguments& other) {
    const std::string partial = get("out.partial"), journal = get("out.journal");
    expect_failure(3, {"out.partial", "another job", word, "--restart"}, other);
    EXPECT_TRUE(get("out.partial") == partial && get("out.journal") == journal) << word;
  }
  void expect_whole(const std::string& output, const std::string& bytes) {
    EXPECT_FALSE(exists(output + ".partial") || exists(output + ".journal"));
    EXPECT_TRUE(get(output) == bytes);
  }
  /// Kills the job, whose output is "out", at the first calls and at some of the later ones, each
  /// time with nothing done before, and lets it go on.
  void expect_to_survive(const Arguments& job) {
    expect_to_survive(job, {"--max-memory", little_memory(job + Arguments{"-o", "out"})});
  }
  /// The same, cut into chunks by more arguments.
  void expect_to_survive(const Arguments& job, const Arguments& cut) {
    if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
    const Arguments every = job + Arguments{"-o", "out", "--keep-every", "0"} + cut;
    ASSERT_EQ(run(every).exit_code, 0);
    const std::string whole = get("out");
    const std::uint64_t each = scaled(10);
    std::uint64_t went_on = 0;
    const auto go_on = [&] {
      const Outcome done = run(job + Arguments{"-o", "out"});
      ASSERT_EQ(done.exit_code, 0) << done.err;
      went_on += done.said("resumes");
      expect_whole("out", whole);
    };
    for (std::uint64_t call = 1;; call += call < each ? 1 : 1 + random_() % call) {
      SCOPED_TRACE("killed at call " + std::to_string(call));
      remove({"out", "out.partial", "out.journal"});
      if (run_to(call, every).exit_code == 0) break;
      // Nothing has its name that is not whole.
      if (exists("out")) {
        EXPECT_TRUE(get("out") == whole);
      }
      go_on();
      if (HasFailure()) return;
    }
    if (went_on > 0) return;
    // Chance has left out the calls between the first record and the end.
    remove({"out"});
    ASSERT_TRUE(leave_unfinished(job + Arguments{"-o", "out"} + cut));
    go_on();
    EXPECT_GT(went_on, 0u);
  }
};

}  // namespace sightline::cli
