// Scenes as engines and scripts write them: JSON, arrays, and all forms of one scene.
#include "host/files/core/container.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/rotation.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/gen/random.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/support/scale.hpp"

#include <ctime>

namespace sightline::io {
namespace {

using SceneTextTest = IoTest;

std::string json(const std::string& kind, const std::string& shape) {
  return R"({")" + kind + R"(": [)" + shape + "]}";
}
Scene scene_of(const std::string& kind, const std::string& shape) {
  return parse_scene_json("s.json", json(kind, shape));
}

TEST_F(SceneTextTest, TakesBoxesInEveryForm) {
  Scene aabb, obb;
  aabb.add_aabb({{0.1f, -1, 0}, {0.3f, 3, 10}});
  obb.add_obb({{0.2f, 1, 5}, {0.1f, 2, 5}, {}});
  for (const std::string form : {R"({"min": [0.1, -1, 0], "max": [0.3, 3, 10]})",
                                 R"({"center": [0.2, 1, 5], "size": [0.2, 4, 10]})",
                                 R"({"center": [0.2, 1, 5], "half_extents": [0.1, 2, 5]})"}) {
    SCOPED_TRACE(form);
    // In binary64 0.2 + 0.1 is not 0.3, but it rounds to the same binary32.
    EXPECT_EQ(scene_hash(scene_of("aabb", form)), scene_hash(aabb));
    EXPECT_EQ(scene_hash(scene_of("obb", form)), scene_hash(obb));
  }
}

TEST_F(SceneTextTest, TakesRotationsInEveryForm) {
  const auto turned = [](const std::string& rotation) {
    return scene_of("obb", R"({"center": [0, 0, 0], "size": [2, 2, 2], )" + rotation + "}").obb(0);
  };
  const float half = 0.70710677f;
  for (const std::string rotation :
       {R"("rotation": [0, 0, 0.70710678, 0.70710678])", R"("quaternion": [0, 0, 2, 2])",
        R"("matrix": [[0, -1, 0], [1, 0, 0], [0, 0, 1]])",
        R"("matrix": [0, -1, 0, 1, 0, 0, 0, 0, 1])", R"("euler_xyz_degrees": [0, 0, 90])",
        R"("euler_zyx_degrees": [720, 0, -630])",
        R"("euler_yxz_radians": [0, 0, 1.5707963267948966])"}) {
    SCOPED_TRACE(rotation);
    const Quat q = turned(rotation).rotation;
    EXPECT_NEAR(std::abs(q.z), half, 1e-7);
    EXPECT_EQ(q.z, q.w) << "a quarter turn is exact";
    EXPECT_EQ(q.x, 0);
    EXPECT_EQ(q.y, 0);
  }
  // Numbers that are nearly of unit length stay as they are.
  EXPECT_EQ(turned(R"("rotation": [0, 0, 0, 1.00005])").rotation.w, 1.00005f);
  // Unity's and Godot's order: first about z, then x, then y.
  const Quat y90_x90 = turned(R"("euler_yxz_degrees": [90, 90, 0])").rotation;
  EXPECT_NEAR(y90_x90.x, 0.5, 1e-7);
  EXPECT_NEAR(y90_x90.y, 0.5, 1e-7);
  EXPECT_NEAR(y90_x90.z, -0.5, 1e-7);
  const Quat x90_y90 = turned(R"("euler_xyz_degrees": [90, 90, 0])").rotation;
  EXPECT_NEAR(x90_y90.z, 0.5, 1e-7);
}

TEST_F(SceneTextTest, MatricesAndQuaternionsAgree) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    gen::Draws draws(3, 16, i);
    Rotation q;
    for (double& v : q) v = draws.uniform(-1, 1) * (draws.below(3) == 0 ? 1e-3 : 1);
    q = normalised(q);
    const auto [x, y, z, w] = q;
    const std::array<double, 9> m = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    const auto back = rotation_of_matrix(m);
    ASSERT_TRUE(back) << i;
    double dot = 0;
    for (std::size_t k = 0; k < 4; ++k) dot += q[k] * back->first[k];
    ASSERT_NEAR(std::abs(dot), 1, 1e-12) << i;
  }
}

TEST_F(SceneTextTest, TellsWhatWasNormalised) {
  Notes notes;
  const std::string box = R"({"center": [0,0,0], "size": [1,1,1], "rotation": )";
  parse_scene_json("s.json",
                   json("obb", box + "[0,0,0,1]}, " + box + "[0,0,0,2]}, " + box + "[0,3,0,0]}"),
                   nullptr, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "s.json: 2 rotations were normalised, the first that of obb 1");
}

TEST_F(SceneTextTest, RefusesWhatIsUnclear) {
  const struct {
    std::string kind, shape, word;
  } cases[] = {
      {"aabb", R"({"min": [0,0,0], "max": [1,1,1], "size": [1,1,1]})", "gives its box twice"},
      {"aabb", R"({"min": [0,0,0], "max": [1,1,1], "center": [1,1,1]})", "gives its box twice"},
      {"aabb", R"({"center": [0,0,0]})", "lacks 'min' and 'max', or 'center' with 'size'"},
      {"aabb", R"({"min": [0,0,0]})", "aabb 0 lacks 'max'; it has 'min'"},
      {"aabb", R"({"min": [0,0,0], "max": [1,1,1], "rotation": [0,0,0,1]})",
       "unknown key 'rotation'; valid are min, max, center, size, extents, half_extents, mask, "
       "group, label, name"},
      {"sphere", R"({"center": [0,0,0], "radius": 1, "colour": 2})",
       "sphere 0 has an unknown key 'colour'; valid are center, radius, mask"},
      {"obb", R"({"center": [0,0,0], "size": [1,1,1], "rotation": [0,0,0,0]})", "has no length"},
      {"obb", R"({"center": [0,0,0], "size": [1,1,1], "matrix": [2,0,0, 0,1,0, 0,0,1]})",
       "'matrix' is no rotation"},
      {"obb", R"({"center": [0,0,0], "size": [1,1,1], "matrix": [-1,0,0, 0,1,0, 0,0,1]})",
       "mirrors"},
      {"obb", R"({"center": [0,0,0], "size": [1,1,1], "matrix": [[1,0,0], [0,1,0]]})",
       "three rows"},
      {"obb",
       R"({"center": [0,0,0], "size": [1,1,1], "matrix": [1,0,0,0,1,0,0,0,1],
           "rotation": [0,0,0,1]})",
       "gives its rotation twice"},
      {"obb",
       R"({"center": [0,0,0], "size": [1,1,1], "euler_xyz_degrees": [0,0,0],
           "euler_zyx_degrees": [0,0,0]})",
       "has both"},
      {"obb", R"({"center": [0,0,0], "size": [1,1,1], "euler_degrees": [0,0,0]})",
       "unknown key 'euler_degrees'; valid are"},
      {"sphere", R"({"center": [0,0,0], "radius": 1, "name": "a", "label": 0})",
       "has label 0 and a name"},
      {"sphere", R"({"center": [0,0,0], "radius": 1, "name": true})",
       "'name' is neither text nor a number"},
      {"sphere", R"({"center": [0,0,0], "radius": 1, "name": "a\nb"})", "control characters"},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(bad.shape);
    expect_error(ErrorKind::bad_input, {"s.json: " + bad.kind + " 0 ", bad.word},
                 [&] { scene_of(bad.kind, bad.shape); });
  }
  expect_error(ErrorKind::bad_input, {"unknown key 'box'; valid are aabb, obb, sphere"},
               [] { parse_scene_json("s.json", R"({"box": []})"); });
}

TEST_F(SceneTextTest, ChecksUnitsAndAxes) {
  Metadata metadata;
  parse_scene_json("s.json", R"({"up": "Y", "unit": "cm"})", &metadata);
  EXPECT_EQ(metadata, (Metadata{{"up", "y"}, {"unit", "cm"}}));
  expect_error(ErrorKind::bad_input, {"s.json: 'up' is 'x', not y or z"},
               [] { parse_scene_json("s.json", R"({"up": "x"})"); });
  expect_error(ErrorKind::bad_input, {"s.json: 'unit' is ' '"},
               [] { parse_scene_json("s.json", R"({"unit": " "})"); });
  write_scene(path("s"), Scene(), {{"up", "north"}});
  expect_error(ErrorKind::bad_input, {path("s"), "'up' is 'north'"},
               [&] { read_scene(path("s")); });
}

TEST_F(SceneTextTest, NamesAreLabels) {
  const std::string s = R"({"center": [0,0,0], "radius": 1, "name": )";
  Metadata metadata;
  const Scene scene = parse_scene_json(
      "s.json", json("sphere", s + R"("door"}, )" + s + R"("wall, north"}, )" + s + R"("door"})"),
      &metadata);
  EXPECT_EQ(metadata[names_key], "door\nwall, north\n");
  EXPECT_EQ(scene.attributes(0).label, 1u);
  EXPECT_EQ(scene.attributes(1).label, 2u);
  EXPECT_EQ(scene.attributes(2).label, 1u);
  write_scene(path("s"), scene, metadata);
  Metadata back;
  read_scene(path("s"), &back);
  EXPECT_EQ(back[names_key], metadata[names_key]);
}

TEST_F(SceneTextTest, NumbersTooSmallAreZeroInEveryForm) {
  for (const std::string& tiny :
       {std::string("1e-400"), "0." + std::string(400, '0') + "1",
        std::string("-1e-99999999999999999999"), std::string("0.1e-324")}) {
    SCOPED_TRACE(tiny);
    const Scene csv = parse_scene_csv("s.csv", "kind,x,y,z,radius\nsphere," + tiny + ",0,0,1\n");
    const Scene text = scene_of("sphere", R"({"center": [)" + tiny + R"(, 0, 0], "radius": 1})");
    EXPECT_EQ(csv.sphere(0).center.x, 0);
    EXPECT_EQ(scene_hash(csv), scene_hash(text));
  }
}

TEST_F(SceneTextTest, ScenesMaySayThatTheyHaveThreeDimensions) {
  EXPECT_EQ(parse_scene_json("s.json", R"({"dimensions": 3, "sphere": []})").size(), 0u);
  expect_error(ErrorKind::bad_input, {"s.json: is a set of 2D shapes"},
               [] { parse_scene_json("s.json", R"({"dimensions": 2})"); });
  expect_error(ErrorKind::bad_input, {"s.json: 'dimensions' is 4, not 2 or 3"},
               [] { parse_scene_json("s.json", R"({"dimensions": 4})"); });
}

TEST_F(SceneTextTest, ArraysNeedAKind) {
  const double numbers[] = {0, 0, 0, 1, 0.1, 0, 0, 2};
  NpyWriter out(path("s.npy"), Dtype::f64, {2, 4});
  out.write(0, 8, numbers);
  out.commit();
  const Scene scene = read_scene(path("s.npy"), nullptr, nullptr, Kind::sphere);
  EXPECT_EQ(scene.sphere(1).center.x, 0.1f) << "rounded to the nearest";
  EXPECT_EQ(scene.count(Kind::sphere), 2u);
  expect_error(ErrorKind::bad_input, {path("s.npy"), "--kind KIND"},
               [&] { read_scene(path("s.npy")); });
  expect_error(ErrorKind::bad_input, {path("s.npy"), "is F64 [2, 4], not F32 [n, 6]"},
               [&] { read_scene(path("s.npy"), nullptr, nullptr, Kind::aabb); });
  expect_error(ErrorKind::bad_input, {path("s.npy") + ": plane 0, 1 are refused"},
               [&] { read_scene(path("s.npy"), nullptr, nullptr, Kind::plane); });
}

TEST_F(SceneTextTest, ContainersOfBinary64AreRounded) {
  const double center[] = {0.1, 1e300, 0}, radius = 1;
  const auto write = [&](double y) {
    ContainerWriter out(
        path("s"), {{"sphere.center", Dtype::f64, {1, 3}}, {"sphere.radius", Dtype::f64, {1}}}, {});
    out.write("sphere.center", 0, 3, center);
    out.write("sphere.center", 1, 1, &y);
    out.write("sphere.radius", 0, 1, &radius);
    out.commit();
  };
  write(2);
  EXPECT_EQ(read_scene(path("s")).sphere(0).center.x, 0.1f);
  write(1e300);
  expect_error(ErrorKind::bad_input, {path("s") + ": sphere 0 ", "NaN or infinite"},
               [&] { read_scene(path("s")); });
}

/// The same boxes in four forms.
struct FourForms {
  std::string json = R"({"aabb": [)", csv = "kind,min_x,min_y,min_z,max_x,max_y,max_z\n";
  std::vector<double> numbers;

  explicit FourForms(std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) {
      gen::Draws draws(1, 500, i);
      double v[6];
      for (int k = 0; k < 3; ++k) v[k] = draws.uniform(-1000, 1000);
      for (int k = 3; k < 6; ++k) v[k] = v[k - 3] + draws.uniform(0, 10);
      numbers.insert(numbers.end(), v, v + 6);
      json += fmt::format("{}{{\"min\": [{}, {}, {}], \"max\": [{}, {}, {}]}}", i == 0 ? "" : ",\n",
                          v[0], v[1], v[2], v[3], v[4], v[5]);
      csv += fmt::format("aabb,{},{},{},{},{},{}\n", v[0], v[1], v[2], v[3], v[4], v[5]);
    }
    json += "]}";
  }
};

TEST_F(SceneTextTest, FourFormsAreOneSceneInLinearTime) {
  const std::uint64_t n = scaled(500'000);
  {
    const FourForms forms(n);
    put("s.json", forms.json);
    put("s.csv", forms.csv);
    NpyWriter out(path("s.npy"), Dtype::f64, {n, 6});
    out.write(0, forms.numbers.size(), forms.numbers.data());
    out.commit();
  }
  const auto read = [&](const std::string& name, std::optional<Kind> kind = std::nullopt) {
    const std::clock_t begin = std::clock();
    Scene scene = read_scene(path(name), nullptr, nullptr, kind);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    RecordProperty(name, std::to_string(seconds));
    std::printf("%s: %llu boxes in %.3f s of processor time\n", name.c_str(),
                static_cast<unsigned long long>(n), seconds);
    // Ten times what is promised, for slow machines and sanitizers; quadratic time is far beyond.
    EXPECT_LT(seconds, 10) << name;
    return scene;
  };
  const Scene scene = read("s.npy", Kind::aabb);
  write_scene(path("s.safetensors"), scene);
  EXPECT_EQ(scene.size(), n);
  for (const char* name : {"s.json", "s.csv", "s.safetensors"}) {
    EXPECT_EQ(scene_hash(read(name)), scene_hash(scene)) << name;
  }
}

/// Bytes that mean something or nothing, cuts and copies.
std::string damaged(std::string text, gen::Draws& draws) {
  constexpr std::string_view meaning = "{}[]\",:;\n\r\t -+.0123456789eE_xyzwnaif#\\u";
  for (std::uint64_t n = 1 + draws.below(3); n > 0 && !text.empty(); --n) {
    const std::uint64_t at = draws.below(text.size()), how = draws.below(16);
    if (how < 8) {
      text[at] = meaning[draws.below(meaning.size())];
    } else if (how < 10) {
      text[at] = static_cast<char>(draws.bits());
    } else if (how < 12) {
      text.erase(at, 1 + draws.below(4));
    } else if (how < 15) {
      text.insert(at, text.substr(draws.below(text.size()), draws.below(60)));
    } else {
      text.resize(at);
    }
  }
  return text;
}

template <class Read>
void expect_read_or_refused(const std::string& good, std::uint64_t stream, const Read& read) {
  const std::uint64_t cases = scaled(100'000);
  std::uint64_t taken = 0, refused = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    gen::Draws draws(1, stream, i);
    const std::string text = damaged(good, draws);
    try {
      const std::uint64_t found = read(text);
      ASSERT_LE(found * 8, text.size()) << "case " << i;
      ++taken;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::bad_input) << "case " << i << ": " << error.what();
      ASSERT_TRUE(std::string(error.what()).starts_with("damaged: "))
          << "case " << i << ": " << error.what();
      ++refused;
    }
  }
  // Both must happen, or the damage is too heavy or too light to mean anything.
  EXPECT_GT(taken, cases / 100);
  EXPECT_GT(refused, cases / 100);
}

TEST_F(SceneTextTest, DamagedJsonIsReadOrRefused) {
  const std::string good =
      R"({"unit": "m", "up": "y", "aabb": [{"min": [0, 0.5, 0], "max": [1, 1, 1e0], "name": "a"},
          {"center": [1, 2, 3], "size": [1, 2, 3]}],
          "obb": [{"center": [0, 0, 0], "size": [1, 1, 1], "matrix": [[1,0,0], [0,1,0], [0,0,1]]},
                  {"center": [0, 0, 0], "half_extents": [1, 1, 1], "euler_yxz_degrees": [10, 0, 5]},
                  {"center": [0, 0, 0], "size": [1, 1, 1], "rotation": [0, 0, 1, 1]}],
          "plane": [{"normal": [0, 0, 1], "offset": 2, "mask": 3, "group": 4}]})";
  ASSERT_EQ(parse_scene_json("good", good).size(), 6u);
  expect_read_or_refused(good, 0x150, [](const std::string& text) {
    return parse_scene_json("damaged", text).size();
  });
}

TEST_F(SceneTextTest, DamagedCsvIsReadOrRefused) {
  const std::string good =
      "# unit: m\nkind,x,y,z,size_x,size_y,size_z,radius,qx,qy,qz,qw,name,mask\n"
      "aabb,1,2,3,1,1,1,,,,,,\"a \"\"b\"\"\",\n"
      "obb,1,2,3,1,1,1,,0,0,1,1,wall,7\n"
      "sphere,1,2,3.5,,,,0.25,,,,,ball,4294967295\n";
  ASSERT_EQ(parse_scene_csv("good", good).size(), 3u);
  expect_read_or_refused(
      good, 0xc5, [](const std::string& text) { return parse_scene_csv("damaged", text).size(); });
}

}  // namespace
}  // namespace sightline::io
