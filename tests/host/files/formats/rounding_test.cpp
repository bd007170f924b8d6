#include "host/files/formats/rounding.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "tests/host/files/io_test.hpp"

namespace sightline::io {
namespace {

using RoundingTest = IoTest;

/// How many shapes of one kind the check counts, at `far` along x.
bool is_counted(Kind kind, std::vector<double> numbers) {
  RoundingCheck check;
  check.shape(kind, 0, numbers);
  return !check.note("f").empty();
}

TEST_F(RoundingTest, CountsSizesThatChangeByMoreThanAHundredth) {
  // Floats from 2^19 on are 1/16 apart, so that 3 of them are 0.1875.
  const double far = 0x1p19;
  EXPECT_TRUE(is_counted(Kind::aabb, {far, 0, 0, far + 0.185, 1, 1}));
  EXPECT_FALSE(is_counted(Kind::aabb, {far, 0, 0, far + 0.187, 1, 1}));
  EXPECT_FALSE(is_counted(Kind::aabb, {far, 0, 0, far, 1, 1})) << "flat boxes stay flat";
  EXPECT_TRUE(is_counted(Kind::capsule, {far, 0, 0, far + 0.185, 0, 0, 100}));
  EXPECT_FALSE(is_counted(Kind::capsule, {far, 0, 0, far + 0.1875, 0, 0, 100}));
  EXPECT_TRUE(is_counted(Kind::cylinder, {far, 0, 0, far + 0.185, 0, 0, 100}));
  EXPECT_TRUE(is_counted(Kind::capsule, {far + 0.02, 0, 0, far + 100.02, 0, 0, 0.1}));
  // What moves by more than a hundredth of its radius.
  EXPECT_TRUE(is_counted(Kind::sphere, {far + 0.02, 0, 0, 1.9}));
  EXPECT_FALSE(is_counted(Kind::sphere, {far + 0.02, 0, 0, 2.1}));
  EXPECT_TRUE(is_counted(Kind::obb, {far + 0.02, 0, 0, 100, 1.9, 0, 0, 0, 0, 1}));
  EXPECT_FALSE(is_counted(Kind::obb, {far + 0.02, 0, 0, 100, 2.1, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(is_counted(Kind::triangle, {far, 0, 0, far, 9, 0, far + 0.185, 0, 0}));
  EXPECT_FALSE(is_counted(Kind::triangle, {far, 0, 0, far, 9, 0, far + 0.1875, 0, 0}));
  EXPECT_FALSE(is_counted(Kind::plane, {0, 0, 1, far + 0.02}));
  EXPECT_FALSE(is_counted(Kind::sphere, {infinity, NAN, 0, 1e300}));
}

// 0.1 + 0.2 is not 0.3.
TEST_F(RoundingTest, NoiseOfSumsIsNoSize) {
  const double sum = 0.1 + 0.2;
  EXPECT_FALSE(is_counted(Kind::aabb, {0.3, 0, 0, sum, 1, 1}));
  EXPECT_FALSE(is_counted(Kind::capsule, {0.3, 0, 0, sum, 0, 0, 100}));
  RoundingCheck check;
  const std::vector<double> a = {0.3, 0, 0}, b = {sum, 0, 0};
  check.begin("point", 1), check.step(a, b);
  EXPECT_EQ(check.note("f"), "");
}

TEST_F(RoundingTest, SaysWhichIsFirstAndWhatToDo) {
  RoundingCheck check;
  const double far = 0x1p19;
  check.shape(Kind::sphere, 0, std::vector<double>{far, 0, 0, 1});
  check.shape(Kind::sphere, 1, std::vector<double>{far + 0.02, 3, 0, 1});
  check.shape(Kind::aabb, 0, std::vector<double>{far, 0, 0, far + 0.1, 0.1, 0.1});
  EXPECT_EQ(check.note("f"),
            "f: rounding to binary32 changes 2 of 3 sizes by more than 1 %; the first is sphere 1, "
            "which reaches 1 around its center and moves by 0.02: subtract an offset from all "
            "coordinates first, such as their mean (524288.0, 0.8, 0.0)");
}

TEST_F(RoundingTest, StepsCountOnlyFarFromTheOrigin) {
  const auto noted = [](double x, double extent) {
    RoundingCheck check;
    const std::vector<double> a = {x, 0, 0}, b = {x + 0.1, 0, 0}, c = {x + extent, 0, 0};
    check.begin("point", 1), check.step(a, b);
    check.begin("point", 2), check.step(b, c);
    return !check.note("f").empty();
  };
  EXPECT_TRUE(noted(0x1p19, 1000));
  EXPECT_FALSE(noted(0x1p19, -0x1p20)) << "no offset helps those on both sides";
  EXPECT_FALSE(noted(100, 1));
}

// Every reader of binary64.
TEST_F(RoundingTest, AllReadersLook) {
  const auto scene_notes = [&](const std::string& file, std::optional<Kind> kind = std::nullopt) {
    Notes notes;
    read_scene(file, nullptr, &notes, kind);
    return notes.size();
  };
  const double numbers[] = {5'800'000.1, 0, 0, 0.5, 5'800'001.3, 0, 0, 0.5};
  NpyWriter array(path("s.npy"), Dtype::f64, {2, 4});
  array.write(0, 8, numbers);
  array.commit();
  EXPECT_EQ(scene_notes(path("s.npy"), Kind::sphere), 1u);
  ContainerWriter container(
      path("s"), {{"sphere.center", Dtype::f64, {1, 3}}, {"sphere.radius", Dtype::f32, {1}}}, {});
  const float radius = 0.5f;
  container.write("sphere.center", 0, 3, numbers);
  container.write("sphere.radius", 0, 1, &radius);
  container.commit();
  EXPECT_EQ(scene_notes(path("s")), 1u);
  EXPECT_EQ(
      scene_notes(put("s.json", R"({"sphere": [{"center": [5800000.1, 0, 0], "radius": 1}]})")),
      1u);
  EXPECT_EQ(scene_notes(put("s.csv", "kind,x,y,z,radius\nsphere,5800000.1,0,0,1\n")), 1u);
  // As binary32 has them already, there is nothing to say.
  write_scene(path("f32"), read_scene(path("s")));
  EXPECT_EQ(scene_notes(path("f32")), 0u);

  const auto point_notes = [&](const std::string& file) {
    Notes notes;
    read_points(file, &notes);
    return notes.size();
  };
  NpyWriter points(path("p.npy"), Dtype::f64, {2, 3});
  const double places[] = {5'800'000.1, 0, 0, 5'800'001.3, 0, 0};
  points.write(0, 6, places);
  points.commit();
  EXPECT_EQ(point_notes(path("p.npy")), 1u);
  EXPECT_EQ(point_notes(put("p.csv", "x,y,z\n5800000.1,0,0\n5800001.3,0,0\n")), 1u);
  EXPECT_EQ(point_notes(put("p.json", "[[5800000.1, 0, 0], [5800001.3, 0, 0]]")), 1u);
  EXPECT_EQ(point_notes(put("p.json", "[[0.1, 0, 0], [1.3, 0, 0]]")), 0u);
}

TEST_F(RoundingTest, ContainersMayHoldSignedIntegers) {
  ContainerWriter container(
      path("s"), {{"sphere.center", Dtype::i64, {1, 3}}, {"sphere.radius", Dtype::i16, {1}}}, {});
  const std::int64_t center[] = {1, -2, 16777217};
  const std::int16_t radius = 3;
  container.write("sphere.center", 0, 3, center);
  container.write("sphere.radius", 0, 1, &radius);
  container.commit();
  const Sphere sphere = read_scene(path("s")).sphere(0);
  EXPECT_EQ(sphere.center, (Vec3{1, -2, 16777216}));
  EXPECT_EQ(sphere.radius, 3);
}

TEST_F(RoundingTest, FlatSetsAndAreasLookToo) {
  Notes notes;
  read_flat_scene(put("f.json", R"({"dimensions": 2,
      "circle": [{"center": [5800000.1, 0], "radius": 1}],
      "polygon": [{"corners": [[5800000.1, 0], [5800001.3, 0], [5800001.3, 1]]}],
      "aabb": [{"min": [5800000.1, 0], "max": [5800000.3, 1]}, {"min": [0, 0], "max": [1, 1]}]})"),
                  nullptr, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("changes 3 of 4 sizes by more than 1 %; the first is circle 0"),
            std::string::npos)
      << notes[0];
  notes.clear();
  read_areas(put("a.json", R"({"areas": [{"min": [5800000.1, 0, 0], "max": [5800000.3, 1, 1]},
      {"corners": [[5800000.1, 0, 0], [5800001.3, 0, 0], [5800001.3, 1, 0]]}]})"),
             "z", &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("changes 2 of 2 sizes"), std::string::npos) << notes[0];
}

TEST_F(RoundingTest, IntegersAreCountedOnce) {
  NpyWriter array(path("s.npy"), Dtype::i32, {1, 4});
  const std::int32_t numbers[] = {16777217, 0, 0, 1};
  array.write(0, 4, numbers);
  array.commit();
  Notes notes;
  const Scene scene = read_scene(path("s.npy"), nullptr, &notes, Kind::sphere);
  EXPECT_EQ(scene.sphere(0).center.x, 16777216);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("1 of 4 integers have more than 24 bits"), std::string::npos);
  EXPECT_NE(notes[1].find("changes 1 of 1 sizes"), std::string::npos);
}

}  // namespace
}  // namespace sightline::io
