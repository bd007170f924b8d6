#include "tests/host/program/program.hpp"

#include <csignal>

#include <chrono>
#include <fstream>
#include <thread>

namespace sightline::cli {
namespace {

class InterruptTest : public ProgramTest {
 protected:
  void SetUp() override {
    // Minutes of brute force, in chunks of a fraction of a second.
    make_city(20000, 200000, "coherent");
    make_points(2000);
  }

  /// Whether the process has a handler of the signal.
  static bool catches(pid_t process, int signal) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string word; status >> word;) {
      if (word != "SigCgt:" || !(status >> word)) continue;
      return (std::stoull(word, nullptr, 16) >> (signal - 1) & 1) != 0;
    }
    return false;
  }

  /// What the stopped job left is no result under any name; info says what it is.
  void expect_unfinished() {
    const Outcome told = run({"info", "h.st.partial"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    for (const char* words : {"unfinished", "run the command that writes h.st again", "done"}) {
      EXPECT_NE(told.out.find(words), std::string::npos) << words << told.out;
    }
    put("renamed.st", get("h.st.partial"));
    for (const char* file : {"h.st.partial", "renamed.st"}) {
      expect_failure(3, {file, "is an unfinished output"}, {"export", file, "-o", "t.csv"});
      expect_failure(3, {file, "is an unfinished output"}, {"verify", file, "city.st", "rays.st"});
    }
    EXPECT_NE(run({"info", "renamed.st"}).out.find("unfinished"), std::string::npos);
  }

  /// Starts a long job, sends the signal once `journal` is there, or without one some time after
  /// the program has begun, twice as `timeout` does, and expects it to end.
  void expect_stopped(const Arguments& arguments, const std::string& journal, int signal,
                      int exit_code, const std::string& words) {
    const pid_t process = start(arguments);
    using namespace std::chrono_literals;
    const auto has_begun = [&] {
      return journal.empty() ? catches(process, signal) : exists(journal);
    };
    for (int i = 0; i < 6000 && !has_begun(); ++i) std::this_thread::sleep_for(10ms);
    if (journal.empty()) std::this_thread::sleep_for(500ms);
    const auto sent = std::chrono::steady_clock::now();
    ASSERT_EQ(::kill(process, signal), 0);
    ASSERT_EQ(::kill(process, signal), 0);
    const Outcome done = wait_for(process);
    EXPECT_EQ(done.exit_code, exit_code) << done.err;
    EXPECT_TRUE(done.said(words)) << done.err;
    EXPECT_LT(std::chrono::steady_clock::now() - sent, 60s);
  }
};

// The chunk that it is at is done and kept: another device goes on from there.
TEST_F(InterruptTest, Cast) {
  const Arguments job = {"cast", "city.st", "--rays", "rays.st", "-o", "h.st"};
  expect_stopped(job + Arguments{"--device", "reference"}, "h.st.journal", SIGINT, 75,
                 "the same command");
  EXPECT_TRUE(exists("h.st.partial") && exists("h.st.journal") && !exists("h.st"));
  expect_unfinished();
  EXPECT_TRUE(run(job).said("resumes"));
  EXPECT_TRUE(exists("h.st") && !exists("h.st.partial") && !exists("h.st.journal"));
  const std::string resumed = get("h.st");
  EXPECT_EQ(run(job).exit_code, 0);
  EXPECT_TRUE(get("h.st") == resumed);
}

TEST_F(InterruptTest, Visibility) {
  const Arguments job = {"visibility", "city.st", "--from", "points.npy", "-o", "v.st"};
  expect_stopped(job + Arguments{"--device", "reference"}, "v.st.journal", SIGTERM, 75,
                 "the same command");
  EXPECT_TRUE(run(job).said("resumes"));
  const std::string resumed = get("v.st");
  EXPECT_EQ(run(job).exit_code, 0);
  EXPECT_TRUE(get("v.st") == resumed);
}

// Rows are counted before there is a file to keep anything in.
TEST_F(InterruptTest, CountingKeepsNothing) {
  const std::vector<std::string> before = names();
  expect_stopped({"cast", "city.st", "--rays", "rays.st", "-o", "r.st", "--query", "all",
                  "--device", "reference"},
                 "", SIGTERM, 130, "nothing was kept");
  EXPECT_EQ(names(), before);
}

// At the first signal, and without a half-written file.
TEST_F(InterruptTest, Gen) {
  const std::vector<std::string> before = names();
  for (const int signal : {SIGINT, SIGTERM}) {
    expect_stopped({"gen", "mixed", "--shapes", "5e7", "-o", "large.st"}, "", signal, 130,
                   "interrupted; nothing was kept");
    EXPECT_EQ(names(), before);
  }
}

// The program is sent its signal while it reads: a pipe of files would not be taken.
TEST_F(InterruptTest, ReadersOfALargeFile) {
  std::string text = "kind,x,y,z,radius\n";
  for (int i = 0; i < 3'000'000; ++i) text += "sphere,1.25,2.5,3.75,0.125\n";
  put("large.csv", text);
  const std::vector<std::string> before = names();
  for (const Arguments& reader : {Arguments{"import", "large.csv", "-o", "large.st"},
                                  {"info", "large.csv"},
                                  {"nav", "large.csv", "-o", "large.nav"}}) {
    const auto begin = std::chrono::steady_clock::now();
    expect_stopped(reader, "", SIGTERM, 130, "interrupted; nothing was kept");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << reader[0];
    EXPECT_EQ(names(), before);
  }
}

TEST_F(InterruptTest, Verify) {
  ASSERT_EQ(run({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"}).exit_code, 0);
  const std::vector<std::string> before = names();
  expect_stopped({"verify", "h.st", "--scene", "city.st", "--rays", "rays.st", "--full"}, "",
                 SIGINT, 130, "interrupted");
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace sightline::cli
