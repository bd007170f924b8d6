// The verbs areas, pvs, exposure, probes and cover, from files to files, and their verification.
#include "tests/host/program/program.hpp"

#include "host/files/core/npy.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/formats/visible_sets.hpp"
#include "host/files/pictures/picture.hpp"
#include "host/program/jobs/bakes.hpp"

#include <sightline/visibility.hpp>

namespace sightline::cli {
namespace {

using nlohmann::json;

class BakesTest : public ProgramTest {
 protected:
  void SetUp() override {
    json_of({"gen", "city", "--shapes", "200", "--seed", "1", "-o", "city.st"});
    // Boxes side by side, and one polygon that says how many samples it wants.
    json areas = {{"up", "z"}, {"areas", json::array()}};
    for (int i = 0; i < cells; ++i) {
      const int x = 20 * (i % 7), y = 20 * (i / 7);
      areas["areas"].push_back(
          {{"min", {x, y, 1}}, {"max", {x + 20, y + 20, i % 3 == 0 ? 40 : 2}}});
    }
    areas["areas"].push_back(
        {{"corners", {{0, 150, 2}, {60, 150, 2}, {30, 200, 2}}}, {"samples", 9}});
    put("areas.json", areas.dump());
    make_points(120, "eyes.npy", 1);
    make_points(210, "spots.npy", 2);
  }

  /// Verifies the whole of it, then with one byte changed, which must be told.
  void expect_verified(const std::string& result, const std::string& tensor, std::uint64_t byte,
                       Arguments inputs) {
    inputs.insert(inputs.begin(), {"verify", result, "--scene", "city.st", "--full"});
    EXPECT_EQ(run(inputs).exit_code, 0) << result;
    const std::string whole = get(result);
    flip(result, offset_of(result, tensor, byte));
    EXPECT_EQ(run(inputs).exit_code, 1) << result << " " << tensor;
    put(result, whole);
  }

  static constexpr int cells = 49;
  static constexpr std::uint64_t n = cells + 1;
};

// 138 KB that ask for 4 GB.
TEST_F(BakesTest, MoreSamplesThanAMachineLikesAreRefusedBeforeTheyAreMade) {
  const json area = {{"min", {0, 0, 0}}, {"max", {1, 1, 1}}, {"samples", 65535}};
  put("greedy.json", json({{"areas", std::vector<json>(2400, area)}}).dump());
  const Arguments bake = {"areas", "city.st", "--areas", "greedy.json", "-o", "greedy.st"};
  expect_failure(
      2, {"greedy.json: the memory of 157,284,000 samples takes 3,774,816,000 bytes", "--yes"},
      bake);
  expect_failure(5, {"greedy.json: the memory of 157,284,000 samples needs", "--max-memory"},
                 bake + Arguments{"--max-memory", "1G"});
  const json report = json::parse(run(bake + Arguments{"--json", "-"}).out);
  EXPECT_LT(report["peak_memory_bytes"], std::uint64_t{512} << 20);
}

TEST_F(BakesTest, AreasAreThoseOfTheLibrary) {
  const auto report = json_of({"areas", "city.st", "--areas", "areas.json", "--samples", "12",
                               "--range", "120", "-o", "seen.st", "--picture", "map.png"});
  EXPECT_EQ(report["areas"]["count"], n);
  EXPECT_EQ(report["areas"]["samples"], cells * 12 + 9);
  EXPECT_EQ(get("map.png").substr(1, 3), "PNG");
  const Caster caster(io::read_scene(path("city.st")), ReferenceOptions{});
  Areas areas;
  for (int i = 0; i < cells; ++i) {
    const auto x = static_cast<float>(20 * (i % 7)), y = static_cast<float>(20 * (i / 7));
    const Vec3 corners[] = {{x, y, 1}, {x + 20, y, 1}, {x + 20, y + 20, 1}, {x, y + 20, 1}};
    areas.add(corners, i % 3 == 0 ? 39.0f : 1.0f);
  }
  const Vec3 triangle[] = {{0, 150, 2}, {60, 150, 2}, {30, 200, 2}};
  areas.add(triangle, 0, 9);
  const AreaSamples s = free_samples(caster, sample_areas(areas, 12), Inside::solid);
  std::vector<std::uint32_t> counts(n * n);
  area_counts(caster, s, {}, {}, counts, {120});
  EXPECT_EQ(column<std::uint32_t>("seen.st", "visible"), counts);
  const auto classes = column<std::uint8_t>("seen.st", "class");
  std::uint64_t of[3] = {};
  for (std::uint64_t k = 0; k < n * n; ++k) {
    const AreaClass c = area_class(counts[k], s.count(k / n) * s.count(k % n));
    ASSERT_EQ(classes[k], static_cast<std::uint8_t>(c)) << k;
    ++of[static_cast<int>(c)];
  }
  EXPECT_EQ(report["counts"]["hidden"], of[0]);
  EXPECT_EQ(report["counts"]["partly"], of[1]);
  EXPECT_EQ(report["counts"]["fully"], of[2]);
  for (const std::uint64_t c : of) EXPECT_GT(c, 0u);
  io::MapPicture picture;
  picture.scene = &caster.scene();
  picture.points = s.view();
  picture.floors = floors_under(caster, s.view(), UpAxis::z);
  picture.unit = "m";
  picture.caption = "share of the other areas seen";
  for (std::uint64_t a = 0; a < n; ++a) {
    double seen = 0;
    for (std::uint64_t b = 0; b < n; ++b) seen += b != a && classes[a * n + b] != 0;
    picture.share.resize(s.offsets[a + 1], static_cast<float>(seen / (n - 1)));
  }
  io::write_map_picture(path("same.png"), picture);
  EXPECT_TRUE(get("map.png") == get("same.png"));

  json_of({"areas", "city.st", "--areas", "areas.json", "--samples", "12", "--range", "120", "-o",
           "classes.st", "--classes"});
  EXPECT_EQ(column<std::uint8_t>("classes.st", "class"), classes);
  expect_verified("seen.st", "visible", 4 * 60, {"--areas", "areas.json"});
  expect_verified("classes.st", "class", 60, {"--areas", "areas.json"});
  expect_verified("classes.st", "samples", 8, {"--areas", "areas.json"});
}

TEST_F(BakesTest, BytesDependOnNothingElse) {
  const auto bake = [&](const std::string& to, const Arguments& options) {
    json_of({"areas", "city.st", "--areas", "areas.json", "-o", to}, options);
    return get(to);
  };
  const std::string one = bake("one.st", {"--device", "reference"});
  EXPECT_EQ(bake("two.st", {"--device", "cpu", "--threads", "1"}), one);
  EXPECT_EQ(bake("three.st", {"--threads", "3", "--lanes", "portable"}), one);
  EXPECT_EQ(bake("four.st", {"--max-memory", "200M"}), one);
}

TEST_F(BakesTest, SetsAreTheClassesAsBitsAndAsLists) {
  json_of({"areas", "city.st", "--areas", "areas.json", "-o", "seen.st", "--classes"});
  const auto report = json_of({"pvs", "seen.st", "-o", "sets.st"});
  const auto classes = column<std::uint8_t>("seen.st", "class");
  const auto bits = column<std::uint64_t>("sets.st", "bits");
  const auto reference = column<std::uint32_t>("sets.st", "reference");
  const auto offsets = column<std::uint64_t>("sets.st", "offsets");
  const auto id = column<std::uint16_t>("sets.st", "id");
  EXPECT_EQ(report["counts"]["differences"], offsets[n]);
  std::vector<std::uint64_t> rows;  // as docs/reference/formats.md decodes them
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t row = reference[i] == none ? 0 : rows.at(reference[i]);
    for (std::uint64_t k = offsets[i]; k < offsets[i + 1]; ++k) row ^= std::uint64_t{1} << id[k];
    rows.push_back(row);
    for (std::uint64_t j = 0; j < n; ++j) {
      ASSERT_EQ(row >> j & 1, classes[i * n + j] != 0) << i << " " << j;
    }
  }
  EXPECT_EQ(rows, bits);
  expect_verified("sets.st", "bits", 8 * 7, {"--areas", "areas.json"});
  // An id may become one that is out of order, which is refused, or another, which differs.
  flip("sets.st", offset_of("sets.st", "id", 0));
  const Outcome damaged =
      run({"verify", "sets.st", "--scene", "city.st", "--areas", "areas.json", "--full"});
  EXPECT_TRUE(damaged.exit_code == 1 || damaged.exit_code == 3) << damaged.err;
  EXPECT_TRUE(damaged.said("sets.st")) << damaged.err;
  flip("sets.st", offset_of("sets.st", "id", 0));
  EXPECT_EQ(json_of({"info", "sets.st"})["counts"]["visible"], report["counts"]["visible"]);
  expect_failure(3, {"sets.st", "not 'area visibility'"}, {"pvs", "sets.st", "-o", "x.st"});
}

/// Two rooms behind a wall, and an area that a block fills.
TEST_F(BakesTest, AreasWithoutSamplesAreNotDenied) {
  put("rooms.json", R"({"aabb": [{"min": [4, -50, 0], "max": [5, 50, 9]},
                                 {"min": [20, 20, 0], "max": [30, 30, 9]}]})");
  put("cells.json", R"({"areas": [{"min": [0, 0, 1], "max": [2, 2, 2]},
    {"min": [7, 0, 1], "max": [9, 2, 2]}, {"min": [22, 22, 1], "max": [28, 28, 2]}]})");
  const Outcome areas = run({"areas", "rooms.json", "--areas", "cells.json", "-o", "seen.st"});
  EXPECT_TRUE(areas.said("1 of 3 areas has no samples left")) << areas.err;
  const Outcome sets = run({"pvs", "seen.st", "-o", "sets.st", "--json", "-"});
  EXPECT_TRUE(sets.said("2 areas see 2 of 4 pairs (50.00%)")) << sets.err;
  EXPECT_TRUE(sets.said("1 of 3 areas has no samples, so that its visibility is unknown"))
      << sets.err;
  EXPECT_TRUE(sets.said("its 5 pairs are written as seen")) << sets.err;
  EXPECT_EQ(json::parse(sets.out)["counts"]["areas_without_samples"], 1);
  using Bits = std::vector<std::uint64_t>;
  EXPECT_EQ(column<std::uint64_t>("sets.st", "bits"), Bits({0b101, 0b110, 0b111}));
  const Outcome unseen = run({"pvs", "seen.st", "-o", "unseen.st", "--unknown", "unseen"});
  EXPECT_TRUE(unseen.said("are written as unseen")) << unseen.err;
  EXPECT_EQ(column<std::uint64_t>("unseen.st", "bits"), Bits({1, 2, 0}));
  EXPECT_EQ(io::ContainerReader(path("sets.st")).metadata("query.unknown"), "seen");
  EXPECT_TRUE(get("unseen.st").find("query.unknown") == std::string::npos);
  for (const std::string name : {"sets.st", "unseen.st"}) {
    const Arguments verify = {"verify",  name,         "--scene", "rooms.json",
                              "--areas", "cells.json", "--full"};
    EXPECT_EQ(run(verify).exit_code, 0) << name;
    flip(name, offset_of(name, "bits", 16), 2);
    EXPECT_EQ(run(verify).exit_code, 1) << name;
  }
}

TEST_F(BakesTest, WhereAllAreasHaveSamplesNothingIsUnknown) {
  put("free.json", R"({"areas": [{"min": [0, 0, 90], "max": [2, 2, 91]},
                                 {"min": [50, 0, 90], "max": [52, 2, 91]}]})");
  json_of({"areas", "city.st", "--areas", "free.json", "-o", "seen.st"});
  json_of({"pvs", "seen.st", "-o", "a.st"});
  json_of({"pvs", "seen.st", "-o", "b.st", "--unknown", "unseen"});
  EXPECT_TRUE(get("a.st") == get("b.st"));
  EXPECT_TRUE(get("a.st").find("query.unknown") == std::string::npos);
}

TEST_F(BakesTest, LargeBakesAreAskedFor) {
  const Arguments probes = {"probes", "city.st", "--points", "eyes.npy",
                            "--grid", "4096",    "-o",       "x.st"};
  expect_failure(2, {"x.st takes 8,2", "4 GiB", "--yes"}, probes);
  json_of(probes, {"--dry-run"});
  const Outcome full =
      run(probes + Arguments{"--yes"}, {1 << 20, ""});  // goes on, and finds no room for its file
  EXPECT_EQ(full.exit_code, 6) << full.err;
}

TEST_F(BakesTest, NothingToDoHasNoSpeed) {
  io::NpyWriter(path("none.npy"), io::Dtype::f32, {0, 3}).commit();
  const Outcome none =
      run({"exposure", "city.st", "--from", "eyes.npy", "--to", "none.npy", "-o", "e.st"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_TRUE(none.said("0 targets, none left to answer") && !none.said("/s")) << none.err;
}

TEST_F(BakesTest, ExposureIsTheSumOfVisibility) {
  json_of({"visibility", "city.st", "--from", "eyes.npy", "--to", "spots.npy", "-o", "bits.st"});
  const auto report = json_of({"exposure", "city.st", "--from", "eyes.npy", "--to", "spots.npy",
                               "-o", "e.st", "--picture", "e.png"});
  EXPECT_EQ(report["counts"]["visible"], json_of({"info", "bits.st"})["counts"]["visible"]);
  const auto counts = column<std::uint32_t>("e.st", "count");
  const Caster caster(io::read_scene(path("city.st")), ReferenceOptions{});
  const io::Points eyes = io::read_points(path("eyes.npy")),
                   spots = io::read_points(path("spots.npy"));
  std::vector<std::uint32_t> truth(210);
  exposure(caster, eyes.view(), {}, spots.view(), truth);
  EXPECT_EQ(counts, truth);
  const auto share = column<float>("e.st", "share");
  for (std::size_t i = 0; i < 210; ++i) {
    ASSERT_EQ(share[i], static_cast<float>(counts[i] / 120.0)) << i;
  }
  json_of({"export", "e.st", "--columns", "count", "-o", "e.npy"});
  std::vector<std::uint32_t> plain(210);
  io::NpyReader(path("e.npy"), io::Numbers::kept).read(0, 210, plain.data());
  EXPECT_EQ(plain, truth);
  expect_verified("e.st", "count", 4 * 33, {"--from", "eyes.npy", "--to", "spots.npy"});
  expect_verified("e.st", "share", 4 * 33 + 3, {"--from", "eyes.npy", "--to", "spots.npy"});

  put_npy("look.npy", {1, 0, 0}, {1, 3});
  const Arguments fields = {"--from",       "eyes.npy", "--to",         "spots.npy",
                            "--directions", "look.npy", "--half-angle", "40"};
  json_of({"exposure", "city.st", "-o", "f.st"}, fields);
  EXPECT_NE(column<std::uint32_t>("f.st", "count"), truth);
  expect_verified("f.st", "count", 0, fields);
}

TEST_F(BakesTest, ProbesAndCoverAreVerified) {
  const auto probes = json_of(
      {"probes", "city.st", "--points", "eyes.npy", "--grid", "5", "--range", "80", "-o", "p.st"});
  EXPECT_EQ(probes["counts"]["rays"], 120 * 25);
  EXPECT_EQ(json_of({"info", "p.st"})["query"]["grid"], 25);
  expect_verified("p.st", "distance", 4 * 777, {"--points", "eyes.npy"});
  expect_verified("p.st", "direction", 4, {"--points", "eyes.npy"});

  const auto cover = json_of({"cover", "city.st", "--points", "spots.npy", "--at", "1.7", "--reach",
                              "4", "--directions", "16", "-o", "c.st", "--picture", "c.png"});
  EXPECT_GT(cover["counts"]["stand"], 0);
  EXPECT_EQ(json_of({"info", "c.st"})["counts"]["stand"], cover["counts"]["stand"]);
  json_of({"cover", "city.st", "--points", "spots.npy", "--at", "1e-40", "-o", "low.st"});
  json_of({"render", "cover", "low.st", "--scene", "city.st", "--points", "spots.npy", "-o",
           "low.png"});
  std::string bytes = get("c.st");
  const std::string key = "\"query.directions\":\"16\"";
  bytes.replace(bytes.find(key), key.size(), "\"query.directions\":\"17\"");
  put("odd.st", bytes);
  expect_failure(3, {"odd.st", "directions"},
                 {"verify", "odd.st", "--scene", "city.st", "--points", "spots.npy"});
  for (const char* tensor : {"height", "facing", "distance", "crouch", "stand", "left", "right"}) {
    expect_verified("c.st", tensor, 0, {"--points", "spots.npy"});
  }
}

TEST_F(BakesTest, RefusesInOneSentence) {
  json_of({"areas", "city.st", "--areas", "areas.json", "-o", "seen.st"});
  const auto areas = [](const std::string& file) {
    return Arguments{"areas", "city.st", "--areas", file, "-o", "x.st"};
  };
  put("flat.json", R"({"areas": [{"corners": [[0,0,0],[1,0,0],[2,0,0]]}]})");
  expect_failure(3, {"flat.json", "area 0", "no extent"}, areas("flat.json"));
  put("y.json", R"({"up": "y", "areas": []})");
  expect_failure(3, {"y.json", "up is", "y", "z"}, areas("y.json"));
  put("key.json", R"({"areas": [{"min": [0,0,0], "max": [1,1,1], "sample": 3}]})");
  expect_failure(3, {"key.json", "areas 0", "unknown key", "sample"}, areas("key.json"));
  put("swap.json", R"({"areas": [{"min": [0,2,0], "max": [1,1,1]}]})");
  expect_failure(3, {"swap.json", "min > max"}, areas("swap.json"));
  expect_failure(3, {"eyes.npy", "does not say"}, areas("eyes.npy"));
  expect_failure(6, {"gone.json"}, areas("gone.json"));
  if (!sanitized) {
    expect_failure(5, {"areas.json", "samples needs", "--max-memory"},
                   areas("areas.json") + Arguments{"--samples", "65535", "--max-memory", "40M"});
    expect_failure(5, {"map of directions", "60"},
                   {"probes", "city.st", "--points", "eyes.npy", "--grid", "2048", "--max-memory",
                    "60M", "-o", "x.st"});
  }
  expect_failure(2, {"--areas"}, {"verify", "seen.st", "--scene", "city.st"});
  expect_failure(2, {"--areas"},
                 {"verify", "seen.st", "--scene", "city.st", "--points", "eyes.npy"});
  put("other.json", R"({"areas": [{"min": [0,0,0], "max": [1,1,1]}]})");
  expect_failure(3, {"seen.st", "other.json"},
                 {"verify", "seen.st", "--scene", "city.st", "--areas", "other.json"});
  expect_failure(2, {"cover", "radius"},
                 {"cover", "city.st", "--points", "eyes.npy", "--radius", "9", "-o", "x.st"});
}

TEST_F(BakesTest, DryRunsWriteNothing) {
  const std::vector<std::string> before = names();
  json_of({"areas", "city.st", "--areas", "areas.json", "-o", "x.st", "--dry-run"});
  json_of({"exposure", "city.st", "--from", "eyes.npy", "--to", "spots.npy", "-o", "x.st",
           "--dry-run"});
  json_of({"probes", "city.st", "--points", "eyes.npy", "-o", "x.st", "--dry-run"});
  json_of({"cover", "city.st", "--points", "eyes.npy", "-o", "x.st", "--dry-run"});
  EXPECT_EQ(names(), before);
}

TEST_F(BakesTest, PointsMaySayTheirAreas) {
  io::Points points = io::read_points(path("eyes.npy"));
  for (std::uint32_t i = 0; i < points.count(); ++i) points.area.push_back(i * 7 % 11);
  points.metadata["areas"] = "13";
  io::write_points(path("grouped.st"), points);
  json_of({"areas", "city.st", "--areas", "grouped.st", "-o", "seen.st"});
  EXPECT_EQ(io::ContainerReader(path("seen.st")).metadata("areas.count"), "13");
  EXPECT_EQ(column<std::uint32_t>("seen.st", "samples")[12], 0u);
  json_of({"verify", "seen.st", "--scene", "city.st", "--areas", "grouped.st", "--full"});
  expect_failure(2, {"--samples"},
                 {"areas", "city.st", "--areas", "grouped.st", "--samples", "3", "-o", "x.st"});
  // What only points have does not change other jobs' hashes.
  EXPECT_EQ(io::points_hash(points), io::points_hash(io::read_points(path("eyes.npy"))));
}

}  // namespace
}  // namespace sightline::cli
