// What people meet at the edges of the program: help, wrong words, names of outputs, signals,
// figures.
#include "tests/host/program/program.hpp"
#include "tests/support/places.hpp"

#include <pty.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

namespace sightline::cli {
namespace {

using nlohmann::json;

class EdgesTest : public ProgramTest {
 protected:
  bool has(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  }
};

TEST_F(EdgesTest, HelpHasGroupsAndExamplesAndFitsTheTerminal) {
  for (const char* verb : {"info", "gen", "import", "merge", "cast", "visibility", "overlap",
                           "distance", "sweep", "flat", "areas", "pvs", "exposure", "probes",
                           "cover", "nav", "verify", "bench", "render"}) {
    const Outcome help = run({verb, "--help"}, {0, "", {{"COLUMNS", "80"}}});
    EXPECT_EQ(help.exit_code, 0);
    const std::size_t examples = help.out.find("Examples:\n  sightline " + std::string(verb));
    ASSERT_NE(examples, std::string::npos) << help.out;
    EXPECT_NE(help.out.find("\n  sightline ", examples + 12), std::string::npos) << help.out;
    EXPECT_TRUE(has(help.out, "\nRunning:\n")) << help.out;
    const Outcome other = run({"help", verb}, {0, "", {{"COLUMNS", "80"}}});
    EXPECT_EQ(other.exit_code, 0);
    EXPECT_EQ(other.out, help.out);
    std::istringstream lines(help.out.substr(0, examples));
    for (std::string line; std::getline(lines, line);) {
      const bool is_usage =
          line.starts_with("Usage") || has(line, "cludes:") || has(line, "Needs:");
      EXPECT_TRUE(line.size() <= 80 || is_usage) << verb << ": " << line;
    }
  }
  const Outcome cast = run({"help", "cast"});
  for (const char* group : {"\nInput:\n", "\nQuery:\n", "\nOutput:\n"}) {
    EXPECT_TRUE(has(cast.out, group)) << group;
  }
}

TEST_F(EdgesTest, WrongWordsAreAnsweredByTheNearest) {
  expect_failure(2, {"unknown verb 'visiblity'", "did you mean 'visibility'?"},
                 {"visiblity", "city.st", "--from", "a.npy", "-o", "v.st"});
  expect_failure(2, {"unknown option --frm", "did you mean '--from'?", "sightline help visibility"},
                 {"visibility", "city.st", "--frm", "a.npy", "-o", "v.st"});
  expect_failure(2, {"unknown verb 'mpa'", "did you mean 'map'?"}, {"render", "mpa", "v.st"});
  const Outcome far = run({"xylophone"});
  EXPECT_EQ(far.exit_code, 2);
  EXPECT_TRUE(far.said("unknown verb 'xylophone'") && !far.said("did you mean")) << far.err;
  const Outcome none = run({});
  EXPECT_EQ(none.exit_code, 2);
  for (const char* verb : {"  visibility ", "  nav ", "  render "}) EXPECT_TRUE(none.said(verb));
}

TEST_F(EdgesTest, HelpIsOfVerbsThatThereAre) {
  expect_failure(2, {"unknown verb 'nonsense'"}, {"help", "nonsense"});
  expect_failure(2, {"unknown verb 'mpa'", "did you mean 'map'?"}, {"help", "render", "mpa"});
  EXPECT_EQ(run({"help", "render", "map"}).exit_code, 0);
  EXPECT_EQ(run({"help", "help"}).out, run({"--help"}).out);
}

TEST_F(EdgesTest, OptionsFollowTheVerb) {
  const Outcome done = run({"--json", "-", "cast"});
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_TRUE(done.said("option --json stands before its verb")) << done.err;
  EXPECT_TRUE(done.said("see: sightline help cast\n")) << done.err;
  EXPECT_EQ(json::parse(done.out)["verb"], "cast");
}

TEST_F(EdgesTest, EmptyValuesAreNoValues) {
  const std::vector<Arguments> lines = {
      {"visibility", "", "--from", "p.csv", "-o", "q.st"},
      {"visibility", "a.st", "--from", "p.csv", "--to", "", "-o", "q.st"},
      {"visibility", "a.st", "--from", "p.csv", "--view-range", "", "-o", "q.st"},
      {"visibility", "a.st", "--from", "p.csv", "-o", "q.st", "--picture", ""},
      {"cast", "a.st", "--rays", "r.st", "--radius", "", "-o", "q.st"},
      {"export", "r.st", "--scene", "", "-o", "q.csv"},
      {"import", "a.csv", "--unit", "", "-o", "q.st"},
      {"verify", "q.st", "a.st", ""},
      {"info", ""}};
  for (const auto& line : lines) expect_failure(2, {"an empty value"}, line);
}

TEST_F(EdgesTest, WholeNumbersAreDecimalAndNotNegative) {
  const json report = json_of({"gen", "city", "--shapes", "010", "-o", "s.st"});
  EXPECT_EQ(report["scene"]["shapes"], 10);
  expect_failure(2, {"--seed", "'-1' is not a whole number"},
                 {"gen", "city", "--shapes", "9", "--seed", "-1", "-o", "x.st"});
  for (const char* option : {"--viewpoint", "--area"}) {
    expect_failure(2, {option, "'-1' is not a whole number"},
                   {"render", "areas", "r.st", option, "-1", "-o", "p.png"});
  }
}

TEST_F(EdgesTest, NumbersAreNoNamesOfFiles) {
  put("box.json", R"({"aabb": [{"min": [0, 0, 0], "max": [1, 1, 1]}]})");
  put_npy("e.npy", {3, 3, 3}, {1, 3});
  json_of({"visibility", "box.json", "--from", "e.npy", "--view-range", "5", "-o", "5"});
  json_of({"verify", "5", "--scene", "box.json", "--from", "e.npy", "--view-range", "5"});
}

TEST_F(EdgesTest, UsageErrorsAreJsonToo) {
  for (const Arguments& words : std::vector<Arguments>{
           {"cast", "city.st", "--wrong", "--json", "-"}, {"dance", "--json=-"}}) {
    const Outcome done = run(words);
    EXPECT_EQ(done.exit_code, 2);
    const json report = json::parse(done.out);
    EXPECT_EQ(report["exit_code"], 2);
    EXPECT_EQ(report["verb"], words[0]);
    EXPECT_TRUE(has(report["error"], "unknown")) << done.out;
  }
}

TEST_F(EdgesTest, OutputsAreRefusedBeforeTheWork) {
  // None of the inputs is there: whatever is said of outputs comes first.
  const Arguments sight = {"visibility", "gone.st", "--from", "gone.npy"};
  expect_failure(2, {"-: output names may not start"}, sight + Arguments{"-o", "-"});
  expect_failure(2, {"--json: output names may not start"}, sight + Arguments{"-o", "--json"});
  expect_failure(2, {"seen.npy", "safetensors"}, sight + Arguments{"-o", "seen.npy"});
  expect_failure(2, {"p.jpg", ".png"}, sight + Arguments{"-o", "v.st", "--picture", "p.jpg"});
  expect_failure(6, {"no/p.png"}, sight + Arguments{"-o", "v.st", "--picture", "no/p.png"});
  expect_failure(6, {"no/v.st"}, sight + Arguments{"-o", "no/v.st"});
  expect_failure(2, {"e.NPY", "sightline export"},
                 {"exposure", "gone.st", "--from", "a.npy", "--to", "a.npy", "-o", "e.NPY"});
  const Arguments nav = {"nav", "gone.st", "-o", "n.nav"};
  expect_failure(2, {"p.jpg"}, nav + Arguments{"--picture", "p.jpg"});
  for (const char* option : {"--recast", "--editor", "--arrays", "--points-out"}) {
    expect_failure(6, {"no/x"}, nav + Arguments{option, "no/x"});
  }
  expect_failure(2, {"s.json", "safetensors"}, {"gen", "city", "--shapes", "9", "-o", "s.json"});
  expect_failure(6, {"no/s.st"}, {"gen", "city", "--shapes", "1e9", "-o", "no/s.st"});
}

TEST_F(EdgesTest, ProgressFitsFortyColumns) {
  make_city(20000, 200000, "coherent");
  int terminal = -1;
  const winsize size = {24, 40, 0, 0};
  const pid_t process = ::forkpty(&terminal, nullptr, nullptr, &size);
  ASSERT_GE(process, 0) << "there is no terminal";
  if (process == 0) {
    if (::chdir(folder_.c_str()) != 0) ::_exit(99);
    ::unsetenv("COLUMNS");
    ::execl(testing::program_path().c_str(), "sightline", "cast", "city.st", "--rays", "rays.st",
            "-o", "h.st", "--device", "reference", "--json", "r.json", nullptr);
    ::_exit(99);
  }
  std::string seen;
  char buffer[4096];
  std::size_t bars = 0;
  for (ssize_t n = 0; bars < 4 && (n = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    seen.append(buffer, static_cast<std::size_t>(n));
    bars = 0;
    for (std::size_t at = 0; (at = seen.find("\r\033[K", at)) != std::string::npos; ++at) ++bars;
  }
  ::kill(process, SIGTERM);
  while (::read(terminal, buffer, sizeof buffer) > 0) {
  }
  ::close(terminal);
  wait_for(process);
  EXPECT_GE(bars, 4u) << seen;
  for (std::size_t at = seen.find("\r\033[K"); at != std::string::npos;) {
    const std::size_t next = seen.find("\r\033[K", at + 1);
    if (next != std::string::npos) {
      EXPECT_LE(next - at - 4, 39u) << seen.substr(at, next - at);
    }
    at = next;
  }
  EXPECT_TRUE(has(seen, "cast: ")) << seen;
}

TEST_F(EdgesTest, AHangUpStopsAsATermination) {
  make_city(20000, 200000, "coherent");
  const pid_t process =
      start({"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "--device", "reference"});
  for (int i = 0; i < 3000 && !exists("h.st.journal"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_EQ(::kill(process, SIGHUP), 0);
  const Outcome done = wait_for(process);
  EXPECT_EQ(done.exit_code, 75) << done.err;
  EXPECT_TRUE(exists("h.st.partial") && exists("h.st.journal"));
  // Its own part and its own speed.
  const Outcome resumed = run({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"});
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_TRUE(resumed.said(" of 200,000 rays in ")) << resumed.err;
}

TEST_F(EdgesTest, AnInterruptedGenSaysWhatIsFinished) {
  const pid_t process = start({"gen", "city", "--shapes", "20", "-o", "c.st", "--rays", "los",
                               "--count", "4e6", "--rays-out", "r.st", "--device", "reference"});
  for (int i = 0; i < 3000 && !(exists("c.st") && exists("r.st.partial")); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_EQ(::kill(process, SIGINT), 0);
  const Outcome done = wait_for(process);
  EXPECT_EQ(done.exit_code, 130) << done.err;
  EXPECT_TRUE(done.said("what is finished stays: c.st")) << done.err;
  EXPECT_TRUE(exists("c.st") && !exists("r.st") && !exists("r.st.partial"));
}

TEST_F(EdgesTest, FiguresAreRight) {
  put("box.json", R"({"aabb": [{"min": [0, 0, 0], "max": [1, 1, 1]}]})");
  put_npy("e.npy", {0.5f, 0.5f, 0.5f, 3, 3, 3}, {2, 3});
  const Outcome twice =
      run({"exposure", "box.json", "--from", "e.npy", "--to", "e.npy", "-o", "e.st"});
  EXPECT_TRUE(twice.said("warning: 1 point lies in or touches")) << twice.err;
  put_npy("nan.npy", {1, 2, 3, NAN, 0, 0, 4, 5, 6}, {3, 3});
  const json info = json_of({"info", "nan.npy"});
  EXPECT_EQ(info["counts"]["bad"], 1);
  EXPECT_EQ(info["bounds"]["min"]["x"], 1.0);
  EXPECT_EQ(info["bounds"]["max"]["z"], 6.0);
  EXPECT_EQ(run({"verify", "e.st", "--scene", "box.json", "--from", "e.npy", "--to", "e.npy",
                 "--sample", "1e12"})
                .exit_code,
            0);
  expect_failure(2, {"--half-angle 400"},
                 {"visibility", "box.json", "--from", "e.npy", "-o", "v.st", "--view-directions",
                  "e.npy", "--half-angle", "400"});
  expect_failure(3, {"box.txt", ".tscn", ".csv"}, [&] {
    put("box.txt", "no format of ours");
    return Arguments{"import", "box.txt", "-o", "s.st"};
  }());
}

TEST_F(EdgesTest, KindsAreNamedAlike) {
  make_city(40, 10);
  EXPECT_EQ(run({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"}).exit_code, 0);
  expect_failure(3, {"is of kind 'rays', not a result"}, {"verify", "rays.st", "city.st"});
  expect_failure(2, {"h.st: is of kind 'hits'"},
                 {"render", "map", "h.st", "--scene", "city.st", "-o", "p.png"});
  expect_failure(2, {"name its scene with --scene"}, [&] {
    make_points(9);
    EXPECT_EQ(run({"visibility", "city.st", "--from", "points.npy", "-o", "v.st"}).exit_code, 0);
    return Arguments{"render", "map", "v.st", "-o", "p.png"};
  }());
}

TEST_F(EdgesTest, OldNamesStillWorkAndAreNotShown) {
  make_city(40, 0);
  make_points(9);
  put_npy("looks.npy", {1, 0, 0}, {1, 3});
  const Arguments job = {"visibility", "city.st", "--from", "points.npy"};
  const auto with = [&](const Arguments& more) { EXPECT_EQ(run(job + more).exit_code, 0); };
  with({"-o", "a.st", "--margin", "0.01", "--range=90", "--directions", "looks.npy", "--half-angle",
        "60"});
  with({"-o", "b.st", "--margin-share", "0.01", "--max-distance", "90", "--view-directions",
        "looks.npy", "--half-angle", "60"});
  EXPECT_EQ(get("a.st"), get("b.st"));
  const std::string help = run({"help", "visibility"}).out;
  for (const char* old : {"--margin ", "--max-distance ", "--directions "}) {
    EXPECT_FALSE(has(help, old));
  }
  // How far one sees has one name in all verbs, and another that all of them take.
  for (const Arguments& of :
       {Arguments{"visibility", "city.st", "--from", "points.npy"},
        Arguments{"exposure", "city.st", "--from", "points.npy", "--to", "points.npy"},
        Arguments{"probes", "city.st", "--points", "points.npy"},
        Arguments{"distance", "city.st", "--points", "points.npy"}}) {
    EXPECT_TRUE(has(run({"help", of[0]}).out, "  --range R ")) << of[0];
    EXPECT_EQ(run(of + Arguments{"-o", "near.st", "--range", "3", "--restart"}).exit_code, 0);
    EXPECT_EQ(run(of + Arguments{"-o", "same.st", "--max-distance=3", "--restart"}).exit_code, 0);
    EXPECT_EQ(run(of + Arguments{"-o", "far.st", "--restart"}).exit_code, 0);
    EXPECT_EQ(get("near.st"), get("same.st")) << of[0];
    EXPECT_NE(get("near.st"), get("far.st")) << of[0];
  }
  for (const char* name : {"--directions", "--direction-count"}) {
    EXPECT_EQ(
        run({"cover", "city.st", "--points", "points.npy", name, "8", "-o", "c.st"}).exit_code, 0);
  }
}

// Every verb that has a device has lanes, too.
TEST_F(EdgesTest, LanesChangeNoByte) {
  make_city(400, 300);
  make_points(40, "eyes.npy");
  put_npy<Vec3>("steps.npy", {{1, 0, 0}, {0, 1, 0}}, {2, 3});
  put_npy("circles.npy", {1, 1, 2, 5, 5, 1}, {2, 3});
  put("flat.json", R"({"dimensions": 2, "circle": [{"center": [0, 0], "radius": 1}]})");
  put("movers.json", R"({"sphere": [{"center": [9, 9, 4], "radius": 3},
                                     {"center": [50, 50, 2], "radius": 2}]})");
  put("areas.json", R"({"areas": [{"min": [0, 0, 1], "max": [9, 9, 2]},
                                   {"min": [40, 0, 1], "max": [60, 20, 2]}]})");
  const std::vector<Arguments> jobs = {
      {"gen", "city", "--shapes", "90", "--rays", "los", "--count", "99", "--rays-out", "r.st"},
      {"cast", "city.st", "--rays", "rays.st"},
      {"visibility", "city.st", "--from", "eyes.npy"},
      {"distance", "city.st", "--points", "eyes.npy", "--k", "3"},
      {"overlap", "city.st", "--with", "movers.json", "--query", "all"},
      {"sweep", "city.st", "--capsules", "movers.json", "--directions", "steps.npy"},
      {"flat", "flat.json", "--circles", "circles.npy"},
      {"areas", "city.st", "--areas", "areas.json"},
      {"exposure", "city.st", "--from", "eyes.npy", "--to", "eyes.npy"},
      {"probes", "city.st", "--points", "eyes.npy"},
      {"cover", "city.st", "--points", "eyes.npy"},
      {"nav", "city.st", "--cell", "2"}};
  for (const Arguments& job : jobs) {
    const auto bytes = [&](const std::string& lanes) {
      const std::string out = job[0] + ".st";
      const Outcome done = run(job + Arguments{"-o", out, "--lanes", lanes});
      EXPECT_EQ(done.exit_code, 0) << job[0] << '\n' << done.err;
      return get(out);
    };
    const std::string widest = bytes("auto");
    EXPECT_FALSE(widest.empty()) << job[0];
    EXPECT_TRUE(bytes("portable") == widest) << job[0];
  }
}

}  // namespace
}  // namespace sightline::cli
