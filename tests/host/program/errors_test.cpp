// Every exit code, every class of bad input: one sentence, no output left.
#include "tests/host/program/program.hpp"

#include "host/files/core/npy.hpp"
#include "host/files/formats/scene_file.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class ErrorsTest : public ProgramTest {
 protected:
  Arguments cast(const std::string& scene, const std::string& rays) const {
    return {"cast", scene, "--rays", rays, "-o", "h.st"};
  }
  Arguments cast_on_cpu(const std::string& scene, const std::string& rays) const {
    return cast(scene, rays) + Arguments{"--device", "cpu"};
  }
};

TEST_F(ErrorsTest, HelpAndVersion) {
  EXPECT_EQ(run({"--help"}).exit_code, 0);
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("sightline ", 0), 0u) << version.out;
  for (const char* verb : {"info", "gen", "import", "cast", "visibility", "verify", "bench"}) {
    const Outcome help = run({verb, "--help"});
    EXPECT_EQ(help.exit_code, 0) << verb;
    EXPECT_NE(help.out.find("--json"), std::string::npos) << verb;
  }
}

TEST_F(ErrorsTest, Usage) {
  make_city(40, 10);
  expect_failure(2, {"verb"}, {});
  expect_failure(2, {"dance"}, {"dance"});
  expect_failure(2, {"--rays"}, {"cast", "city.st", "-o", "h.st"});
  expect_failure(2, {"-o"}, {"cast", "city.st", "--rays", "rays.st"});
  const auto with = [&](Arguments more) {
    more.insert(more.begin(), {"cast", "city.st", "--rays", "rays.st", "-o", "h.st"});
    return more;
  };
  expect_failure(2, {"--device"}, with({"--device", "abacus"}));
  expect_failure(2, {"--lanes"}, with({"--lanes", "sse"}));
  expect_failure(2, {"--lanes", "reference"}, with({"--lanes", "avx2", "--device", "reference"}));
  expect_failure(2, {"--lanes"},
                 {"bench", "city.st", "rays.st", "--device", "reference", "--lanes", "portable"});
  expect_failure(2, {"--inside"}, with({"--inside", "out"}));
  expect_failure(2, {"--query"}, with({"--query", "some"}));
  expect_failure(2, {"--max-memory"}, with({"--max-memory", "lots"}));
  expect_failure(2, {"--t-min"}, with({"--t-min", "nan"}));
  expect_failure(2, {"--t-min"}, with({"--t-min", "3", "--t-max", "2"}));
  expect_failure(2, {"--threads"}, with({"--threads", "-1"}));
  expect_failure(2, {"--exclude '40'"}, with({"--exclude", "40"}));
  expect_failure(2, {"--exclude"}, with({"--exclude", "1,2,3"}));
  expect_failure(2, {"--exclude 'sphere:99'"}, with({"--exclude", "sphere:99"}));
  expect_failure(2, {"--normals"}, with({"--normals", "--query", "any"}));
  expect_failure(2, {"rays.st"}, {"cast", "city.st", "--rays", "rays.st", "-o", "rays.st"});
  expect_failure(2, {"--margin"},
                 {"visibility", "city.st", "--from", "p.npy", "-o", "v.st", "--margin", "0.5"});
  expect_failure(2, {"--keep-every"}, with({"--keep-every", "nan"}));
  expect_failure(
      2, {"nan"},
      {"render", "map", "v.st", "--scene", "city.st", "--slice", "nan,0", "-o", "p.png"});
  expect_failure(2, {"--shapes"}, {"gen", "city", "--shapes", "0", "-o", "s.st"});
  expect_failure(2, {"--count"}, {"gen", "city", "--shapes", "9", "-o", "s.st", "--rays", "los"});
}

TEST_F(ErrorsTest, TheReportReplacesNoFileOfTheJob) {
  make_city(40, 10);
  make_points(10);
  EXPECT_EQ(run(cast("city.st", "rays.st")).exit_code, 0);
  const std::vector<std::pair<Arguments, const char*>> jobs = {
      {cast("city.st", "rays.st"), "city.st"},
      {cast("city.st", "rays.st"), "./rays.st"},
      {cast("city.st", "rays.st"), "h.st"},
      {{"info", "city.st"}, "city.st"},
      {{"verify", "h.st", "--scene", "city.st", "--rays", "rays.st"}, "h.st"},
      {{"visibility", "city.st", "--from", "points.npy", "-o", "v.st"}, "points.npy"},
  };
  for (const auto& [arguments, report] : jobs) {
    const std::string before = get(report);
    expect_failure(2, {report, "named twice"}, arguments + Arguments{"--json", report});
    EXPECT_TRUE(get(report) == before) << arguments[0] << ' ' << report;
  }
}

TEST_F(ErrorsTest, OptionsThatTheFileAnswersAreRefused) {
  EXPECT_EQ(run({"gen", "city", "--shapes", "40", "-o", "city.st", "--rays", "los", "--count", "9",
                 "--rays-out", "rays.st"})
                .exit_code,
            0);
  expect_failure(2, {"--t-max", "rays.st"},
                 {"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "--t-max", "1"});
}

TEST_F(ErrorsTest, BadScenes) {
  make_city(40, 10);
  const std::string good = get("city.st");
  put("short.st", good.substr(0, good.size() - 5));
  expect_failure(3, {"short.st"}, cast("short.st", "rays.st"));
  put("empty.st", "");
  expect_failure(3, {"empty.st"}, cast("empty.st", "rays.st"));
  std::string huge = good;
  std::fill_n(huge.begin(), 8, '\x7f');
  put("huge.st", huge);
  expect_failure(3, {"huge.st"}, cast("huge.st", "rays.st"));
  put("text.st", "this is no container at all, whatever its name says");
  expect_failure(3, {"text.st"}, cast("text.st", "rays.st"));
  put("nan.json", R"({"sphere": [{"center": [0, 0, 0], "radius": -1}]})");
  expect_failure(3, {"nan.json"}, cast("nan.json", "rays.st"));
  expect_failure(6, {"gone.st"}, cast("gone.st", "rays.st"));
  expect_failure(6, {"regular"}, cast(".", "rays.st"));
  // A shape with a lying number: its index is named.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::string bytes = good;
  std::memcpy(bytes.data() + offset_of("city.st", "sphere.radius", 4 * 3), &nan, sizeof nan);
  put("nan.st", bytes);
  expect_failure(3, {"nan.st", "3"}, cast("nan.st", "rays.st"));
}

// What a message quotes is cut between characters, and holds nothing that a terminal obeys.
TEST_F(ErrorsTest, MessagesOfLargeValuesAreShort) {
  make_city(40, 10);
  std::string letters;
  for (int i = 0; i < 1 << 20; ++i) letters += "\xC3\xA9";
  const std::string digits(1 << 20, '7');
  const auto refused = [&](int exit_code, const Arguments& arguments) {
    const Outcome done = run(arguments);
    EXPECT_EQ(done.exit_code, exit_code) << done.err.substr(0, 1000);
    EXPECT_LT(done.err.size(), 1000u) << done.err.substr(0, 1000);
    EXPECT_EQ(done.err.find_first_of("\x1b\x07"), std::string::npos) << done.err.substr(0, 1000);
    EXPECT_NO_THROW(static_cast<void>(json(done.err).dump())) << "no UTF-8";
  };
  for (const std::string& value :
       {digits, digits + "e99999", digits + "x", '"' + letters, '"' + letters + '"'}) {
    put("s.json", R"({"sphere": [{"center": [0, 0, )" + value + R"(], "radius": 1}]})");
    refused(3, {"info", "s.json"});
  }
  put("s.json", "{\"" + letters + "\": 1}");
  refused(3, {"info", "s.json"});
  put("s.json", R"({"sphere": [{")" + letters + R"(": 1}]})");
  refused(3, {"info", "s.json"});
  put("s.json", R"({"up": ")" + letters + R"("})");
  refused(3, {"info", "s.json"});
  put("s.csv", "kind,x,y,z,radius\n\x1b[1m" + letters + ",0,0,0,1\n");
  refused(3, {"info", "s.csv"});
  put("s.csv", "kind,x,y,z,radius\nsphere,0,0," + letters + ",1\n");
  refused(3, {"info", "s.csv"});
  put("p.csv", "x,y,z,\x07" + letters + "\n0,0,0,1\n");
  refused(3, {"info", "p.csv"});
  put("s.tscn", "[gd_scene format=3]\n[node name=\"A\" type=\"Node3D\"]\n\x1b" + letters + "\n");
  refused(3, {"import", "s.tscn", "-o", "s.st"});
  const std::string word = letters.substr(0, 1 << 16);
  for (const char* option : {"--max-memory", "--device", "--lanes", "--inside", "--t-min",
                             "--threads", "--shard", "--exclude", "--no-such-option"}) {
    refused(2, {"cast", "city.st", "--rays", "rays.st", "-o", "h.st", option, word});
  }
  refused(2, {word});
  refused(2, {"--" + word});
  refused(2, {"info", "city.st", word});
  refused(6, {"info", word});
}

TEST_F(ErrorsTest, BadRaysAndPoints) {
  make_city(40, 10);
  expect_failure(6, {"gone.st"}, cast("city.st", "gone.st"));
  expect_failure(3, {"city.st"}, cast("city.st", "city.st"));
  const std::string good = get("rays.st");
  put("short.st", good.substr(0, good.size() - 1));
  expect_failure(3, {"short.st"}, cast("city.st", "short.st"));
  const auto write = [&](const char* name, io::Dtype dtype, const io::Shape& shape) {
    io::NpyWriter(path(name), dtype, shape).commit();
  };
  write("f16.npy", io::Dtype::f16, {5, 3});
  write("flat.npy", io::Dtype::f32, {15});
  write("five.npy", io::Dtype::f32, {5, 3});
  write("six.npy", io::Dtype::f32, {6, 3});
  const auto npy = [&](const char* o, const char* d) {
    return Arguments{"cast", "city.st", "--origins", o, "--directions", d, "-o", "h.st"};
  };
  expect_failure(3, {"f16.npy"}, npy("f16.npy", "five.npy"));
  expect_failure(3, {"flat.npy"}, npy("five.npy", "flat.npy"));
  expect_failure(3, {"five.npy", "six.npy"}, npy("five.npy", "six.npy"));
  const auto sight = [&](const char* points) {
    return Arguments{"visibility", "city.st", "--from", points, "-o", "v.st"};
  };
  expect_failure(3, {"f16.npy"}, sight("f16.npy"));
  expect_failure(3, {"rays.st"}, sight("rays.st"));
  expect_failure(6, {"gone.npy"}, sight("gone.npy"));
}

TEST_F(ErrorsTest, BadMaps) {
  put("junk.wad", "IWAD, or so it says, but the rest is junk");
  expect_failure(3, {"junk.wad"}, {"import", "junk.wad", "--map", "E1M1", "-o", "s.st"});
  expect_failure(3, {"junk.wad"}, {"import", "junk.wad", "-o", "s.st"});
  expect_failure(6, {"gone.wad"}, {"import", "gone.wad", "--map", "E1M1", "-o", "s.st"});
}

TEST_F(ErrorsTest, Device) {
  make_city(40, 10);
  Arguments arguments = cast("city.st", "rays.st") + Arguments{"--device", "cuda:97"};
  const json info = json_of({"info"});
  if (!info.contains("cuda") || !info["cuda"].contains("problem")) {
    expect_failure(4, {"cuda:97", "no such device"}, arguments);
    GTEST_SKIP() << "there is a CUDA device";
  }
  const std::string problem = info["cuda"]["problem"];
  for (const std::string device : {"cuda", "cuda:0", "cuda:97"}) {
    arguments.back() = device;
    expect_failure(4, {"CUDA device", problem}, arguments);
  }
  // Left to itself the program takes the CPU and says why, to people and in the report.
  arguments.back() = "auto";
  EXPECT_TRUE(run(arguments).said(problem));
  const json report = json_of(arguments);
  EXPECT_EQ(report["device"]["backend"], "cpu");
  EXPECT_NE(report["device"]["description"].get<std::string>().find(problem), std::string::npos);
  arguments.back() = "cpu";
  EXPECT_FALSE(run(arguments).said(problem));
}

TEST_F(ErrorsTest, OutOfMemoryNamesBothNumbers) {
  make_city(4000, 10);
  for (const auto& [size, words] : {std::pair{"1M", "1,048,576"}, std::pair{"1K", "1,024"}}) {
    expect_failure(5, {"--max-memory", words, "bytes"},
                   cast("city.st", "rays.st") + Arguments{"--max-memory", size});
  }
  make_points(10);
  expect_failure(
      5, {"--max-memory", "bytes"},
      {"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "--max-memory", "1M"});
}

TEST_F(ErrorsTest, UnwritableOutput) {
  make_city(40, 1000);
  make_points(100);
  for (const char* name : {"no/folder/x.st", "/dev/full", "/proc/x.st", "."}) {
    expect_failure(6, {name}, {"cast", "city.st", "--rays", "rays.st", "-o", name});
    expect_failure(6, {name}, {"gen", "city", "--shapes", "40", "-o", name});
    expect_failure(6, {name}, {"visibility", "city.st", "--from", "points.npy", "-o", name});
  }
  expect_failure(6, {}, {"info", "city.st", "--json", "-"}, {0, "/dev/full"});
  expect_failure(6, {}, {"info", "city.st"}, {0, "/dev/full"});
  expect_failure(2, {"unknown option --nothing"}, {"cast", "--nothing", "--json", "-"},
                 {0, "/dev/full"});
  expect_failure(6, {"no/report.json"}, {"info", "city.st", "--json", "no/report.json"});
  expect_failure(
      6, {"no/report.json"},
      {"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "--json", "no/report.json"});
}

// Rows are counted before their file can be made, which may take long.
TEST_F(ErrorsTest, UnwritableRowsAreToldBeforeTheyAreCounted) {
  make_city(40, 1000);
  put("askers.json", R"({"sphere": [{"center": [0, 0, 0], "radius": 1}]})");
  const Arguments jobs[] = {{"cast", "city.st", "--rays", "rays.st", "--query", "all"},
                            {"overlap", "city.st", "--with", "askers.json", "--query", "all"}};
  for (const Arguments& job : jobs) {
    const Outcome done = run(job + Arguments{"-o", "no/folder/x.st", "--json", "-"});
    EXPECT_EQ(done.exit_code, 6) << done.err;
    EXPECT_FALSE(json::parse(done.out)["seconds"].contains("count")) << done.out;
  }
}

TEST_F(ErrorsTest, FullDisk) {
  make_city(40, 50000);
  make_points(600);
  const RunOptions full{20000, ""};  // of any file: a driver may write some, so the cpu is named
  expect_failure(6, {"h.st"}, cast_on_cpu("city.st", "rays.st"), full);
  expect_failure(6, {"v.st"},
                 {"visibility", "city.st", "--device", "cpu", "--from", "points.npy", "-o", "v.st"},
                 full);
  expect_failure(6, {"s.st"}, {"gen", "city", "--shapes", "9000", "-o", "s.st"}, full);
  expect_failure(6, {"p.png"},
                 {"visibility", "city.st", "--device", "cpu", "--from", "points.npy", "--to",
                  "points.npy", "-o", "v.st", "--picture", "p.png"},
                 {70000, ""});
}

TEST_F(ErrorsTest, FailuresAreReportedToo) {
  make_city(40, 10);
  const Outcome done = run({"cast", "city.st", "--rays", "gone.st", "-o", "h.st", "--json", "-"});
  EXPECT_EQ(done.exit_code, 6);
  const auto report = json::parse(done.out);
  EXPECT_EQ(report["exit_code"], 6);
  EXPECT_NE(report["error"].get<std::string>().find("gone.st"), std::string::npos);
}

TEST_F(ErrorsTest, AnOlderResultSurvivesAFailure) {
  make_city(40, 1000);
  EXPECT_EQ(run(cast("city.st", "rays.st")).exit_code, 0);
  const std::string before = get("h.st");
  EXPECT_EQ(run(cast_on_cpu("city.st", "rays.st"), {2000, ""}).exit_code, 6);
  EXPECT_TRUE(get("h.st") == before);
}

TEST_F(ErrorsTest, QuietSaysNothing) {
  make_city(40, 1000);
  Arguments arguments = cast("city.st", "rays.st");
  arguments.push_back("-q");
  const Outcome done = run(arguments);
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(done.out, "");
}

}  // namespace
}  // namespace sightline::cli
