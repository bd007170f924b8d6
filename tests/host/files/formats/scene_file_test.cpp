#include "host/files/formats/scene_file.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/hash.hpp"
#include "tests/host/files/io_test.hpp"

#include <limits>

namespace sightline::io {
namespace {

using SceneFileTest = IoTest;

/// All kinds, and numbers that only survive when they are kept as given.
Scene sample() {
  Scene scene;
  scene.add_aabb({{0.1f, -0.0f, 1e-40f}, {1, 2, 3}}, {5, none, 0});
  scene.add_aabb({{0, 0, 0}, {0, 0, 0}}, {});
  scene.add_obb({{1, 2, 3}, {0.5f, 0, 2}, {0, 0, 0.70710677f, 0.70710677f}}, {});
  scene.add_sphere({{1, 2, 3}, 0}, {0xFFFFFFFFu, 7, ~0ull});
  scene.add_capsule({{0, 0, 0}, {0, 0, 1}, 0.25f}, {});
  scene.add_plane({{0, 0, 1}, -1}, {});
  return scene;
}

void expect_same(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(scene_hash(a), scene_hash(b));
  for (std::uint32_t id = 0; id < a.size(); ++id) {
    EXPECT_EQ(a.kind_and_index(id), b.kind_and_index(id));
    EXPECT_EQ(a.attributes(id).mask, b.attributes(id).mask) << id;
    EXPECT_EQ(a.attributes(id).group, b.attributes(id).group) << id;
    EXPECT_EQ(a.attributes(id).label, b.attributes(id).label) << id;
  }
  const auto same = [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof x) == 0; };
  for (std::uint32_t i = 0; i < a.count(Kind::aabb); ++i) EXPECT_TRUE(same(a.aabb(i), b.aabb(i)));
  for (std::uint32_t i = 0; i < a.count(Kind::obb); ++i) EXPECT_TRUE(same(a.obb(i), b.obb(i)));
  for (std::uint32_t i = 0; i < a.count(Kind::sphere); ++i) {
    EXPECT_TRUE(same(a.sphere(i), b.sphere(i)));
  }
  for (std::uint32_t i = 0; i < a.count(Kind::capsule); ++i) {
    EXPECT_TRUE(same(a.capsule(i), b.capsule(i)));
  }
  for (std::uint32_t i = 0; i < a.count(Kind::plane); ++i) {
    EXPECT_TRUE(same(a.plane(i), b.plane(i)));
  }
}

TEST_F(SceneFileTest, ReadsBackTheSameNumbers) {
  write_scene(path("s"), sample(), {{"unit", "cm"}, {"source", "by hand"}});
  Metadata metadata;
  expect_same(read_scene(path("s"), &metadata), sample());
  EXPECT_EQ(metadata["unit"], "cm");
  EXPECT_EQ(metadata["up"], "z");
  EXPECT_EQ(metadata["source"], "by hand");
  EXPECT_EQ(metadata["sightline.file"], "scene");
  EXPECT_EQ(entries(), 1);
}

TEST_F(SceneFileTest, HasTheTensorsOfTheDocument) {
  write_scene(path("s"), sample());
  const ContainerReader in(path("s"));
  const std::string expected =
      "aabb.mask U32 [2];aabb.max F32 [2, 3];aabb.min F32 [2, 3];"
      "capsule.a F32 [1, 3];capsule.b F32 [1, 3];capsule.radius F32 [1];"
      "obb.center F32 [1, 3];obb.half_extents F32 [1, 3];obb.rotation F32 [1, 4];"
      "plane.normal F32 [1, 3];plane.offset F32 [1];"
      "sphere.center F32 [1, 3];sphere.group U32 [1];sphere.label U64 [1];sphere.radius F32 [1];";
  std::string found;
  for (const TensorInfo& t : in.tensors()) {
    found += t.name + " " + std::string(dtype_name(t.dtype)) + " " + to_string(t.shape) + ";";
  }
  EXPECT_EQ(found, expected);
  float rotation[4] = {};
  in.read(*in.find("obb.rotation"), 0, 4, rotation);
  EXPECT_EQ(rotation[3], 0.70710677f) << "w comes last";
  EXPECT_EQ(content_hash(in), scene_hash(sample()));
}

TEST_F(SceneFileTest, StreamsMoreShapesThanAChunk) {
  Scene scene;
  const auto n = static_cast<std::uint32_t>(chunk_elements / 3 + 1000);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto x = static_cast<float>(i);
    scene.add_sphere({{x, -x, 1}, x / 8}, {i, i, i});
  }
  write_scene(path("s"), scene);
  expect_same(read_scene(path("s")), scene);
}

TEST_F(SceneFileTest, AnEmptySceneIsLegal) {
  write_scene(path("s"), Scene());
  EXPECT_EQ(read_scene(path("s")).size(), 0u);
  EXPECT_EQ(parse_scene_json("j", "{}").size(), 0u);
  put("zero",
      container_bytes(R"({"sphere.center":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]},)"
                      R"("sphere.radius":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})"));
  EXPECT_EQ(read_scene(path("zero")).size(), 0u);
}

TEST_F(SceneFileTest, DefaultColumnsDoNotChangeTheHash) {
  Scene a, b;
  a.add_sphere({{1, 2, 3}, 1});
  const std::uint32_t mask[] = {0xFFFFFFFFu};
  b.add_spheres(1, Vec3{1, 2, 3}, 1.0f, {.mask = mask});
  EXPECT_EQ(scene_hash(a), scene_hash(b));
  Scene c;
  c.add_sphere({{1, 2, 3}, 1}, {1, none, 0});
  EXPECT_NE(scene_hash(a), scene_hash(c));
}

TEST_F(SceneFileTest, NamesFileKindIndexAndReason) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float centers[] = {0, 0, 0, 1, nan, 1, 2, 2, 2}, radii[] = {1, 1, 1};
  ContainerWriter out(
      path("s"), {{"sphere.center", Dtype::f32, {3, 3}}, {"sphere.radius", Dtype::f32, {3}}}, {});
  out.write("sphere.center", 0, 9, centers);
  out.write("sphere.radius", 0, 3, radii);
  out.commit();
  expect_error(ErrorKind::bad_input, {path("s") + ": sphere 1 ", "NaN"},
               [&] { read_scene(path("s")); });
}

TEST_F(SceneFileTest, RefusesWhatDoesNotFitTogether) {
  const auto write = [this](const std::vector<TensorSpec>& tensors, const Metadata& metadata = {}) {
    ContainerWriter(path("s"), tensors, metadata).commit();
  };
  const auto refused = [this](std::initializer_list<std::string> words) {
    expect_error(ErrorKind::bad_input, words, [this] { read_scene(path("s")); });
  };
  write({{"sphere.center", Dtype::f32, {3, 3}}});
  refused({path("s"), "lacks tensor 'sphere.radius' F32 [3]"});
  write({{"sphere.radius", Dtype::f32, {3}}});
  refused({path("s"), "lacks tensor 'sphere.center'"});
  write({{"sphere.center", Dtype::f32, {3, 3}}, {"sphere.radius", Dtype::f32, {4}}});
  refused({"'sphere.radius' is F32 [4], not F32 [3]"});
  write({{"sphere.center", Dtype::u64, {3, 3}}, {"sphere.radius", Dtype::f32, {3}}});
  refused({"'sphere.center' is U64 [3, 3], not F32 [n, 3]"});
  write({{"sphere.center", Dtype::f32, {9}}, {"sphere.radius", Dtype::f32, {3}}});
  refused({"'sphere.center' is F32 [9], not F32 [n, 3]"});
  write({{"sphere.center", Dtype::f32, {1, 3}},
         {"sphere.radius", Dtype::f32, {1}},
         {"sphere.mask", Dtype::u64, {1}}});
  refused({"'sphere.mask' is U64 [1], not U32 [1]"});
  write({{"sphere.mask", Dtype::u32, {1}}});
  refused({"lacks tensor 'sphere.center'"});
  write({{"sphere.center", Dtype::f32, {0, 3}}, {"sphere.radius", Dtype::f32, {2}}});
  refused({path("s"), "'sphere.radius' is [2], but there are no shapes"});
  write({{"cone.a", Dtype::f32, {1, 3}}});
  refused({path("s"), "unknown tensor 'cone.a'"});
  write({}, {{"sightline.file", "hits"}});
  refused({path("s"), "'hits'", "'scene'"});
  write({}, {{"sightline.file", "scene"}, {"sightline.format", "2"}});
  refused({path("s"), "format '2'"});
}

TEST_F(SceneFileTest, ReadsScenesByHand) {
  put("s.json", R"({"unit": "m", "up": "z",
    "aabb": [{"min": [0, 0, 0], "max": [1, 1, 1e0], "mask": 1, "group": 2, "label": 7}],
    "obb": [{"center": [0, 0, 0], "half_extents": [1, 1, 1], "rotation": [0, 0, 1, 0]},
            {"center": [0, 0, 0], "half_extents": [1, 1, 1]}],
    "sphere": [{"center": [0.1, 0, 0], "radius": 2}],
    "capsule": [{"a": [0, 0, 0], "b": [0, 0, 1], "radius": 0.5}],
    "plane": [{"normal": [0, 0, 1], "offset": 0, "label": 18446744073709551615}]})");
  Metadata metadata;
  const Scene scene = read_scene(path("s.json"), &metadata);
  EXPECT_EQ(scene.size(), 6u);
  EXPECT_EQ(metadata["up"], "z");
  EXPECT_EQ(scene.attributes(0).mask, 1u);
  EXPECT_EQ(scene.attributes(0).group, 2u);
  EXPECT_EQ(scene.attributes(5).label, ~0ull);
  EXPECT_EQ(scene.obb(0).rotation.z, 1);
  EXPECT_EQ(scene.obb(1).rotation.w, 1);
  EXPECT_EQ(scene.sphere(0).center.x, 0.1f);
  write_scene(path("s"), scene);
  expect_same(read_scene(path("s")), scene);
}

TEST_F(SceneFileTest, RefusesBadScenesByHand) {
  const struct {
    std::string text, word;
  } cases[] = {
      {"", "not JSON"},
      {"[]", "not a JSON object"},
      {"{\"sphere\": [}", "not JSON: parse error at line 1, column 13"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 1e999}]})", "not JSON"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 01}]})", "not JSON: parse error at line 1"},
      {std::string("{\"sphere\": []}\0", 15), "not JSON: a zero byte in it"},
      {std::string("{\"sphere\": []}\0{\"cone\": 1}", 26), "not JSON: a zero byte in it"},
      {"{\"sphere\": []} x", "not JSON: parse error at line 1, column 16"},
      {"{\"unit\": \"\xff\"}", "ill-formed UTF-8 byte"},
      {"{\"sphere\": [{\"a\": [[[]]]}]}", "is nested too deeply"},
      {"{\"cone\": []}", "unknown key 'cone'"},
      {"{\"sphere\": {}}", "'sphere' is not a list"},
      {"{\"sphere\": [1]}", "sphere 0 is not an object"},
      {"{\"unit\": 1}", "'unit' is not text"},
      {R"({"sphere": [], "sphere": []})", "the key 'sphere' twice"},
      {R"({"sphere": [{"radius": 1, "radius": 2, "center": [0,0,0]}]})", "the key 'radius' twice"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 1}, {"center": [0,0,0]}]})",
       "sphere 1 lacks 'radius'"},
      {R"({"sphere": [{"center": [0,0], "radius": 1}]})", "sphere 0 'center' is not a list of 3"},
      {R"({"sphere": [{"center": [0,0,"1"], "radius": 1}]})", "'center' holds something"},
      {R"({"sphere": [{"center": [0,0,0], "radius": [1]}]})", "'radius' holds something"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 1, "colour": 2}]})", "unknown key 'colour'"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 1e39}]})", "sphere 0 'radius' holds 1e+39"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 1, "mask": 4294967296}]})",
       "'mask' is not a whole number up to 4294967295"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 1, "mask": -1}]})", "'mask' is not a whole"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 1, "label": 1.5}]})", "'label' is not a whole"},
      {R"({"sphere": [{"center": [0,0,0], "radius": 1}, {"center": [0,0,0], "radius": -1}]})",
       "sphere 1 is refused"},
      {R"({"aabb": [{"min": [0,0,2], "max": [1,1,1]}]})", "aabb 0 is refused"},
      {R"({"plane": [{"normal": [0,0,2], "offset": 1}]})", "plane 0 is refused"},
      {"{\"sphere\": " + std::string(100000, '['), "nested too deeply"},
      {R"({"dimensions": 2, "polygon": [{"corners": [[0, 0], [1, 0], [0, 1]]}]})",
       "is a set of 2D shapes, not a scene"},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(bad.text.substr(0, 200));
    expect_error(ErrorKind::bad_input, {"s.json: ", bad.word},
                 [&] { parse_scene_json("s.json", bad.text); });
  }
}

// A reason may begin as the file's name does, and the name is still told.
TEST_F(SceneFileTest, NamesAFileThatIsNamedLikeAKind) {
  const std::string text = R"({"sphere": [{"center": [0,0,0], "radius": -1}]})";
  for (const std::string name : {"s", "sphere", "sphere 0"}) {
    expect_error(ErrorKind::bad_input, {name + ": sphere 0 is refused"},
                 [&] { parse_scene_json(name, text); });
  }
}

TEST_F(SceneFileTest, LeavesNothingWhereItCannotWrite) {
  expect_error(ErrorKind::io, {path("none/s")}, [&] { write_scene(path("none/s"), sample()); });
  expect_error(ErrorKind::io, {path("s"), "No such file"}, [&] { read_scene(path("s")); });
  EXPECT_EQ(entries(), 0);
}

}  // namespace
}  // namespace sightline::io
