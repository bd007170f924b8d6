// Fields of view through the program: options, columns of points, verify and info.
#include "tests/host/program/program.hpp"

#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <sightline/caster.hpp>

#include <cmath>
#include <numbers>

namespace sightline::cli {
namespace {

using nlohmann::json;

class FieldsTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    make_city(160, 0);
    make_points(150, "a.npy", 1);
    make_points(70, "b.npy", 2);
    for (int i = 0; i < 150; ++i) {
      const auto x = static_cast<float>(i);
      directions_.insert(directions_.end(), {std::cos(x), std::sin(x), 0.1f * std::sin(3 * x)});
      degrees_.push_back(static_cast<float>(i % 5 * 45));
      ranges_.push_back(static_cast<float>(i));
    }
    put_npy("d.npy", directions_, {150, 3});
    put_npy("angle.npy", degrees_, {150});
    put_npy("range.npy", ranges_, {150});
  }

  std::vector<std::uint64_t> stored(const std::string& name) const {
    return column<std::uint64_t>(name, "bits");
  }
  /// The fields of the files; half angles as their cosines and sines.
  io::Fields fields() const {
    io::Fields f;
    for (std::size_t i = 0; i < directions_.size(); i += 3) {
      f.direction.push_back({directions_[i], directions_[i + 1], directions_[i + 2]});
    }
    const float right[][2] = {
        {1, 0}, {0.70710678f, 0.70710678f}, {0, 1}, {-0.70710678f, 0.70710678f}, {-1, 0}};
    for (const float d : degrees_) {
      f.cosine.push_back(right[static_cast<int>(d) / 45][0]);
      f.sine.push_back(right[static_cast<int>(d) / 45][1]);
    }
    f.range = ranges_;
    return f;
  }
  const Arguments all_ = {"visibility", "city.st", "--from", "a.npy", "--to", "b.npy"};
  const Arguments looking_ = {"--directions", "d.npy",        "--half-angle",
                              "angle.npy",    "--view-range", "range.npy"};
  std::vector<float> directions_, degrees_, ranges_;
};

TEST_F(FieldsTest, OptionsAreWhatTheLibraryAnswers) {
  const Caster caster(io::read_scene(path("city.st")), ReferenceOptions{});
  const io::Points a = io::read_points(path("a.npy")), b = io::read_points(path("b.npy"));
  const io::Fields f = fields();
  for (const bool sector : {false, true}) {
    auto arguments = all_ + looking_ + Arguments{"--range", "80", "-o", "v.st"};
    if (sector) arguments.push_back("--sector");
    const auto report = json_of(arguments);
    std::vector<std::uint64_t> truth(150 * 2);
    const VisibilityReport expected =
        caster.visibility(a.view(), f.view(sector ? FieldShape::sector : FieldShape::cone),
                          b.view(), truth, {80, 0, Inside::solid});
    EXPECT_EQ(stored("v.st"), truth);
    EXPECT_EQ(report["counts"]["in_field"], expected.in_field);
    EXPECT_EQ(report["counts"]["segments"], expected.in_field);
    EXPECT_EQ(report["counts"]["visible"], expected.visible);
    EXPECT_EQ(report["counts"]["bad_fields"], 0);
    EXPECT_EQ(report["fields"]["shape"], sector ? "sector" : "cone");
    EXPECT_EQ(report["fields"]["hash"], io::fields_hash(f, 150));
    for (const char* how : {"--full", "--sample=300"}) {
      json_of({"verify", "v.st", "--scene", "city.st", "--from", "a.npy", "--to", "b.npy", how},
              looking_);
    }
  }
}

TEST_F(FieldsTest, ColumnsOfTheViewpointsAreTheSameFields) {
  io::Points points = io::read_points(path("a.npy"));
  points.fields = fields();
  io::write_points(path("a.st"), points);
  json_of(all_ + looking_, {"-o", "v.st"});
  json_of({"visibility", "city.st", "--from", "a.st", "--to", "b.npy", "-o", "w.st"});
  EXPECT_TRUE(get("v.st") == get("w.st"));
  json_of({"verify", "v.st", "--scene", "city.st", "--from", "a.st", "--to", "b.npy", "--full"});
  const auto info = json_of({"info", "a.st"});
  EXPECT_EQ(info["fields"]["hash"], io::fields_hash(points.fields, 150));
  EXPECT_EQ(json_of({"info", "v.st"})["metadata"]["fields.shape"], "cone");
  expect_failure(2, {"a.st", "holds fields of view already"},
                 Arguments{"visibility", "city.st", "--from", "a.st", "-o", "x.st"} + looking_);
  // As targets they are points like others.
  json_of({"visibility", "city.st", "--from", "b.npy", "--to", "a.st", "-o", "x.st"});
  json_of({"visibility", "city.st", "--from", "b.npy", "--to", "a.npy", "-o", "y.st"});
  EXPECT_TRUE(get("x.st") == get("y.st"));
}

TEST_F(FieldsTest, OneForAllAndASetAgainstItself) {
  put_npy("one.npy", {0, 2, 0}, {1, 3});
  std::vector<float> same;
  for (int i = 0; i < 150; ++i) same.insert(same.end(), {0, 2, 0});
  put_npy("same.npy", same, {150, 3});
  const Arguments self = {"visibility", "city.st", "--from", "a.npy", "--half-angle"};
  json_of(self, {"30", "--directions", "one.npy", "-o", "v.st"});
  json_of(self, {"30", "--directions", "same.npy", "--view-range", "inf", "-o", "w.st"});
  EXPECT_TRUE(get("v.st") == get("w.st"));
  const Caster caster(io::read_scene(path("city.st")), ReferenceOptions{});
  const io::Points a = io::read_points(path("a.npy"));
  const float half = std::numbers::pi_v<float> / 6;
  FieldsView view;
  view.direction = Vec3{0, 2, 0};
  view.cosine.common = std::cos(half);
  view.sine.common = std::sin(half);
  std::vector<std::uint64_t> truth(150 * 3);
  caster.visibility(a.view(), view, a.view(), truth);
  EXPECT_EQ(stored("v.st"), truth);
  // All around, the bits are those without fields.
  json_of(self, {"180", "--directions", "one.npy", "-o", "all.st"});
  json_of({"visibility", "city.st", "--from", "a.npy", "-o", "plain.st"});
  EXPECT_EQ(stored("all.st"), stored("plain.st"));
}

// Brute force over many shapes goes tile by tile.
TEST_F(FieldsTest, TilesTakeTheFieldsOfTheirRows) {
  make_city(4000, 0);
  const auto cpu = json_of(all_ + looking_, {"-o", "v.st", "--device", "cpu"});
  const auto judge = json_of(all_ + looking_, {"-o", "w.st", "--device", "reference"});
  EXPECT_LT(judge["chunk"]["tile_side"], 150);
  EXPECT_TRUE(get("v.st") == get("w.st"));
  EXPECT_EQ(judge["counts"], cpu["counts"]);
}

TEST_F(FieldsTest, SectorsGoByTheScenesUpAxis) {
  const Scene scene = io::read_scene(path("city.st"));
  io::write_scene(path("high.st"), scene, {{"up", "y"}});
  auto arguments = all_ + looking_ + Arguments{"--sector", "-o", "v.st"};
  arguments[1] = "high.st";
  EXPECT_EQ(json_of(arguments)["fields"]["shape"], "sector y up");
  const io::Points a = io::read_points(path("a.npy")), b = io::read_points(path("b.npy"));
  std::vector<std::uint64_t> truth(150 * 2);
  Caster(scene, ReferenceOptions{})
      .visibility(a.view(), fields().view(FieldShape::sector_y_up), b.view(), truth);
  EXPECT_EQ(stored("v.st"), truth);
  json_of({"verify", "v.st", "--scene", "high.st", "--from", "a.npy", "--to", "b.npy"}, looking_);
}

TEST_F(FieldsTest, BadFieldsAreTold) {
  directions_[0] = directions_[1] = directions_[2] = 0;
  directions_[5] = std::nanf("");
  put_npy("d.npy", directions_, {150, 3});
  const Outcome done = run(all_ + looking_ + Arguments{"-o", "v.st", "--json", "-"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(done.said("warning: 2 of 150 viewpoints have bad fields of view")) << done.err;
  EXPECT_EQ(json::parse(done.out)["counts"]["bad_fields"], 2);
}

TEST_F(FieldsTest, WhatDoesNotFitIsRefused) {
  const auto refused = [&](int code, const std::vector<std::string>& words, const Arguments& more) {
    expect_failure(code, words, all_ + more + Arguments{"-o", "v.st"});
  };
  refused(2, {"--half-angle"}, {"--directions", "d.npy"});
  refused(2, {"--view-directions"}, {"--half-angle", "30"});
  refused(2, {"--sector"}, {"--sector"});
  refused(2, {"--half-angle", "viewpoint 0", "181"},
          {"--directions", "d.npy", "--half-angle", "181"});
  refused(2, {"--half-angle", "nan"}, {"--directions", "d.npy", "--half-angle", "nan"});
  refused(2, {"--view-range", "viewpoint 0", "-1"}, {"--view-range", "-1"});
  refused(2, {"--view-range", "nan"}, {"--view-range", "nan"});
  put_npy("short.npy", {1, 2, 3, 4, 5, 6}, {2, 3});
  refused(3, {"short.npy", "[2, 3], not F32 [150, 3]"},
          {"--directions", "short.npy", "--half-angle", "30"});
  refused(6, {"none.npy"}, {"--directions", "d.npy", "--half-angle", "none.npy"});
  expect_failure(2, {"d.npy", "named twice"},
                 all_ + Arguments{"--directions", "d.npy", "--half-angle", "30", "-o", "d.npy"});
  io::ContainerWriter(
      path("p"), {{"point.position", io::Dtype::f32, {2, 3}}, {"point.sine", io::Dtype::f32, {2}}},
      {})
      .commit();
  expect_failure(3, {"'point.direction'", "come together"},
                 {"visibility", "city.st", "--from", "p", "-o", "v.st"});
}

TEST_F(FieldsTest, VerifyWantsTheFieldsOfTheResult) {
  json_of(all_ + looking_, {"-o", "v.st"});
  json_of(all_, {"-o", "plain.st"});
  const Arguments check = {"verify", "v.st",  "--scene", "city.st", "--full",
                           "--from", "a.npy", "--to",    "b.npy"};
  expect_failure(3, {"v.st", "other fields of view", "not none"}, check);
  auto other = check + looking_;
  other[other.size() - 1] = "7";
  expect_failure(3, {"v.st", "other fields of view"}, other);
  auto plain = check + looking_;
  plain[1] = "plain.st";
  expect_failure(3, {"plain.st", "other fields of view: none"}, plain);
  flip("v.st", offset_of("v.st", "bits", 100));
  EXPECT_EQ(run(check + looking_).exit_code, 1);
  make_city(40, 30);
  json_of({"cast", "city.st", "--rays", "rays.st", "-o", "hits.st"});
  expect_failure(
      2, {"hits.st", "not computed from --half-angle 3"},
      {"verify", "hits.st", "--scene", "city.st", "--rays", "rays.st", "--half-angle", "3"});
}

}  // namespace
}  // namespace sightline::cli
