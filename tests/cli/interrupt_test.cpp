#include "tests/cli/program.hpp"

#include <csignal>

#include <chrono>
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

  /// Starts a long job, sends the signal once `partial` is there, and expects it to end.
  void expect_interrupted(const std::vector<std::string>& arguments, const std::string& partial,
                          int signal) {
    const std::vector<std::string> before = names();
    const pid_t process = start(arguments);
    using namespace std::chrono_literals;
    for (int i = 0; i < 3000 && !partial.empty() && !exists(partial); ++i) {
      std::this_thread::sleep_for(10ms);
    }
    if (partial.empty()) std::this_thread::sleep_for(500ms);
    const auto sent = std::chrono::steady_clock::now();
    ASSERT_EQ(::kill(process, signal), 0);
    const Outcome done = wait_for(process);
    EXPECT_EQ(done.exit_code, 130) << done.err;
    EXPECT_TRUE(done.said("interrupted")) << done.err;
    EXPECT_EQ(names(), before);
    EXPECT_LT(std::chrono::steady_clock::now() - sent, 60s);
  }
};

TEST_F(InterruptTest, Cast) {
  expect_interrupted(
      {"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "--device", "reference"},
      "h.st.partial", SIGINT);
}

TEST_F(InterruptTest, Visibility) {
  expect_interrupted(
      {"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "--device", "reference"},
      "v.st.partial", SIGTERM);
}

TEST_F(InterruptTest, Verify) {
  ASSERT_EQ(run({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"}).exit_code, 0);
  expect_interrupted({"verify", "h.st", "--scene", "city.st", "--rays", "rays.st", "--full"}, "",
                     SIGINT);
}

}  // namespace
}  // namespace sightline::cli
