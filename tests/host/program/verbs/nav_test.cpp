// The verb nav, from a scene to its files.
#include "tests/host/program/program.hpp"

#include "host/files/core/container.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <sightline/cover.hpp>

#include <cstring>
#include <set>

namespace sightline::cli {
namespace {

using nlohmann::json;

class NavTest : public ProgramTest {
 protected:
  void SetUp() override {
    put("yard.json", R"({"unit": "m", "up": "z",
      "aabb": [{"min": [0, 0, -1], "max": [20, 12, 0]}, {"min": [9, 0, 0], "max": [10, 12, 3]},
               {"min": [10, 0, 0], "max": [20, 12, 0.5]}]})");
  }
};

TEST_F(NavTest, WritesWhatTheLibraryBakes) {
  const json report =
      json_of({"nav", "yard.json", "-o", "yard.nav", "--recast", "yard.recast", "--editor",
               "yard.ed.json", "--arrays", "arrays", "--picture", "yard.png"});
  const Caster caster(io::read_scene(path("yard.json")), ReferenceOptions{});
  const NavMap expected = bake_nav(caster);
  const NavMap found = io::read_nav(path("yard.nav"));
  EXPECT_EQ(found.top, expected.top);
  EXPECT_EQ(found.clearance, expected.clearance);
  EXPECT_EQ(found.region, expected.region);
  EXPECT_EQ(report["counts"]["regions"], 2);
  EXPECT_EQ(report["counts"]["spans"], expected.spans());
  EXPECT_EQ(report["up"], "z");
  const json editor = json::parse(get("yard.ed.json"));
  EXPECT_EQ(editor["regions"].size(), 2u);
  double cells = 0;
  for (const json& run : editor["runs"]) {
    cells += 1 + std::round((run["to"][0].get<double>() - run["from"][0].get<double>()) / 0.3);
  }
  EXPECT_EQ(cells, report["counts"]["walkable"].get<double>());
  EXPECT_EQ(io::ContainerReader(path("yard.recast")).metadata("sightline.file"), "recast");
  EXPECT_TRUE(get("yard.png").starts_with("\x89PNG"));
  EXPECT_TRUE(exists("arrays/clearance.npy"));
  EXPECT_TRUE(run({"info", "yard.nav"}).out.find("walkable") != std::string::npos);
}

TEST_F(NavTest, PutsPointsOverWalkableFloors) {
  const json report = json_of({"nav", "yard.json", "-o", "yard.nav", "--points-out", "eyes.st",
                               "--eye", "1.5", "--spacing", "0.6", "--area-side", "6"});
  const NavMap map = io::read_nav(path("yard.nav"));
  const io::Points eyes = io::read_points(path("eyes.st"));
  ASSERT_EQ(report["points"]["count"], eyes.count());
  // Every second column of the walkable ones, along both axes.
  std::uint64_t expected = 0;
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    const bool taken = c % map.grid.width % 2 == 1 && c / map.grid.width % 2 == 1;
    for (std::uint64_t s = map.offsets[c]; taken && s < map.offsets[c + 1]; ++s) {
      if ((map.flags[s] & nav_flags::walkable) == 0) continue;
      const Vec3 p = map.grid.at(c, map.top[s] + 1.5f);
      ASSERT_LT(expected, eyes.count());
      EXPECT_EQ(eyes.position[expected].x, p.x);
      EXPECT_EQ(eyes.position[expected].y, p.y);
      EXPECT_EQ(eyes.position[expected].z, p.z);
      ++expected;
    }
  }
  EXPECT_EQ(expected, eyes.count());
  // The yard is 20 by 12, its wall at 9 to 10: squares 0 to 6 and 6 to 9 before it, 10 to 12, to 18
  // and to 20 behind, two rows of each.
  const std::set<std::uint32_t> areas(eyes.area.begin(), eyes.area.end());
  EXPECT_EQ(areas.size(), 10u);
  EXPECT_EQ(*areas.rbegin(), 9u);
  json_of({"areas", "yard.json", "--areas", "eyes.st", "-o", "areas.st"});
  expect_failure(2, {"--points-out"}, {"nav", "yard.json", "-o", "y.nav", "--eye", "1"});
}

TEST_F(NavTest, LeadsToPlacesWithCoverAlongWalls) {
  json_of({"nav", "yard.json", "-o", "yard.nav"});
  const Arguments from_map = {
      "cover", "yard.json", "--nav", "yard.nav", "-o",  "cover.st",     "--spacing", "1.5", "--at",
      "1.6",   "--reach",   "1.4",   "--lean",   "0.8", "--points-out", "places.st"};
  const auto before = names();
  const json planned = json_of(from_map, {"--dry-run"});
  EXPECT_EQ(names(), before);
  const json report = json_of(from_map);
  const Caster caster(io::read_scene(path("yard.json")), ReferenceOptions{});
  CoverPlaceOptions o;
  o.cover.at = 1.6f, o.cover.reach = 1.4f, o.cover.lean = 0.8f;
  o.spacing = 1.5f;
  const CoverPlaces expected = find_cover_places(caster, io::read_nav(path("yard.nav")), o);
  ASSERT_GT(expected.position.size(), 10u);
  EXPECT_EQ(report["counts"]["along_walls"], expected.along_walls);
  EXPECT_EQ(report["counts"]["covered"], expected.covered);
  EXPECT_EQ(report["counts"]["stand"], expected.position.size());  // the wall is 3 high
  EXPECT_GE(planned["bytes"]["result"], 38 * expected.along_walls);
  EXPECT_LT(planned["bytes"]["result"], 38 * expected.along_walls + 2000);  // the header
  const io::Points places = io::read_points(path("places.st"));
  ASSERT_EQ(places.count(), expected.position.size());
  for (std::size_t i = 0; i < expected.position.size(); ++i) {
    const Vec3 p = places.view().position[i];
    EXPECT_EQ(std::memcmp(&p, &expected.position[i], sizeof p), 0) << i;
  }
  EXPECT_EQ(run({"verify", "cover.st", "--scene", "yard.json", "--points", "places.st"}).exit_code,
            0);
  // As the points of a file they have the same cover.
  json_of({"cover", "yard.json", "--points", "places.st", "-o", "again.st", "--at", "1.6",
           "--reach", "1.4", "--lean", "0.8"});
  EXPECT_TRUE(get("cover.st") == get("again.st"));
}

TEST_F(NavTest, SaysThatAnNpyOfPlacesHasNoEyes) {
  json_of({"nav", "yard.json", "-o", "yard.nav"});
  const Arguments cover = {"cover", "yard.json", "--nav", "yard.nav", "-o", "cover.st"};
  const Outcome plain = run(cover + Arguments{"--points-out", "places.npy", "--stand", "1.5"});
  EXPECT_EQ(plain.exit_code, 0);
  EXPECT_TRUE(
      plain.said("warning: places.npy: an .npy holds no eye heights: give --at 1.5 to "
                 "visibility and exposure, or let --points-out end in .safetensors"))
      << plain.err;
  for (const Arguments& more :
       {Arguments{"--points-out", "places.st", "--stand", "1.5"},
        Arguments{"--points-out", "at.npy", "--stand", "1.5", "--at", "1.5"}}) {
    const Outcome done = run(cover + more);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_FALSE(done.said("eye heights")) << done.err;
  }
}

TEST_F(NavTest, GivesPlacesWhoseEyesSee) {
  json_of({"nav", "yard.json", "-o", "yard.nav"});
  json_of({"cover", "yard.json", "--nav", "yard.nav", "-o", "cover.st", "--stand", "1.5",
           "--points-out", "places.st"});
  io::Points places = io::read_points(path("places.st"));
  EXPECT_EQ(places.metadata["eyes"], "1.5");
  json_of({"visibility", "yard.json", "--from", "places.st", "-o", "seen.st"});
  // The same as of points that are raised by hand, and not dark.
  for (Vec3& p : places.position) p.z += 1.5f;
  places.metadata.erase("eyes");
  io::write_points(path("eyes.st"), places);
  const json expected = json_of({"visibility", "yard.json", "--from", "eyes.st", "-o", "eyed.st"});
  EXPECT_GT(expected["counts"]["visible"].get<std::uint64_t>(), places.count());
  const auto bits = [&](const char* name) {
    const io::ContainerReader file(path(name));
    return file.column<std::uint64_t>(file.find("bits"));
  };
  EXPECT_EQ(bits("seen.st"), bits("eyed.st"));
  const io::ContainerReader seen(path("seen.st"));
  EXPECT_EQ(seen.metadata("from.at") + seen.metadata("from.up"), "1.5z");
  EXPECT_EQ(seen.metadata("from.hash"), io::points_hash(places));
  // On the floor, all is dark; the first words of the warning are the ones that help.
  const Outcome dark =
      run({"visibility", "yard.json", "--from", "places.st", "--at", "0", "-o", "dark.st"});
  EXPECT_TRUE(dark.said("which hides them; --at 1.6 raises")) << dark.err;
  for (const std::uint64_t word : bits("dark.st")) EXPECT_EQ(word, 0u);
  json_of({"visibility", "yard.json", "--from", "eyes.st", "--to", "places.st", "-o", "both.st"});
  EXPECT_EQ(bits("both.st"), bits("eyed.st"));
  json_of({"exposure", "yard.json", "--from", "places.st", "--to", "places.st", "-o", "count.st"});
  for (const char* result : {"seen.st", "dark.st", "both.st", "count.st"}) {
    Arguments verify = {"verify",  result,
                        "--scene", "yard.json",
                        "--from",  result == std::string("both.st") ? "eyes.st" : "places.st",
                        "--full"};
    if (result == std::string("both.st") || result == std::string("count.st")) {
      verify.insert(verify.end(), {"--to", "places.st"});
    }
    EXPECT_EQ(run(verify).exit_code, 0) << result;
  }
  json_of({"render", "map", "seen.st", "--scene", "yard.json", "--from", "places.st", "-o",
           "seen.png"});
  places.metadata["eyes"] = "high";
  io::write_points(path("wrong.st"), places);
  expect_failure(3, {"wrong.st", "'eyes' is 'high'"},
                 {"visibility", "yard.json", "--from", "wrong.st", "-o", "x.st"});
}

TEST_F(NavTest, IsRefusedAsPlacesForCoverInOneSentence) {
  json_of({"nav", "yard.json", "-o", "yard.nav"});
  json_of({"nav", "yard.json", "-o", "near.nav", "--range", "0.6"});
  put("other.json", R"({"aabb": [{"min": [0, 0, -1], "max": [20, 12, 0]}]})");
  const auto cover = [](const std::string& scene, Arguments more) {
    more.insert(more.begin(), {"cover", scene, "-o", "c.st"});
    return more;
  };
  const Arguments whole = {"--nav", "yard.nav", "--points-out", "p.st"};
  expect_failure(2, {"--points", "--nav"}, cover("yard.json", {}));
  expect_failure(2, {"--points-out"}, cover("yard.json", {"--nav", "yard.nav"}));
  expect_failure(2, {"--nav"}, cover("yard.json", {"--points", "p.npy", "--spacing", "1"}));
  expect_failure(2, {"twice"},
                 cover("yard.json", {"--nav", "yard.nav", "--points-out", "yard.nav"}));
  expect_failure(3, {"yard.nav", "another scene"}, cover("other.json", whole));
  expect_failure(2, {"range"}, cover("yard.json", {"--nav", "near.nav", "--points-out", "p.st"}));
  expect_failure(2, {"spacing", "64"}, cover("yard.json", whole + Arguments{"--spacing", "20"}));
  expect_failure(6, {"none/p.st"},
                 cover("yard.json", {"--nav", "yard.nav", "--points-out", "none/p.st"}));
}

TEST_F(NavTest, SaysWhyNobodyCanWalk) {
  const auto why = [&](std::vector<std::string> nav, const std::string& words) {
    nav.insert(nav.begin(), "nav");
    nav.insert(nav.end(), {"-o", "n.nav"});
    const Outcome done = run(nav);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_TRUE(done.said("there is no walkable place: " + words)) << done.err;
  };
  const std::string walls = R"("aabb": [{"min": [0, 0, 0], "max": [0, 640, 128]},
                                        {"min": [0, 0, 0], "max": [640, 0, 128]}]})";
  put("walls.json", "{" + walls);
  why({"walls.json", "--cell", "8", "--radius", "16"}, "no shape is above or below any column");
  Scene scene = io::read_scene(path("walls.json"));
  io::write_scene(path("doom.st"), scene, {{"unit", "doom map unit"}, {"doom.walls", "closed"}});
  why({"doom.st"}, "the scene has a Doom map's walls alone; import the map with --floors 8");
  put("post.json", R"({"aabb": [{"min": [0, 0, 0], "max": [1, 1, 1]}]})");
  why({"post.json"}, "all floors are nearer than --radius 0.6 to an obstacle");
  why({"post.json", "--bounds", "0", "0", "0", "1", "1", "0.5"},
      "no shape within the bounds has --height 2");
  put_npy("far.npy", {900, 900, 5}, {1, 3});
  why({"yard.json", "--from", "far.npy"}, "no floor where an agent of --radius 0.6 fits");
  put("none.json", R"({"aabb": []})");
  const Outcome none = run({"visibility", "none.json", "--from", "far.npy", "-o", "v.st"});
  EXPECT_TRUE(none.said("warning: none.json: the scene has no shapes")) << none.err;
}

TEST_F(NavTest, TakesItsLengthsFromTheUnit) {
  const std::string box = R"("aabb": [{"min": [0, 0, -8], "max": [512, 512, 0]}]})";
  const auto map_of = [&](const std::string& unit, const Arguments& more) {
    put("floor.json", R"({"unit": ")" + unit + "\"," + box);
    json_of({"nav", "floor.json", "-o", "f.nav"}, more);
    return io::read_nav(path("f.nav"));
  };
  const NavMap doom = map_of("doom map unit", {"--climb", "20", "--jump", "64"});
  EXPECT_EQ(doom.agent.radius, 16);
  EXPECT_EQ(doom.agent.height, 56);
  EXPECT_EQ(doom.agent.climb, 20);
  EXPECT_EQ(doom.grid.cell, 8);
  EXPECT_EQ(doom.grid.cell_height, 8);
  EXPECT_EQ(doom.jump_options.drop, 128);
  EXPECT_EQ(map_of("cm", {}).agent.radius, 60);
  EXPECT_EQ(map_of("m", {"--cell", "4", "--radius", "4"}).agent.height, 2);
  put("atom.json", R"({"unit": "angstrom", "sphere": [{"center": [0, 0, 0], "radius": 9}]})");
  expect_failure(2, {"angstrom", "--radius, --height, --climb, --cell, --cell-height"},
                 {"nav", "atom.json", "-o", "a.nav"});
  json_of({"nav", "atom.json", "-o", "a.nav", "--radius", "1", "--height", "2", "--climb", "1",
           "--cell", "0.5", "--cell-height", "0.5"});
}

TEST_F(NavTest, AsksBeforeALargeBake) {
  const Arguments nav = {"nav", "yard.json", "-o", "n.nav", "--cell", "0.001", "--radius", "0.05"};
  expect_failure(2, {"240,000,000 columns, 20000 x 12000 of 0.001 m", "GiB", "--yes"}, nav);
  EXPECT_EQ(run(nav + Arguments{"--dry-run"}).exit_code, 0);
  expect_failure(5, {"limit"}, nav + Arguments{"--max-memory", "100M"});
  expect_failure(5, {"limit"}, nav + Arguments{"--yes", "--max-memory", "100M"});
}

/// A crate that other bodies push aside, and that verify leaves out as well.
TEST_F(NavTest, LeavesOutShapesByTheirMask) {
  const std::string floor = R"({"aabb": [{"min": [0, 0, -1], "max": [9, 9, 0], "mask": 1})";
  put("crate.json", floor + R"(, {"min": [4, 4, 0], "max": [5, 5, 2], "mask": 2}]})");
  put("floor.json", floor + "]}");
  const auto walkable = [&](const Arguments& nav) {
    return json_of(nav)["counts"]["walkable"].get<int>();
  };
  const int all = walkable({"nav", "crate.json", "-o", "all.nav"});
  const int some = walkable({"nav", "crate.json", "-o", "some.nav", "--mask", "1", "--bounds", "0",
                             "0", "-1", "9", "9", "0"});
  EXPECT_LT(all, some);
  EXPECT_EQ(some, walkable({"nav", "floor.json", "-o", "floor.nav"}));
  EXPECT_EQ(run({"verify", "some.nav", "--scene", "crate.json", "--full"}).exit_code, 0);
  std::string bytes = get("some.nav");
  const std::string key = R"("query.mask":"1")";
  ASSERT_NE(bytes.find(key), std::string::npos);
  bytes.replace(bytes.find(key), key.size(), R"("query.mask":"2")");
  put("other.nav", bytes);
  EXPECT_EQ(run({"verify", "other.nav", "--scene", "crate.json", "--full"}).exit_code, 1);
}

TEST_F(NavTest, GivesTheSameBytesOnEveryDevice) {
  json_of({"nav", "yard.json", "-o", "a.nav", "--device", "reference"});
  json_of({"nav", "yard.json", "-o", "b.nav", "--device", "cpu", "--threads", "1"});
  EXPECT_TRUE(get("a.nav") == get("b.nav"));
}

TEST_F(NavTest, TakesTheAgentAndTheAxis) {
  const auto walkable = [&](Arguments options) {
    return json_of({"nav", "yard.json", "-o", "c.nav"}, options)["counts"]["walkable"].get<int>();
  };
  const int usual = walkable({});
  EXPECT_LT(walkable({"--radius", "1.2"}), usual);
  EXPECT_GT(walkable({"--cell", "0.15"}), 3 * usual);
  EXPECT_LT(walkable({"--bounds", "0", "0", "-1", "8", "12", "3"}), usual);
  EXPECT_EQ(io::read_nav(path("c.nav")).grid.bounds.max.x, 8);
  walkable({"--up", "y", "--height", "1.5", "--climb", "0.4", "--slope", "30"});
  EXPECT_EQ(io::read_nav(path("c.nav")).grid.up, UpAxis::y);
  EXPECT_EQ(io::read_nav(path("c.nav")).agent.climb, 0.4f);
}

TEST_F(NavTest, LooksForJumps) {
  put("chasm.json", R"({"aabb": [{"min": [0, 0, 0], "max": [6, 6, 5]},
                                 {"min": [8, 0, 0], "max": [14, 6, 5]}]})");
  const json report = json_of({"nav", "chasm.json", "-o", "c.nav", "--jump", "5", "--recast",
                               "c.recast", "--editor", "c.json"});
  const NavMap map = io::read_nav(path("c.nav"));
  ASSERT_GT(map.jumps.size(), 0u);
  EXPECT_EQ(report["counts"]["jumps"], map.jumps.size());
  EXPECT_EQ(json::parse(get("c.json"))["jumps"].size(), map.jumps.size());
  const io::ContainerReader recast(path("c.recast"));
  recast.expect("offmesh.verts", io::Dtype::f32, {map.jumps.size(), 6});
  expect_failure(2, {"jump"}, {"nav", "chasm.json", "-o", "n.nav", "--jump", "100"});
}

TEST_F(NavTest, RefusesInOneSentence) {
  expect_failure(2, {"climb"}, {"nav", "yard.json", "-o", "n.nav", "--climb", "3"});
  expect_failure(2, {"2^24"}, {"nav", "yard.json", "-o", "n.nav", "--cell", "1e-8"});
  expect_failure(2, {"--bounds"},
                 {"nav", "yard.json", "-o", "n.nav", "--bounds", "1", "0", "0", "0", "1", "1"});
  expect_failure(5, {"limit", "larger cells"},
                 {"nav", "yard.json", "-o", "n.nav", "--cell", "0.002", "--radius", "0.1",
                  "--max-memory", "200M"});
  expect_failure(6, {"none/n.nav"}, {"nav", "yard.json", "-o", "none/n.nav"});
  put("planes.json", R"({"plane": [{"normal": [0, 0, 1], "offset": 0}]})");
  expect_failure(2, {"bounds"}, {"nav", "planes.json", "-o", "n.nav"});
}

TEST_F(NavTest, RefusesBeforeItWrites) {
  const auto before = names();
  expect_failure(2, {"8191"},
                 {"nav", "yard.json", "-o", "n.nav", "--recast", "n.recast", "--cell-height",
                  "1e-4", "--climb", "0.9"});
  expect_failure(2, {"jumps"}, {"nav", "yard.json", "-o", "n.nav", "--jump", "100", "--dry-run"});
  EXPECT_EQ(names(), before);
}

/// With what suffices the peak keeps to it, and the map is the same.
TEST_F(NavTest, KeepsToItsMemory) {
  if (sanitized) GTEST_SKIP() << "what a sanitizer holds is not the program's";
  const Arguments nav = {"nav",      "yard.json", "--cell",   "0.04",
                         "--radius", "0.3",       "--recast", "y.recast"};
  json_of(nav, {"-o", "all.nav"});
  int fits = 0;
  for (std::uint64_t mib = 16; mib <= 128; mib += mib / 2) {
    const std::string limit = std::to_string(mib) + "M";
    const Outcome done =
        run(nav + Arguments{"-o", "some.nav", "--max-memory", limit, "--json", "-", "--quiet"});
    ASSERT_TRUE(done.exit_code == 0 || done.exit_code == 5) << done.err;
    if (done.exit_code != 0) continue;
    ++fits;
    EXPECT_LE(json::parse(done.out)["peak_memory_bytes"].get<std::uint64_t>(), mib * 1'000'000);
    EXPECT_TRUE(get("some.nav") == get("all.nav"));
  }
  EXPECT_GT(fits, 0);
}

TEST_F(NavTest, DryRunWritesNothing) {
  const auto before = names();
  const json report = json_of({"nav", "yard.json", "-o", "n.nav", "--dry-run", "--cell", "1"});
  EXPECT_EQ(report["counts"]["columns"], 20 * 12);
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace sightline::cli
