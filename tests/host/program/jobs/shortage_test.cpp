// The system refuses memory, threads and calls of files. The program ends with code 0, 3, 5 or 6
// and one sentence, and leaves nothing that is half written. The next run writes the right bytes.
#include "tests/host/program/jobs/long_job.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <sstream>

namespace sightline::cli {
namespace {

class ShortageTest : public LongJobTest {
 protected:
  struct Task {
    std::string output;
    Arguments line;
  };
  std::vector<Task> jobs_;

  void SetUp() override {
    if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
    make_city(60, 300);
    make_points(90);
    put("yard.json", R"({"unit": "m", "up": "z",
      "aabb": [{"min": [0, 0, -1], "max": [12, 8, 0]}, {"min": [5, 0, 0], "max": [6, 8, 3]},
               {"min": [6, 0, 0], "max": [12, 8, 0.5]}]})");
    jobs_ = {{"h.st", {"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "-q"}},
             {"v.st", {"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "-q"}},
             {"m.nav", {"nav", "yard.json", "--cell", "0.5", "--jump", "2", "-o", "m.nav", "-q"}}};
    for (Task& job : jobs_) job.line = job.line + Arguments{"--threads", "2"};
  }

  Outcome run_with(const std::string& failure, const Arguments& line) const {
    RunOptions options;
    options.environment = {{"LD_PRELOAD", kill_library()},
                           {"SIGHTLINE_FAIL", failure},
                           {"SIGHTLINE_FAIL_REPORT", "1"}};
    return run(line, options);
  }
  /// How many calls of a kind there were, which the run tells in the last line of its words.
  static std::uint64_t take_calls(Outcome& done) {
    const std::size_t at = done.err.rfind("fail_at: ");
    if (at == std::string::npos) return 0;
    const std::uint64_t calls = std::stoull(done.err.substr(at + 9));
    done.err.resize(at);
    return calls;
  }

  /// That the words are one sentence about the failure, after warnings if any.
  static void expect_sentence(const std::string& words) {
    std::istringstream lines(words);
    std::uint64_t said = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("warning: ")) continue;
      EXPECT_TRUE(line.starts_with("sightline: ")) << words;
      ++said;
    }
    EXPECT_EQ(said, 1u) << words;
  }

  /// How runs have ended.
  std::map<int, std::uint64_t> ends_;
  void TearDown() override {
    LongJobTest::TearDown();
    for (const auto& [code, n] : ends_) std::cout << n << " runs ended with code " << code << '\n';
  }

  /// Runs the job with a failure and judges its end.
  void judge(const Task& job, const std::string& failure, const std::vector<int>& codes,
             const std::string& bytes) {
    SCOPED_TRACE(job.line[0] + " with SIGHTLINE_FAIL=" + failure);
    std::filesystem::remove(path(job.output));
    const std::vector<std::string> before = names();
    Outcome done = run_with(failure, job.line);
    take_calls(done);
    ++ends_[done.exit_code];
    EXPECT_TRUE(std::ranges::find(codes, done.exit_code) != codes.end())
        << "code " << done.exit_code << ": " << done.err;
    if (done.exit_code == 0) {
      EXPECT_TRUE(get(job.output) == bytes);
      return;
    }
    expect_sentence(done.err);
    if (exists(job.output)) {
      EXPECT_TRUE(get(job.output) == bytes);
      return;
    }
    // What is done may be kept; then the same command goes on from there.
    if (exists(job.output + ".journal")) {
      ASSERT_EQ(run(job.line).exit_code, 0);
      expect_whole(job.output, bytes);
    } else {
      EXPECT_EQ(names(), before) << "files were left: " << done.err;
    }
  }

  /// Fails calls of a kind in each of the jobs: alone, and with all that follow. About `some` of
  /// them, half of which are among the last `late`, or all where the scale is large enough.
  void fail_calls(const std::string& kind, const std::vector<int>& codes, std::uint64_t some,
                  std::uint64_t late) {
    for (const Task& job : jobs_) {
      Outcome whole = run_with(kind + ":0", job.line);
      const std::uint64_t calls = take_calls(whole);
      ASSERT_EQ(whole.exit_code, 0) << whole.err;
      ASSERT_GT(calls, 0u);
      const std::string bytes = get(job.output);
      const std::uint64_t begin = calls - std::min(calls, late);
      for (const auto& [from, to] : {std::pair(std::uint64_t{0}, begin), std::pair(begin, calls)}) {
        const std::uint64_t stride = std::max<std::uint64_t>(1, (to - from) / scaled(some / 2));
        for (std::uint64_t n = from + 1 + random_() % stride; n <= to; n += stride) {
          judge(job, kind + ":" + std::to_string(n), codes, bytes);
          judge(job, kind + ":" + std::to_string(n) + "+", codes, bytes);
          if (HasFailure()) return;
        }
      }
      ASSERT_EQ(run(job.line).exit_code, 0);
      EXPECT_TRUE(get(job.output) == bytes);
    }
  }
  /// Within this time a run ends that meets the same failure again and again.
  static constexpr std::chrono::seconds soon{20};
  void expect_soon(const std::string& failure, const std::string& words) {
    for (const Task& job : jobs_) {
      SCOPED_TRACE(job.line[0] + " with SIGHTLINE_FAIL=" + failure);
      std::filesystem::remove(path(job.output));
      const auto begin = std::chrono::steady_clock::now();
      Outcome done = run_with(failure, job.line);
      take_calls(done);
      EXPECT_LT(std::chrono::steady_clock::now() - begin, soon);
      EXPECT_EQ(done.exit_code, 6);
      EXPECT_TRUE(done.said(words)) << done.err;
      expect_sentence(done.err);
      EXPECT_FALSE(exists(job.output) || exists(job.output + ".partial"));
    }
  }
};

TEST_F(ShortageTest, Memory) { fail_calls("memory", {0, 3, 5, 6}, 24, 1200); }

TEST_F(ShortageTest, Threads) {
  fail_calls("thread", {0}, 1000, 0);
  for (Task& job : jobs_) job.line.back() = "7";
  fail_calls("thread", {0}, 1000, 0);
}
TEST_F(ShortageTest, FewerThreadsAreSaidToBe) {
  Arguments line = jobs_[0].line;
  line.back() = "7";
  line.erase(std::ranges::find(line, "-q"));
  Outcome done = run_with("thread:4", line);
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_TRUE(done.said("4 threads of 7 (the system refuses more: raise its limit")) << done.err;
  done = run_with("thread:1+", line);
  EXPECT_TRUE(done.said("1 thread of 7 (the system refuses more: raise its limit")) << done.err;
}
// verify has threads of its own.
TEST_F(ShortageTest, VerifyWithoutThreads) {
  ASSERT_EQ(run(jobs_[0].line).exit_code, 0);
  for (int n = 1; n < 20; ++n) {
    for (const char* later : {"", "+"}) {
      const Outcome done =
          run_with("thread:" + std::to_string(n) + later,
                   {"verify", "h.st", "city.st", "rays.st", "--full", "--threads", "4"});
      EXPECT_EQ(done.exit_code, 0) << n << later << done.err;
      EXPECT_TRUE(done.said("300 of 300")) << done.err;
    }
  }
}

TEST_F(ShortageTest, StatusOfFiles) { fail_calls("status", {0, 3, 6}, 1000, 0); }

TEST_F(ShortageTest, StatusIsNeverTold) { expect_soon("status:1+", "Input/output error"); }

// The files that are read first have it told; one that is written never is what its name leads to.
TEST_F(ShortageTest, FilesThatAreAlwaysOthers) {
  expect_soon("inode:1+", "the name never led to the file");
}

TEST_F(ShortageTest, TransfersThatAreAlwaysInterrupted) {
  expect_soon("transfer:1+", "Interrupted system call");
  for (const int some : {10, 20, 30}) {  // of some forty
    Outcome done = run_with("transfer:" + std::to_string(some) + "+", jobs_[0].line);
    EXPECT_EQ(done.exit_code, 6) << done.err;
  }
}
// A signal or two are nothing.
TEST_F(ShortageTest, TransfersThatAreInterruptedOnce) { fail_calls("transfer", {0, 6}, 40, 0); }

}  // namespace
}  // namespace sightline::cli
