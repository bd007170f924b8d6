// render: pictures of results.
#include "tests/host/program/program.hpp"

#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <set>

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
};

TEST_F(RenderTest, DrawsResults) {
  make_results();
  for (const auto& [result, picture] : {std::pair{"v.st", "v.png"}, {"d.st", "d.png"}}) {
    const auto outcome =
        run({"render", "map", result, "--scene", "city.st", "--from", "points.npy", "-o", picture});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(exists(picture));
  }
  EXPECT_EQ(run({"render", "row", "v.st", "--scene", "city.st", "--from", "points.npy",
                 "--viewpoint", "39", "--slice", "0,10", "-o", "row.png"})
                .exit_code,
            0);
}

// Points above one another: the picture shows the highest alone.
TEST_F(RenderTest, WarnsWhereFloorsCoverEachOther) {
  put("floors.json", R"({"aabb": [{"min": [0, 0, -1], "max": [9, 9, 0]},
                                  {"min": [0, 0, 3], "max": [9, 9, 3.2]}]})");
  put("floors.csv", "x,y,z\n1,1,1\n1,1,5\n7,8,1\n7,8,5\n3,4,1\n");
  const Arguments sight = {"visibility", "floors.json", "--from",    "floors.csv",
                           "-o",         "f.st",        "--picture", "f.png"};
  const std::string words =
      "f.png: higher floors hide 2 points: sightline render with --slice LOW,HIGH draws one floor";
  EXPECT_TRUE(run(sight).said(words));
  const Arguments draw = {"render", "map",        "f.st", "--scene", "floors.json",
                          "--from", "floors.csv", "-o",   "f.png"};
  EXPECT_TRUE(run(draw).said(words));
  const auto one = run(draw + Arguments{"--slice", "0,3"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_FALSE(one.said("higher floors"));
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

// Cairo has a font of its own.
TEST_F(RenderTest, TextIsTheSameWhereNoFontIsInstalled) {
  make_results();
  put("fonts.conf", "<fontconfig><dir>/nonexistent</dir></fontconfig>");
  const Arguments map = {"render", "map",        "d.st", "--scene", "city.st",
                         "--from", "points.npy", "-o",   "p.png"};
  EXPECT_EQ(run(map).exit_code, 0);
  const std::string with = get("p.png");
  EXPECT_EQ(run(map, {0, "", {{"FONTCONFIG_FILE", path("fonts.conf")}}}).exit_code, 0);
  EXPECT_TRUE(get("p.png") == with);
}

/// A hall with a wall, a low one and a platform in it, its areas, its cover and its navigation map.
class RenderBakesTest : public ProgramTest {
 protected:
  RenderBakesTest() {
    put("hall.json", R"({"unit": "m", "up": "z", "aabb": [
      {"min": [0, 0, -1], "max": [20, 12, 0]}, {"min": [9, 0, 0], "max": [10, 8, 3]},
      {"min": [4, 3, 0], "max": [6, 3.5, 1.2]}, {"min": [15, 2, 0], "max": [18, 5, 1]}]})");
    put("rooms.json", R"({"up": "z", "areas": [{"min": [1, 1, 1], "max": [8, 11, 2]},
      {"min": [11, 1, 1], "max": [19, 7, 2]}, {"min": [11, 8, 1], "max": [19, 11, 2]},
      {"min": [9.2, 1, 1], "max": [9.8, 7, 2]}]})");
    expect_done({"nav", "hall.json", "--radius", "0.5", "--jump", "3", "-o", "hall.nav",
                 "--points-out", "eyes.st", "-q"});
    expect_done({"areas", "hall.json", "--areas", "rooms.json", "-o", "rooms.st", "-q"});
    expect_done({"areas", "hall.json", "--areas", "eyes.st", "-o", "cells.st", "-q"});
    expect_done(
        {"exposure", "hall.json", "--from", "eyes.st", "--to", "eyes.st", "-o", "e.st", "-q"});
    expect_done({"cover", "hall.json", "--points", "eyes.st", "--at", "1.6", "-o", "c.st", "-q"});
  }
  void expect_done(const Arguments& arguments) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  Arguments picture(const std::string& what, const std::string& file, Arguments more = {}) {
    return Arguments{"render", what, file, "--scene", "hall.json", "-o", "p.png"} + more;
  }
};

TEST_F(RenderBakesTest, DrawsEveryBake) {
  const std::vector<Arguments> pictures = {
      picture("map", "e.st", {"--points", "eyes.st"}),
      picture("map", "e.st", {"--points", "eyes.st", "--links", "hall.nav"}),
      picture("areas", "rooms.st", {"--areas", "rooms.json", "--area", "0"}),
      picture("areas", "cells.st", {"--areas", "eyes.st", "--viewpoint", "3", "--slice", "0,9"}),
      picture("cover", "c.st", {"--points", "eyes.st"}),
      picture("nav", "hall.nav")};
  std::set<std::string> seen;
  for (const Arguments& arguments : pictures) {
    const auto told = run(arguments + Arguments{"--dry-run"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_NE(told.err.find("would draw"), std::string::npos) << told.err;
    EXPECT_FALSE(exists("p.png"));
    expect_done(arguments);
    EXPECT_TRUE(seen.insert(get("p.png")).second) << arguments[1] << " is as another";
    std::filesystem::remove(path("p.png"));
  }
}

TEST_F(RenderBakesTest, TheNavMapIsTheOneThatNavDraws) {
  expect_done({"nav", "hall.json", "--radius", "0.5", "--jump", "3", "-o", "again.nav", "--picture",
               "own.png", "-q"});
  expect_done(picture("nav", "hall.nav"));
  EXPECT_EQ(get("p.png"), get("own.png"));
}

// Floors in many boxes hide what a picture is of: it may be drawn over the walls alone.
TEST_F(RenderBakesTest, DrawsOverAnotherSceneOfTheMap) {
  put("walls.json", R"({"unit": "m", "up": "z", "aabb": [{"min": [9, 0, 0], "max": [10, 8, 3]}]})");
  const std::vector<Arguments> pictures = {
      picture("cover", "c.st", {"--points", "eyes.st"}),
      picture("map", "e.st", {"--points", "eyes.st"}),
      picture("areas", "cells.st", {"--areas", "eyes.st", "--viewpoint", "3"}),
      {"cover", "hall.json", "--points", "eyes.st", "--at", "1.6", "-o", "c2.st", "--picture",
       "p.png"}};
  for (Arguments arguments : pictures) {
    expect_done(arguments);
    const std::string own = get("p.png");
    arguments.insert(arguments.end(), {"--over", "walls.json"});
    expect_done(arguments);
    EXPECT_FALSE(get("p.png") == own) << arguments[1];
    arguments.back() = "hall.json";
    expect_done(arguments);
    EXPECT_TRUE(get("p.png") == own) << arguments[1];
    put("feet.json",
        R"({"unit": "ft", "up": "z", "aabb": [{"min": [0, 0, 0], "max": [1, 1, 1]}]})");
    arguments.back() = "feet.json";
    expect_failure(3, {"feet.json", "the unit is ft, but m"}, arguments);
    put("lying.json",
        R"({"unit": "m", "up": "y", "aabb": [{"min": [0, 0, 0], "max": [1, 1, 1]}]})");
    arguments.back() = "lying.json";
    expect_failure(3, {"lying.json", "up is y, but z"}, arguments);
    arguments.back() = "none.json";
    expect_failure(6, {"none.json"}, arguments);
  }
}

// Points of cover may be the feet, which stand on a shape.
TEST_F(RenderBakesTest, FeetOnTheGroundAreNotInAShape) {
  const Vec3 feet[] = {{1, 1, 0}, {2, 5, 0}, {8, 3, 0}, {15, 9, 0}};
  const Vec3 eyes[] = {{1, 1, 1.6f}, {2, 5, 1.6f}, {8, 3, 1.6f}, {15, 9, 1.6f}};
  const auto drawn = [&](std::span<const Vec3> points, const std::string& at) {
    io::Points file;
    file.position.assign(points.begin(), points.end());
    io::write_points(path("p.npy"), file);
    expect_done({"cover", "hall.json", "--points", "p.npy", "--at", at, "-o", "f.st", "--picture",
                 "f.png", "-q"});
    expect_done(picture("cover", "f.st", {"--points", "p.npy"}));
    return get("f.png") + get("p.png");
  };
  EXPECT_TRUE(drawn(feet, "0") == drawn(eyes, "1.6"));
}

TEST_F(RenderBakesTest, SlicesOfNavMapsShowTheFloorsWithin) {
  expect_done(picture("nav", "hall.nav"));
  const std::string whole = get("p.png");
  expect_done(picture("nav", "hall.nav", {"--slice", "-9,9"}));
  EXPECT_TRUE(get("p.png") == whole);
  expect_done(picture("nav", "hall.nav", {"--slice", "1,9"}));
  EXPECT_FALSE(get("p.png") == whole);
}

TEST_F(RenderBakesTest, RefusesOthersAreasPointsAndScenes) {
  put("other.json", R"({"aabb": [{"min": [0, 0, 0], "max": [1, 1, 1]}]})");
  expect_failure(2, {"--area", "--viewpoint"},
                 picture("areas", "rooms.st", {"--areas", "rooms.json"}));
  expect_failure(2, {"no area 4 of 4"},
                 picture("areas", "rooms.st", {"--areas", "rooms.json", "--area", "4"}));
  expect_failure(2, {"rooms.json", "no points", "--area"},
                 picture("areas", "rooms.st", {"--areas", "rooms.json", "--viewpoint", "0"}));
  expect_failure(2, {"no viewpoint 99999"},
                 picture("areas", "cells.st", {"--areas", "eyes.st", "--viewpoint", "99999"}));
  expect_failure(3, {"rooms.st", "areas", "eyes.st"},
                 picture("areas", "rooms.st", {"--areas", "eyes.st", "--area", "0"}));
  expect_failure(2, {"c.st", "'cover'", "'area visibility'"},
                 picture("areas", "c.st", {"--areas", "rooms.json", "--area", "0"}));
  expect_failure(2, {"c.st", "'cover'", "exposure"},
                 picture("map", "c.st", {"--points", "eyes.st"}));
  expect_failure(
      2, {"p.jpg", ".png"},
      {"render", "cover", "c.st", "--scene", "hall.json", "--points", "eyes.st", "-o", "p.jpg"});
  expect_failure(3, {"hall.nav", "other.json"},
                 {"render", "nav", "hall.nav", "--scene", "other.json", "-o", "p.png"});
  expect_failure(
      3, {"c.st", "other.json"},
      {"render", "cover", "c.st", "--scene", "other.json", "--points", "eyes.st", "-o", "p.png"});
  expect_failure(3, {"e.st", "nav"},
                 picture("map", "e.st", {"--points", "eyes.st", "--links", "e.st"}));
}

TEST_F(RenderTest, RefusesWhatDoesNotBelongTogether) {
  make_results();
  make_points(41, "others.npy", 2);
  expect_failure(
      3, {"v.st", "points", "others.npy"},
      {"render", "map", "v.st", "--scene", "city.st", "--from", "others.npy", "-o", "p.png"});
  // The hash is that of the points, but the file has answers to fewer.
  for (const char* result : {"v.st", "d.st"}) {
    std::map<std::string, io::Shape> shapes;
    const io::ContainerReader whole(path(result));
    for (const io::TensorInfo& t : whole.tensors()) {
      shapes[t.name] = t.shape;
      shapes[t.name][0] = 39;
    }
    rewrite(result, "short.st", {{"points.count", "39"}, {"from.count", "39"}, {"to.count", "39"}},
            shapes);
    expect_failure(
        3, {"short.st", "39 points", "has 40"},
        {"render", "map", "short.st", "--scene", "city.st", "--from", "points.npy", "-o", "p.png"});
  }
  // Rows of no words: a file of a few bytes may claim any number of them.
  for (const std::uint64_t rows : {std::uint64_t{40}, std::uint64_t{1} << 62}) {
    rewrite("v.st", "none.st",
            {{"to.hash", std::string(32, '0')},
             {"from.count", std::to_string(rows)},
             {"to.count", "0"}},
            {{"bits", {rows, 0}}});
    expect_failure(
        3, {"none.st", rows == 40 ? "no targets" : "points.npy has 40"},
        {"render", "map", "none.st", "--scene", "city.st", "--from", "points.npy", "-o", "p.png"});
    EXPECT_EQ(run({"info", "none.st"}).exit_code, 0);
  }
  expect_failure(2, {"no viewpoint 40 of 40"},
                 {"render", "row", "v.st", "--scene", "city.st", "--from", "points.npy",
                  "--viewpoint", "40", "-o", "p.png"});
  expect_failure(2, {"this picture is of 'visibility'"},
                 {"render", "row", "d.st", "--scene", "city.st", "--from", "points.npy",
                  "--viewpoint", "0", "-o", "p.png"});
}

}  // namespace
}  // namespace sightline::cli
