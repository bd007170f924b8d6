// render: pictures of results and of what a camera sees.
#include "tests/cli/program.hpp"

#include "host/io/points_file.hpp"
#include "host/io/results_file.hpp"
#include "host/io/scene_file.hpp"

#include <nlohmann/json.hpp>

namespace sightline::cli {
namespace {

class RenderTest : public ProgramTest {
 protected:
  RenderTest() {
    make_city(200, 10);
    make_points(40);
  }
  void make_results() {
    EXPECT_EQ(run({"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "-q"}).exit_code,
              0);
    EXPECT_EQ(run({"distance", "city.st", "--points", "points.npy", "-o", "d.st", "-q"}).exit_code,
              0);
  }
  std::vector<std::string> camera(const std::string& file, const std::string& show = "shaded") {
    return {"render", "camera",   "city.st", "--eye",  "0,0,60", "--target", "20,20,0", "--width",
            "64",     "--height", "48",      "--show", show,     "-o",       file};
  }
};

TEST_F(RenderTest, DrawsResults) {
  make_results();
  for (const auto& [result, picture] :
       {std::pair{"v.st", "v.png"}, {"d.st", "d.png"}, {"v.st", "v.ply"}}) {
    const auto outcome =
        run({"render", "map", result, "--scene", "city.st", "--from", "points.npy", "-o", picture});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(exists(picture));
  }
  EXPECT_EQ(run({"render", "row", "v.st", "--scene", "city.st", "--from", "points.npy",
                 "--viewpoint", "39", "--slice", "0,10", "-o", "row.png"})
                .exit_code,
            0);
  for (const char* result : {"v.st", "d.st"}) {
    EXPECT_EQ(run({"render", "histogram", result, "-o", "h.png"}).exit_code, 0);
  }
}

TEST_F(RenderTest, TheMapIsTheOneThatVisibilityDraws) {
  ASSERT_EQ(
      run({"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "--picture", "own.png"})
          .exit_code,
      0);
  ASSERT_EQ(
      run({"render", "map", "v.st", "--scene", "city.st", "--from", "points.npy", "-o", "map.png"})
          .exit_code,
      0);
  EXPECT_EQ(get("map.png"), get("own.png"));
}

TEST_F(RenderTest, CamerasSeeTheSameOnEveryBackend) {
  for (const char* file : {"a.png", "a.exr", "a.ply"}) {
    for (const char* device : {"reference", "cpu"}) {
      std::vector<std::string> arguments = camera(file);
      arguments.insert(arguments.end(), {"--device", device});
      ASSERT_EQ(run(arguments).exit_code, 0);
      std::filesystem::rename(path(file), path(std::string(device) + file));
    }
    EXPECT_EQ(get(std::string("reference") + file), get(std::string("cpu") + file)) << file;
  }
  for (const char* show : {"depth", "normal"}) {
    EXPECT_EQ(run(camera("p.png", show)).exit_code, 0);
  }
  const auto report = nlohmann::json::parse(json_of(camera("p.png")));
  EXPECT_EQ(report["counts"]["rays"], 64 * 48);
  EXPECT_GT(report["counts"]["hits"], 0);
  EXPECT_LE(report["counts"]["hits"], 64 * 48);
}

TEST_F(RenderTest, RefusesWhatDoesNotBelongTogether) {
  make_results();
  make_points(41, "others.npy", 2);
  expect_failure(
      3, {"v.st", "points", "others.npy"},
      {"render", "map", "v.st", "--scene", "city.st", "--from", "others.npy", "-o", "p.png"});
  // The hash is that of the points, but the file has answers to fewer.
  for (const char* result : {"v.st", "d.st"}) {
    io::ResultParameters p = io::ResultReader(path(result)).parameters();
    p.viewpoints = p.targets = p.points = 39;
    io::ResultWriter(path("short.st"), p).commit();
    expect_failure(
        3, {"short.st", "39 points", "has 40"},
        {"render", "map", "short.st", "--scene", "city.st", "--from", "points.npy", "-o", "p.png"});
  }
  // Rows of no words: a file of a few bytes may claim any number of them.
  io::ResultParameters none = io::ResultReader(path("v.st")).parameters();
  none.to_hash = std::string(32, '0');
  none.viewpoints = std::uint64_t{1} << 62;
  none.targets = 0;
  io::ResultWriter(path("none.st"), none).commit();
  expect_failure(3, {"none.st", "no targets"}, {"render", "histogram", "none.st", "-o", "p.png"});
  EXPECT_EQ(run({"info", "none.st"}).exit_code, 0);
  expect_failure(2, {"no viewpoint 40 of 40"},
                 {"render", "row", "v.st", "--scene", "city.st", "--from", "points.npy",
                  "--viewpoint", "40", "-o", "p.png"});
  expect_failure(2, {"only visibility has rows"},
                 {"render", "row", "d.st", "--scene", "city.st", "--from", "points.npy",
                  "--viewpoint", "0", "-o", "p.png"});
  expect_failure(2, {"p.jpg", ".png"}, {"render", "histogram", "v.st", "-o", "p.jpg"});
  expect_failure(
      2, {"same point"},
      {"render", "camera", "city.st", "--eye", "0,0,0", "--target", "0,0,0", "-o", "p.png"});
  expect_failure(5, {"the picture"},
                 {"render", "camera", "city.st", "--eye", "0,0,0", "--target", "1,0,0", "--width",
                  "16384", "--height", "16384", "--max-memory", "200M", "-o", "p.png"});
}

}  // namespace
}  // namespace sightline::cli
