#include "tests/host/program/program.hpp"

#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <sightline/caster.hpp>

namespace sightline::cli {
namespace {

using nlohmann::json;

class VisibilityTest : public ProgramTest {
 protected:
  std::vector<std::uint64_t> bits_of(const std::string& name) const {
    return column<std::uint64_t>(name, "bits");
  }
};

TEST_F(VisibilityTest, WritesWhatTheLibraryAnswers) {
  make_city(160, 0);
  make_points(150, "a.npy", 1);
  make_points(70, "b.npy", 2);
  json_of({"visibility", "city.st", "--from", "a.npy", "--to", "b.npy", "--range", "90", "--margin",
           "0.01", "--inside", "ignore", "-o", "v.st"});
  const Caster caster(io::read_scene(path("city.st")), ReferenceOptions{});
  const io::Points a = io::read_points(path("a.npy")), b = io::read_points(path("b.npy"));
  std::vector<std::uint64_t> truth(150 * 2);
  caster.visibility(a.view(), b.view(), truth, {90, 0.01f, Inside::ignore});
  EXPECT_EQ(bits_of("v.st"), truth);
}

// More points than a tile's side, so that tiles off the diagonal are computed once and mirrored.
TEST_F(VisibilityTest, TilesOfASetAgainstItselfAreMirrored) {
  make_city(40, 0);
  const std::uint64_t n = sanitized ? 200 : 2300;
  make_points(n);
  // A CUDA device's tiles are larger than any matrix of a test.
  const Arguments arguments = {
      "visibility", "city.st", "--from",   "points.npy",
      "-o",         "self.st", "--device", sanitized ? "reference" : "cpu"};
  const auto report = json_of(arguments);
  if (!sanitized) {
    EXPECT_LT(report["chunk"]["tile_side"], n);
  }
  const Caster caster(io::read_scene(path("city.st")), CpuOptions{});
  const io::Points points = io::read_points(path("points.npy"));
  std::vector<std::uint64_t> truth(n * ((n + 63) / 64));
  const VisibilityReport expected = caster.visibility(points.view(), points.view(), truth);
  EXPECT_EQ(bits_of("self.st"), truth);
  EXPECT_EQ(report["counts"]["visible"], expected.visible);
  EXPECT_EQ(report["counts"]["pairs"], n * n);
  EXPECT_EQ(report["counts"]["touching_viewpoints"], expected.touching_viewpoints);
  EXPECT_EQ(report["counts"]["touching_targets"], expected.touching_targets);
  // The same points named twice are the same job.
  json_of({"visibility", "city.st", "--from", "points.npy", "--to", "points.npy", "-o", "two.st"});
  EXPECT_TRUE(get("self.st") == get("two.st"));
}

TEST_F(VisibilityTest, SmallTilesGiveTheSameBytes) {
  make_city(2000, 0);
  make_points(500);
  const auto cpu =
      json_of({"visibility", "city.st", "--from", "points.npy", "-o", "a.st", "--range", "60"});
  const auto judge = json_of({"visibility", "city.st", "--from", "points.npy", "-o", "b.st",
                              "--range", "60", "--device", "reference"});
  EXPECT_LT(judge["chunk"]["tile_side"], cpu["chunk"]["tile_side"]);
  EXPECT_LT(judge["chunk"]["tile_side"], 500);
  EXPECT_TRUE(get("a.st") == get("b.st"));
  EXPECT_EQ(judge["counts"], cpu["counts"]);
}

TEST_F(VisibilityTest, PointsOnAFloorAndBadPointsAreTold) {
  Scene floor;
  floor.add_aabb({{0, 0, -1}, {10, 10, 0}});
  io::write_scene(path("floor.st"), floor);
  io::Points points;
  points.position = {{1, 1, 0}, {9, 9, 0}, {5, 5, 2}, {NAN, 0, 0}};
  io::write_points(path("p.npy"), points);
  const Outcome done =
      run({"visibility", "floor.st", "--from", "p.npy", "-o", "v.st", "--json", "-"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_TRUE(done.said("warning: 2 of 4 points lie in or touch a shape")) << done.err;
  EXPECT_TRUE(done.said("--margin")) << done.err;
  EXPECT_TRUE(done.said("warning: 1 of 4 points is NaN, infinite or beyond 2^40, and sees nothing"))
      << done.err;
  const auto report = json::parse(done.out);
  EXPECT_EQ(report["counts"]["touching_viewpoints"], 2);
  EXPECT_EQ(report["counts"]["bad_viewpoints"], 1);
  EXPECT_EQ(report["counts"]["visible"], 1);  // the third point sees itself
}

// Eyes come first, where the points that touch have none; then a margin, then the policy. What was
// heeded is not advised.
TEST_F(VisibilityTest, TheWarningNamesWhatHelpsInOrder) {
  Scene floor;
  floor.add_aabb({{0, 0, -1}, {10, 10, 0}});
  io::write_scene(path("floor.st"), floor);
  io::Points low, high;
  low.position = {{1, 1, 0}, {9, 9, 0}, {5, 5, 2}};
  high.position = {{2, 2, -0.5f}};
  high.metadata = {{"eyes", "0.25"}};
  io::write_points(path("low.npy"), low);
  io::write_points(path("low.st"), low);
  io::write_points(path("high.st"), high);
  const std::string at = "--at 1.6 raises points on floors to eyes, ",
                    margin = "--margin-length 0.01 leaves out the segments' ends, ",
                    policy = "--inside ignore the shapes around them",
                    deeper = "--inside ignore leaves out the shapes around them";
  for (const char* verb : {"visibility", "exposure"}) {
    const bool one_sum = std::string_view(verb) == "exposure";
    const auto said = [&](const char* from, const char* to, const Arguments& more,
                          const std::string& words) {
      const Outcome done =
          run(Arguments{verb, "floor.st", "--from", from, "--to", to, "-o", verb} + more);
      EXPECT_EQ(done.exit_code, 0) << done.err;
      EXPECT_TRUE(done.said(words)) << verb << ": " << words << " not in " << done.err;
    };
    const std::string two = one_sum ? "2 points lie" : "2 of 3 viewpoints lie",
                      three = one_sum ? "3 points lie" : "2 of 3 targets lie",
                      alone = one_sum ? "1 point lies" : "1 of 1 point lies";
    const std::string them = " in or touch a shape, which hides them";
    if (one_sum) said("low.npy", "low.st", {}, two + them + "; " + at + margin + policy);
    // One file has eyes; the other's points touch.
    said("high.st", "low.npy", {}, three + them + "; " + at + margin + policy);
    said("high.st", "high.st", {},
         alone + " in or touches a shape, which hides it; " + margin + policy);
    said("low.npy", "high.st", {"--margin-length", "0.01"},
         (one_sum ? three : two) + them + " where deeper than the margin; " + at + deeper);
    said("high.st", "high.st", {"--margin-share", "0.01"}, "margin; " + deeper);
    EXPECT_FALSE(run({verb, "floor.st", "--from", "low.npy", "--to", "high.st", "-o", verb,
                      "--inside", "ignore"})
                     .said("touch"));
  }
}

/// From the face of a wall: to a point behind a box, one beside it, one behind the wall, one near.
TEST_F(VisibilityTest, AMarginIsALengthWhateverTheSegment) {
  put("wall.json", R"({"aabb": [{"min": [-1, -9, -9], "max": [0, 9, 9]},
                                {"min": [9.5, -1, -1], "max": [9.75, 1, 1]}]})");
  io::Points eyes, goals;
  eyes.position = {{0, 0, 0}};
  goals.position = {{10, 0, 0}, {10, 2, 0}, {-2, 0, 0}, {0.25f, 0, 0}, {NAN, 0, 0}};
  io::write_points(path("eyes.npy"), eyes);
  io::write_points(path("goals.npy"), goals);
  const auto seen = [&](const Arguments& options) {
    json_of({"visibility", "wall.json", "--from", "eyes.npy", "--to", "goals.npy", "-o", "v.st"},
            options);
    return bits_of("v.st").at(0);
  };
  EXPECT_EQ(seen({}), 0u);  // the wall's face hides all
  EXPECT_EQ(seen({"--margin-length", "0.125"}), 0b1010u);
  EXPECT_EQ(seen({"--margin-length", "0.5"}), 0b1010u);    // ends where the box does
  EXPECT_EQ(seen({"--margin-length", "0.625"}), 0b1011u);  // and 0.25 has its middle left
  EXPECT_EQ(seen({"--margin-length", "0.625", "--max-distance", "10"}), 0b1001u);
  EXPECT_EQ(seen({"--margin-length", "1.5"}), 0b1011u);  // the wall is deeper than that
  EXPECT_EQ(seen({"--margin-length", "0.625", "--inside", "ignore"}),
            0b1111u);  // begins in the wall
  expect_failure(2, {"--margin-share", "--margin-length"},
                 {"visibility", "wall.json", "--from", "eyes.npy", "-o", "x.st", "--margin-length",
                  "1", "--margin", "0.1"});
}

TEST_F(VisibilityTest, AMarginOfLengthIsTheSameForAllDevicesTilesAndExposure) {
  make_city(300, 0);
  make_points(200, "a.npy", 1);
  make_points(70, "b.npy", 2);
  const auto bake = [&](const std::string& verb, const Arguments& options) {
    json_of({verb, "city.st", "--from", "a.npy", "--margin-length", "8"}, options);
  };
  bake("visibility", {"-o", "self.st"});
  bake("visibility", {"-o", "brute.st", "--device", "reference"});
  EXPECT_TRUE(get("self.st") == get("brute.st"));
  const auto self = bits_of("self.st");
  for (std::uint64_t i = 0; i < 200; ++i) {
    for (std::uint64_t j = 0; j < 200; ++j) {
      ASSERT_EQ(self[i * 4 + j / 64] >> (j % 64) & 1, self[j * 4 + i / 64] >> (i % 64) & 1);
    }
  }
  json_of({"visibility", "city.st", "--from", "a.npy", "-o", "none.st"});
  EXPECT_NE(self, bits_of("none.st"));
  bake("visibility", {"--to", "b.npy", "-o", "v.st"});
  bake("exposure", {"--to", "b.npy", "-o", "e.st"});
  const auto bits = bits_of("v.st");
  const auto counts = column<std::uint32_t>("e.st", "count");
  for (std::uint64_t j = 0; j < 70; ++j) {
    std::uint64_t n = 0;
    for (std::uint64_t i = 0; i < 200; ++i) n += bits[i * 2 + j / 64] >> (j % 64) & 1;
    ASSERT_EQ(counts[j], n) << j;
  }
  put_npy("look.npy", {1, 0, 0}, {1, 3});
  const Arguments fields = {"--view-directions", "look.npy", "--half-angle", "70"};
  bake("visibility", fields + Arguments{"--to", "b.npy", "-o", "f.st"});
  EXPECT_NE(bits_of("f.st"), bits);
  bake("exposure", fields + Arguments{"--to", "b.npy", "-o", "fe.st"});
  for (const char* name : {"v.st", "e.st"}) {
    EXPECT_EQ(run({"verify", name, "city.st", "a.npy", "b.npy", "--full"}).exit_code, 0) << name;
  }
  for (const char* name : {"f.st", "fe.st"}) {
    SCOPED_TRACE(name);
    json_of({"verify", name, "--scene", "city.st", "--from", "a.npy", "--to", "b.npy", "--full"},
            fields);
  }
  flip("v.st", offset_of("v.st", "bits", 8));
  EXPECT_EQ(run({"verify", "v.st", "city.st", "a.npy", "b.npy", "--full"}).exit_code, 1);
}

TEST_F(VisibilityTest, PictureIsWrittenWithTheBits) {
  make_city(80, 0);
  make_points(50);
  json_of({"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "--picture", "p.png"});
  EXPECT_EQ(get("p.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(names(), (std::vector<std::string>{"city.st", "p.png", "points.npy", "v.st"}));
}

// A picture that cannot be written leaves no bits either.
TEST_F(VisibilityTest, UnwritablePicture) {
  make_city(80, 0);
  make_points(50);
  expect_failure(
      6, {"no/p.png"},
      {"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "--picture", "no/p.png"});
}

TEST_F(VisibilityTest, DryRunWritesNothing) {
  make_city(80, 0);
  make_points(100);
  const std::vector<std::string> before = names();
  const auto report = json_of({"visibility", "city.st", "--from", "points.npy", "-o", "v.st",
                               "--picture", "p.png", "--dry-run"});
  EXPECT_EQ(names(), before);
  EXPECT_EQ(report["counts"]["pairs"], 10000);
  EXPECT_EQ(report["counts"]["segments"], 5050);
  json_of({"visibility", "city.st", "--from", "points.npy", "-o", "v.st"});
  EXPECT_EQ(report["bytes"]["result"], get("v.st").size());
}

TEST_F(VisibilityTest, NoPoints) {
  make_city(40, 0);
  make_points(0);
  json_of({"visibility", "city.st", "--from", "points.npy", "-o", "v.st", "--picture", "p.png"});
  json_of({"verify", "v.st", "--scene", "city.st", "--from", "points.npy", "--full"});
}

}  // namespace
}  // namespace sightline::cli
