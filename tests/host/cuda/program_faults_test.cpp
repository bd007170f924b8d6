// The program on a device that fails: exit code 4 or 5, one sentence, and no file left or changed.
#include "tests/host/program/program.hpp"
#include "tests/support/scale.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

namespace sightline::cli {
namespace {

/// The words of a run: what the program said, and what the device tells at its end.
struct Words {
  std::string program, device;
};
Words words_of(const Outcome& done) {
  Words words;
  std::istringstream lines(done.err);
  for (std::string line; std::getline(lines, line);) {
    (line.rfind("standin: ", 0) == 0 ? words.device : words.program) += line + "\n";
  }
  return words;
}

/// Sets an environment variable while it lives.
class With {
 public:
  With(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~With() { ::unsetenv(name_); }
  With(const With&) = delete;
  With& operator=(const With&) = delete;

 private:
  const char* name_;
};

class ProgramFaults : public ProgramTest {
 protected:
  /// A city, rays over it and points in it.
  void SetUp() override {
    make_city(60, 300);
    make_points(90);
  }

  /// Everything in the test's folder.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const std::string& name : names()) all[name] = get(name);
    return all;
  }

  std::uint64_t calls_of(const Arguments& arguments) const {
    const Outcome done = run(arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    const std::string words = words_of(done).device;
    EXPECT_NE(words.find(", 0 allocations, 0 streams, 0 events alive"), std::string::npos) << words;
    return std::strtoull(words.c_str() + std::min<std::size_t>(9, words.size()), nullptr, 10);
  }

  /// Fails the calls of a job, each in turn at full scale. `output` is what it writes; with
  /// `present`, something is there already under that name.
  void fail_calls(Arguments arguments, const std::string& output, bool present) {
    const With report("SIGHTLINE_STANDIN_REPORT", "1");
    arguments.insert(arguments.end(), {"--device", "cuda"});
    const std::uint64_t calls = calls_of(arguments);
    ASSERT_GT(calls, 10u);
    const std::string right = get(output);
    const auto as_before = [&] {
      std::filesystem::remove(path(output));
      if (present) put(output, "something else");
    };
    as_before();
    const std::map<std::string, std::string> before = files();
    const std::uint64_t runs = std::min(calls, std::max<std::uint64_t>(8, scaled(20 * calls)));
    // Memory, a launch, and an address that loses the context at once or late.
    for (const char* error : {"2", "701", "700:sticky", "700:late"}) {
      for (std::uint64_t i = 0; i < runs; ++i) {
        const std::string fault = std::to_string(1 + i * calls / runs) + ":" + error;
        const With failing("SIGHTLINE_STANDIN_FAIL", fault);
        const Outcome done = run(arguments);
        const Words words = words_of(done);
        SCOPED_TRACE(arguments[0] + ", SIGHTLINE_STANDIN_FAIL=" + fault + "\n" + done.err);
        EXPECT_NE(words.device.find(", 0 allocations, 0 streams, 0 events alive"),
                  std::string::npos);
        if (done.exit_code == 0) {
          EXPECT_TRUE(get(output) == right);
          as_before();
        } else {
          EXPECT_TRUE(done.exit_code == 4 || done.exit_code == 5) << done.exit_code;
          EXPECT_EQ(std::count(words.program.begin(), words.program.end(), '\n'), 1);
          EXPECT_NE(words.program.find("cuda"), std::string::npos);
        }
        EXPECT_TRUE(files() == before) << "files were left or changed";
        if (HasFailure()) return;
      }
    }
  }
};

TEST_F(ProgramFaults, InACast) {
  fail_calls({"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "-q"}, "h.st", false);
}
TEST_F(ProgramFaults, InACastOverAFileThatWasThere) {
  fail_calls({"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "-q"}, "h.st", true);
}
TEST_F(ProgramFaults, InVisibility) {
  fail_calls({"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "-q"}, "v.st", false);
}
// Describing the machine is no job of the device's: it says what is wrong with it.
TEST_F(ProgramFaults, InfoStillDescribesTheMachine) {
  for (const char* fault : {"1:46", "1:700:sticky", "2:46", "2:700:sticky", "3:999"}) {
    const With failing("SIGHTLINE_STANDIN_FAIL", fault);
    const Outcome done = run({"info"});
    EXPECT_EQ(done.exit_code, 0) << fault << done.err;
    EXPECT_NE(done.out.find("cuda"), std::string::npos) << fault << done.out;
  }
}

TEST_F(ProgramFaults, InfoListsEveryDevice) {
  const With devices("SIGHTLINE_STANDIN_DEVICES", "2");
  const With memory("SIGHTLINE_STANDIN_MEMORY", "3000000");
  const std::string words = run({"info"}).out;
  for (const char* part : {"cuda:0", "cuda:1", "stand-in device 0", "stand-in device 1", "sm_90"}) {
    EXPECT_NE(words.find(part), std::string::npos) << part << "\n" << words;
  }
  const auto devices_told = json_of({"info"})["cuda"]["devices"];
  ASSERT_EQ(devices_told.size(), 2u);
  EXPECT_EQ(devices_told[1]["name"], "stand-in device 1");
  EXPECT_EQ(devices_told[1]["capability"], "9.0");
  EXPECT_EQ(devices_told[1]["memory_bytes"], 3000000);
}

TEST_F(ProgramFaults, ADeviceTooSmallSaysHowManyBytes) {
  const With memory("SIGHTLINE_STANDIN_MEMORY", "2000");
  expect_failure(5, {"bytes"},
                 {"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "--device", "cuda"});
}

TEST_F(ProgramFaults, NoDeviceIsExitCode4) {
  const With devices("SIGHTLINE_STANDIN_DEVICES", "0");
  expect_failure(4, {"no CUDA device"},
                 {"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "--device", "cuda"});
  EXPECT_EQ(run({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"}).exit_code, 0);
}

}  // namespace
}  // namespace sightline::cli
