// Scenes as engines spell them: capsules by height, boxes under other names, keys in any case.
#include "host/files/formats/scene_file.hpp"
#include "tests/host/files/import/damage.hpp"
#include "tests/host/files/io_test.hpp"

namespace sightline::io {
namespace {

Scene spelt_scene(const std::string& kind, const std::string& shape, const std::string& rest = "") {
  return parse_scene_json("s.json", R"({")" + kind + R"(": [)" + shape + "]" + rest + "}");
}
Capsule capsule_of(const std::string& shape, const std::string& rest = "") {
  return spelt_scene("capsule", R"({"center": [1, 2, 3], "radius": 0.5, )" + shape + "}", rest)
      .capsule(0);
}

void expect_ends(const Capsule& capsule, const Vec3& a, const Vec3& b) {
  EXPECT_EQ(capsule.a, a);
  EXPECT_EQ(capsule.b, b);
  EXPECT_EQ(capsule.radius, 0.5f);
}

TEST(SceneSpelling, CapsulesHaveACenterAndAHeight) {
  expect_ends(capsule_of(R"("height": 3)"), {1, 2, 2}, {1, 2, 4});
  expect_ends(capsule_of(R"("segment_height": 3)"), {1, 2, 1.5f}, {1, 2, 4.5f});
  expect_ends(capsule_of(R"("segmentHeight": 3, "axis": "X")"), {-0.5f, 2, 3}, {2.5f, 2, 3});
  expect_ends(capsule_of(R"("height": 1)"), {1, 2, 3}, {1, 2, 3});
  expect_ends(capsule_of(R"("segment_height": 0)"), {1, 2, 3}, {1, 2, 3});
  // Along a vector of any length, from a to b.
  expect_ends(capsule_of(R"("height": 11, "axis": [0, -6, 8])"), {1, 5, -1}, {1, -1, 7});
  // In binary64, rounded once: 0.1 + 0.15 is 0.25 there, as floats it is above.
  const Capsule c =
      spelt_scene("capsule", R"({"center": [0, 0, 0.1], "radius": 0.1, "segment_height": 0.3})")
          .capsule(0);
  EXPECT_EQ(c.b.z, 0.25f);
}

TEST(SceneSpelling, CapsulesStandUp) {
  const Vec3 low = {1, 1, 3}, high = {1, 3, 3};
  // Whether `up` comes before the capsule, in this helper, or behind it.
  expect_ends(capsule_of(R"("height": 3)", R"(, "up": "y")"), low, high);
  const Scene before = parse_scene_json(
      "s.json",
      R"({"up": "Y", "capsule": [{"center": [1, 2, 3], "radius": 0.5, "height": 3, "name": "a"}]})");
  expect_ends(before.capsule(0), low, high);
  // An axis of its own does not ask.
  expect_ends(capsule_of(R"("height": 3, "axis": "z")", R"(, "up": "y")"), {1, 2, 2}, {1, 2, 4});
  const std::string csv = "kind,x,y,z,radius,height,axis\ncapsule,1,2,3,0.5,3,\n";
  expect_ends(parse_scene_csv("s.csv", "# up: y\n" + csv).capsule(0), low, high);
  expect_ends(parse_scene_csv("s.csv", csv).capsule(0), {1, 2, 2}, {1, 2, 4});
  // What the command line says counts for more.
  expect_ends(parse_scene_csv("s.csv", csv, std::nullopt, nullptr, nullptr, 'y').capsule(0), low,
              high);
  expect_ends(parse_scene_json("s.json",
                               R"({"up": "z", "capsule": [{"center": [1, 2, 3], "radius": 0.5,
                                   "height": 3}]})",
                               nullptr, nullptr, 'y')
                  .capsule(0),
              low, high);
}

TEST(SceneSpelling, ARotationTurnsTheAxis) {
  // A quarter turn about x takes z to -y, and about y to x.
  expect_ends(capsule_of(R"("height": 3, "euler_xyz_degrees": [90, 0, 0])"), {1, 3, 3}, {1, 1, 3});
  expect_ends(capsule_of(R"("height": 3, "rotation": [0, 0.70710678, 0, 0.70710678])"), {0, 2, 3},
              {2, 2, 3});
  expect_ends(capsule_of(R"("height": 3, "matrix": [0, 0, 1, 0, 1, 0, -1, 0, 0])"), {0, 2, 3},
              {2, 2, 3});
  // Half a turn about (0, 1, 1) exchanges y and z.
  expect_ends(capsule_of(R"("height": 3, "quaternion": [0, 1, 1, 0])"), {1, 1, 3}, {1, 3, 3});
  Notes notes;
  parse_scene_json("s.json",
                   R"({"capsule": [{"center": [0, 0, 0], "radius": 1, "height": 4,
                       "rotation": [0, 0, 0, 2]}]})",
                   nullptr, &notes);
  EXPECT_EQ(notes, Notes{"s.json: 1 rotation was normalised, the first that of capsule 0"});
}

TEST(SceneSpelling, CapsulesOfOneFileKeepTheirOrder) {
  const Scene scene = parse_scene_json(
      "s.json", R"({"capsule": [{"center": [1, 2, 3], "radius": 0.5, "height": 3, "name": "a"},
                                {"a": [7, 7, 7], "b": [8, 8, 8], "radius": 1, "name": "b"}],
                    "up": "y"})");
  ASSERT_EQ(scene.size(), 2u);
  EXPECT_EQ(scene.capsule(1).a, (Vec3{7, 7, 7}));
  EXPECT_EQ(scene.attributes(1).label, 2u) << "read twice, named once";
}

TEST(SceneSpelling, RefusesCapsulesThatSayTooMuchOrTooLittle) {
  const struct {
    std::string shape, word;
  } cases[] = {
      {R"("height": 3, "segment_height": 2)",
       "gives its height twice: 'height' and 'segment_height'"},
      {R"("height": 0.9)",
       "has height 0.9 from end to end, less than twice its radius 0.5; 'segment_height' is "
       "between the ends' centers"},
      {R"("segment_height": -1)", "has segment_height -1, less than 0"},
      {R"("mask": 1)", "lacks 'height', from end to end, or 'segment_height'"},
      {R"("heihgt": 2)", "it has 'center', 'radius', 'heihgt'; did you mean 'height'?"},
      {R"("height": 2, "axis": "up")", "'axis' is neither x, y or z nor a list of 3 numbers"},
      {R"("height": 2, "axis": 2)", "'axis' is neither x, y or z nor a list of 3 numbers"},
      {R"("height": 2, "axis": [0, 0, 0])", "'axis' has no length"},
      {R"("height": 2, "axis": "x", "rotation": [0, 0, 0, 1])",
       "gives its direction twice: 'axis' and a rotation"},
      {R"("height": 2, "a": [0, 0, 0], "b": [0, 0, 0])", "gives its place twice"},
      {R"("height": 2, "colour": 1)", "unknown key 'colour'; valid are"},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(bad.shape);
    expect_error(ErrorKind::bad_input, {"s.json: capsule 0 ", bad.word},
                 [&] { capsule_of(bad.shape); });
  }
  expect_error(
      ErrorKind::bad_input,
      {"lacks 'a' and 'b', or 'center' with 'height' or 'segment_height'; it has 'radius'"},
      [] { spelt_scene("capsule", R"({"radius": 1})"); });
  expect_error(ErrorKind::bad_input, {"capsule 0 lacks 'b'"},
               [] { spelt_scene("capsule", R"({"a": [0, 0, 0], "radius": 1})"); });
}

TEST(SceneSpelling, CylindersByHeight) {
  const auto cylinder_of = [](const std::string& shape) {
    return spelt_scene("cylinder", R"({"center": [1, 2, 3], "radius": 0.5, )" + shape + "}", "")
        .cylinder(0);
  };
  const Cylinder upright = cylinder_of(R"("height": 3)");
  EXPECT_EQ(upright.a, (Vec3{1, 2, 1.5f}));
  EXPECT_EQ(upright.b, (Vec3{1, 2, 4.5f}));
  EXPECT_EQ(upright.radius, 0.5f);
  EXPECT_EQ(cylinder_of(R"("height": 0.25, "axis": "x")").b, (Vec3{1.125f, 2, 3}));
  const std::string csv = "kind,x,y,z,radius,height,axis\ncylinder,1,2,3,0.5,3,\n";
  EXPECT_EQ(parse_scene_csv("s.csv", "# up: y\n" + csv).cylinder(0).a, (Vec3{1, 0.5f, 3}));
  const auto refused = [&](const char* shape, const char* why) {
    expect_error(ErrorKind::bad_input, {"s.json: cylinder 0 ", why}, [&] { cylinder_of(shape); });
  };
  refused(R"("height": 0)", "has height 0, not above 0");
  refused(R"("height": 2, "a": [0, 0, 0], "b": [0, 0, 1])", "gives its place twice");
  refused(R"("height": 2, "segment_height": 1)", "unknown key 'segment_height'");
  expect_error(ErrorKind::bad_input, {"lacks 'a' and 'b', or 'center' with 'height'"},
               [] { spelt_scene("cylinder", R"({"radius": 1})"); });
  expect_error(ErrorKind::bad_input, {"cylinder 0 is refused: both ends are the same point"},
               [] { spelt_scene("cylinder", R"({"a": [1, 0, 0], "b": [1, 0, 0], "radius": 1})"); });
}

TEST(SceneSpelling, BoxesHaveManyNames) {
  Scene expected;
  expected.add_aabb({{0, 0, 0}, {2, 4, 6}});
  for (const std::string box :
       {R"("center": [1, 2, 3], "halfExtents": [1, 2, 3])",
        R"("position": [1, 2, 3], "half_extents": [1, 2, 3])",
        R"("pos": [1, 2, 3], "halfSize": [1, 2, 3])", R"("Center": [1, 2, 3], "Size": [2, 4, 6])",
        R"("center": [1, 2, 3], "extents": [2, 4, 6])"}) {
    SCOPED_TRACE(box);
    EXPECT_EQ(scene_hash(spelt_scene("aabb", "{" + box + "}")), scene_hash(expected));
  }
  for (const std::string header : {"x,y,z,sizeX,sizeY,sizeZ", "posX,posY,posZ,size_x,size_y,size_z",
                                   "px,py,pz,extentsX,extentsY,extentsZ",
                                   "position_x,position_y,position_z,size_x,size_y,size_z",
                                   "Center X,Center Y,Center Z,Size X,Size Y,Size Z"}) {
    SCOPED_TRACE(header);
    const Scene scene = parse_scene_csv("s.csv", header + "\n1,2,3,2,4,6\n", Kind::aabb);
    EXPECT_EQ(scene_hash(scene), scene_hash(expected));
  }
  Notes notes;
  parse_scene_json("s.json", R"({"aabb": [{"center": [1, 2, 3], "extents": [2, 4, 6]}]})", nullptr,
                   &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("s.json: 'extents' of aabb 0 are taken as full sizes"),
            std::string::npos);
}

TEST(SceneSpelling, TwoNamesOfOneThingAreTwice) {
  const struct {
    std::string shape, word;
  } cases[] = {
      {R"("center": [1, 2, 3], "size": [1, 1, 1], "extents": [1, 1, 1])", "gives its box twice"},
      {R"("center": [1, 2, 3], "position": [1, 2, 3], "size": [1, 1, 1])",
       "has the key 'position' twice"},
      {R"("center": [1, 2, 3], "half_extents": [1, 1, 1], "halfExtents": [1, 1, 1])",
       "has the key 'halfExtents' twice"},
      {R"("center": [1, 2, 3], "halfExtnts": [1, 1, 1])",
       "it has 'center', 'halfExtnts'; did you mean 'half_extents'?"},
      {R"("center": [1, 2, 3], "size": [1, 1, 1], "msak": 1)",
       "has an unknown key 'msak'; valid are min, max, center, size, extents, half_extents, mask, "
       "group, label, name, id; did you mean 'mask'?"},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(bad.shape);
    expect_error(ErrorKind::bad_input, {"s.json: aabb 0 ", bad.word},
                 [&] { spelt_scene("aabb", "{" + bad.shape + "}"); });
  }
}

TEST(SceneSpelling, DamagedCapsulesAreReadOrRefused) {
  const std::string good =
      R"({"capsule": [{"center": [1, 2, 3], "height": 3, "radius": 0.5, "axis": [0, 1, 1]},
          {"position": [1, 2, 3], "segmentHeight": 3, "radius": 0.5, "rotation": [0, 0, 1, 1]},
          {"center": [1, 2, 3], "height": 30, "radius": 0.5}, {"center": [0, 0, 0], "height": 2,
          "radius": 1, "axis": "x"}], "up": "y"})";
  ASSERT_EQ(parse_scene_json("good", good).size(), 4u);
  expect_read_or_refused(
      good, 0xca9, million / 10,
      [](const std::string& text) {
        ASSERT_LE(parse_scene_json("damaged", text).size() * 20, text.size());
      },
      100);
}

}  // namespace
}  // namespace sightline::io
