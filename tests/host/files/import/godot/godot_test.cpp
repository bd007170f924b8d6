// Import of Godot scenes: projects whose shapes are known, the real level by count.
#include <sightline/geometry/shapes/obb.hpp>

#include "host/files/core/text_file.hpp"
#include "host/files/import/godot/import_godot.hpp"
#include "tests/host/files/import/godot/small_project.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::io {
namespace {

void expect_small_project(const GodotImport& import) {
  const Scene& s = import.scene;
  ASSERT_EQ(s.size(), 6u);
  ASSERT_EQ(s.count(Kind::aabb), 2u);
  const Aabb near = s.aabb(0), far = s.aabb(1);
  EXPECT_TRUE(near.min.x == -0.5f && near.min.y == 0 && near.min.z == -1);
  EXPECT_TRUE(near.max.x == 0.5f && near.max.y == 4 && near.max.z == 1);
  // Twice as large, and turned so that its x becomes -z and its z becomes x.
  EXPECT_TRUE(far.min.x == 8 && far.min.y == 0 && far.min.z == -7);
  EXPECT_TRUE(far.max.x == 12 && far.max.y == 8 && far.max.z == -5);
  ASSERT_EQ(s.count(Kind::obb), 1u);
  const ObbFrame slope = frame(s.obb(0));
  EXPECT_TRUE(slope.center.x == 0 && slope.center.y == 1 && slope.center.z == 3);
  EXPECT_TRUE(slope.half_extents.x == 2 && slope.half_extents.y == 0.25f);
  EXPECT_NEAR(slope.axis[0].x, 0.8, 1e-6);
  EXPECT_NEAR(slope.axis[0].y, 0.6, 1e-6);
  ASSERT_EQ(s.count(Kind::sphere), 1u);
  EXPECT_EQ(s.sphere(0).center.y, 4.5f);
  EXPECT_EQ(s.sphere(0).radius, 0.5f);
  ASSERT_EQ(s.count(Kind::capsule), 1u);
  const Capsule bar = s.capsule(0);
  EXPECT_EQ(std::abs(bar.a.y - bar.b.y), 2);
  EXPECT_TRUE(bar.a.x == 0 && bar.a.z == 3 && bar.radius == 0.25f);
  ASSERT_EQ(s.count(Kind::plane), 1u);
  EXPECT_TRUE(s.plane(0).normal.y == 1 && s.plane(0).offset == 0);

  EXPECT_EQ(s.attributes(0).mask, 5u);  // the pillar's collision_layer
  EXPECT_EQ(s.attributes(2).mask, 1u);
  EXPECT_EQ(s.attributes(0).group, 0u);
  EXPECT_EQ(s.attributes(1).group, 1u);
  EXPECT_EQ(s.attributes(0).label >> 32, 1u);
  EXPECT_EQ(s.attributes(0).label, s.attributes(1).label);  // the same lines, twice
  EXPECT_EQ(import.files,
            (std::vector<std::string>{"res://level.tscn", "res://parts/pillar.tscn"}));
  EXPECT_EQ(import.nodes, 11u);
  EXPECT_EQ(import.bodies, 3u);
  ASSERT_EQ(import.not_solid.size(), 1u);
  EXPECT_EQ(import.not_solid.at("it is disabled").count, 1u);
  EXPECT_TRUE(import.left_out.empty());
  EXPECT_TRUE(import.approximated.empty());
}

TEST(GodotImport, OfTheSmallProjectIsTheOneWritten) {
  expect_small_project(import_project(small_project_4(), "level.tscn", true));
}

TEST(GodotImport, ReadsTheSpellingOfGodot3) {
  expect_small_project(import_project(small_project_3(), "level.tscn", true));
}

TEST(GodotImport, ReadsLinesThatEndInACarriageReturn) {
  Project files = small_project_4();
  for (auto& [path, text] : files) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
      text.insert(at, 1, '\r');
    }
  }
  expect_small_project(import_project(files));
}

/// One body at the root with these shapes and nodes.
std::string body_scene(const std::string& resources, const std::string& nodes,
                       const std::string& body = "StaticBody3D") {
  return "[gd_scene format=3]\n" + resources + "[node name=\"B\" type=\"" + body + "\"]\n" + nodes;
}

constexpr char one_shape[] =
    "[node name=\"S\" type=\"CollisionShape3D\" parent=\".\"]\n"
    "shape = SubResource(\"1\")\n";

GodotImport import_one(const std::string& type, const std::string& sizes,
                       const std::string& place = "", const std::string& body = "StaticBody3D") {
  return import_project(
      {{"level.tscn", body_scene("[sub_resource type=\"" + type + "\" id=\"1\"]\n" + sizes + "\n",
                                 one_shape + place, body)}});
}

TEST(GodotImport, SizesThatAreNotStatedAreGodots) {
  EXPECT_EQ(import_one("BoxShape3D", "").scene.aabb(0).max.x, 0.5f);
  EXPECT_EQ(import_one("BoxShape", "").scene.aabb(0).max.x, 1);
  EXPECT_EQ(import_one("SphereShape3D", "").scene.sphere(0).radius, 0.5f);
  EXPECT_EQ(import_one("SphereShape", "").scene.sphere(0).radius, 1);
  const Capsule four = import_one("CapsuleShape3D", "").scene.capsule(0);
  EXPECT_TRUE(four.radius == 0.5f && four.b.y == 0.5f && four.b.z == 0);
  const Capsule three = import_one("CapsuleShape", "").scene.capsule(0);
  EXPECT_TRUE(three.radius == 1 && three.b.y == 0 && three.b.z == 0.5f);
  const Aabb cylinder = import_one("CylinderShape3D", "").scene.aabb(0);
  EXPECT_TRUE(cylinder.max.x == 0.5f && cylinder.max.y == 1);
}

TEST(GodotImport, PlacesWrittenByHandTurnAboutZThenXThenY) {
  const Scene s = import_one("BoxShape3D", "size = Vector3(2, 4, 6)",
                             "position = Vector3(1, 2, 3)\nscale = Vector3(1, 1, 2)\n"
                             "rotation_degrees = Vector3(90, 90, 0)\n")
                      .scene;
  // z of twice its length turns down with x, and stays so about y.
  const Aabb box = s.aabb(0);
  EXPECT_NEAR(box.max.x - box.min.x, 4, 1e-6);
  EXPECT_NEAR(box.max.y - box.min.y, 12, 1e-6);
  EXPECT_NEAR(box.max.z - box.min.z, 2, 1e-6);
  EXPECT_EQ(s.count(Kind::aabb), 1u);
}

TEST(GodotImport, SaysWhyShapesAreLeftOut) {
  const auto only = [](const std::map<std::string, GodotTally>& tallies) {
    return tallies.size() == 1 ? tallies.begin()->first : std::to_string(tallies.size());
  };
  EXPECT_EQ(only(import_one("BoxShape3D", "", "disabled = true\n").not_solid), "it is disabled");
  EXPECT_EQ(only(import_one("BoxShape3D", "", "", "Area3D").not_solid),
            "it is of an area, which notices and does not block");
  EXPECT_EQ(only(import_one("BoxShape3D", "", "", "Node3D").not_solid), "it is of no body");
  EXPECT_EQ(only(import_one("SeparationRayShape3D", "").not_solid), "it is a ray");
  EXPECT_EQ(only(import_one("ConcavePolygonShape3D", "data = PackedVector3Array(1, 2)").left_out),
            "unsupported shape type 'ConcavePolygonShape3D'");
  EXPECT_EQ(only(import_one("BoxShape3D", "",
                            "transform = Transform3D(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0)\n")
                     .left_out),
            "its transform flattens the shape");
  EXPECT_EQ(only(import_one("Curve3D", "").left_out), "its shape is missing");
  const auto nodes = [&](const std::string& text) {
    return import_project(
               {{"level.tscn", body_scene("[ext_resource path=\"res://m.glb\" id=\"1\"]\n"
                                          "[ext_resource path=\"res://a.tscn\" id=\"2\"]\n"
                                          "[ext_resource path=\"res://../b.tscn\" id=\"3\"]"
                                          "\n",
                                          text)}})
        .left_out;
  };
  EXPECT_EQ(only(nodes("[node name=\"P\" type=\"CSGBox3D\" parent=\".\"]\nuse_collision = true\n")),
            "unsupported shape type 'CSGBox3D'");
  EXPECT_EQ(only(nodes("[node name=\"P\" type=\"CSGBox3D\" parent=\".\"]\n")), "0");
  EXPECT_EQ(only(nodes("[node name=\"P\" type=\"CollisionShape3D\" parent=\"Gone/Far\"]\n")),
            "it stands below a node that is missing");
  const auto instance = [&](const std::string& id) {
    return only(nodes("[node name=\"P\" parent=\".\" instance=ExtResource(\"" + id + "\")]\n"));
  };
  EXPECT_EQ(instance("1"), "the scene 'res://m.glb' is no text scene");
  EXPECT_EQ(instance("2"), "the scene 'res://a.tscn' is not there");
  EXPECT_EQ(instance("3"), "the scene 'res://../b.tscn' lies outside of the project");
  EXPECT_EQ(instance("9"), "the scene '9' is not named in the file");
  EXPECT_EQ(nodes("[node name=\"P\" parent=\".\" instance=ExtResource(\"1\")]\n"
                  "[node name=\"S\" type=\"CollisionShape3D\" parent=\"P\"]\n")
                .count("its body is in a scene that is missing"),
            1u);
}

TEST(GodotImport, ShapesMayBeFilesOfTheirOwn) {
  const Scene s =
      import_project({{"level.tscn", body_scene("[ext_resource path=\"ball.tres\" id=\"1\"]\n",
                                                "[node name=\"S\" type=\"CollisionShape3D\" "
                                                "parent=\".\"]\nshape = ExtResource(\"1\")\n")},
                      {"ball.tres",
                       "[gd_resource type=\"SphereShape3D\" format=3]\n[resource]\n"
                       "radius = 3.0\n"}})
          .scene;
  ASSERT_EQ(s.count(Kind::sphere), 1u);
  EXPECT_EQ(s.sphere(0).radius, 3);
}

TEST(GodotImport, ScenesMayInheritFromOthers) {
  const Scene s =
      import_project(
          {{"level.tscn",
            "[gd_scene format=3]\n[ext_resource path=\"res://base.tscn\" id=\"1\"]\n"
            "[node name=\"New\" instance=ExtResource(\"1\")]\ncollision_layer = 8\n"
            "[node name=\"S\" parent=\".\"]\n"
            "transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 0, 0)\n"},
           {"base.tscn", body_scene("[sub_resource type=\"BoxShape3D\" id=\"1\"]\n", one_shape)}})
          .scene;
  ASSERT_EQ(s.count(Kind::aabb), 1u);
  EXPECT_EQ(s.aabb(0).max.x, 7.5f);
  EXPECT_EQ(s.attributes(0).mask, 8u);
}

TEST(GodotImport, ScenesThatMultiplyAreRefused) {
  Project files;
  for (int level = 0; level < 12; ++level) {
    std::string text = fmt::format(
        "[gd_scene format=3]\n[ext_resource path=\"res://{}.tscn\" "
        "id=\"1\"]\n[node name=\"R\" type=\"Node3D\"]\n",
        level + 1);
    for (int i = 0; i < 10; ++i) {
      text += fmt::format("[node name=\"{}\" parent=\".\" instance=ExtResource(\"1\")]\n", i);
    }
    files[fmt::format("{}.tscn", level)] = text;
  }
  files["12.tscn"] = "[gd_scene format=3]\n[node name=\"R\" type=\"Node3D\"]\n";
  expect_error(ErrorKind::bad_input, {"more than 1000000 nodes"},
               [&] { import_project(files, "0.tscn"); });
  files["12.tscn"] = files["0.tscn"];
  expect_error(ErrorKind::bad_input, {"1.tscn", "instances itself"},
               [&] { import_project(files, "0.tscn"); });
}

TEST(GodotImport, TellsWhatRoundingMoves) {
  Project files = small_project_4();
  EXPECT_TRUE(import_project(files).notes.empty());
  std::string& level = files.at("level.tscn");
  const std::string place = "10, 0, -6)";
  level.replace(level.find(place), place.size(), "5800000.1, 0, -6)");
  const Notes notes = import_project(files).notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("rounding to binary32 changes 1 of 6 sizes"), std::string::npos)
      << notes[0];
}

/// Else a megabyte of an id would be kept once for each of a million instances.
TEST(GodotImport, InstancesDoNotKeepTheIdsOfShapes) {
  const Project files = small_project_4();
  const GodotReader read = [&files](const std::string& path) {
    return std::optional(files.at(path));
  };
  const GodotTree tree = read_godot_tree("level", "level.tscn", read);
  std::uint64_t shapes = 0;
  for (const GodotTreeNode& node : tree.nodes) {
    EXPECT_FALSE(node.properties.shape.has_value()) << node.name;
    EXPECT_EQ(node.has_shape, node.shape != nullptr) << node.name;
    shapes += node.has_shape ? 1u : 0u;
  }
  EXPECT_EQ(shapes, 7u);
}

TEST(GodotImport, RefusesWhatIsApproximatedWhenStrict) {
  Project files = small_project_4();
  std::string& text = files["level.tscn"];
  text.replace(text.find("CapsuleShape3D"), 14, "CylinderShape3D");
  const GodotImport import = import_project(files);
  EXPECT_EQ(import.approximated.size(), 1u);
  EXPECT_EQ(import.taken.at("CylinderShape3D"), 1u);
  expect_error(ErrorKind::bad_input, {"level: line 24: 'Level/Body/Bar'", "cylinder", "strict"},
               [&] { import_project(files, "level.tscn", true); });
  files.erase("parts/pillar.tscn");
  expect_error(ErrorKind::bad_input, {"level: line 14", "pillar.tscn", "is not there", "strict"},
               [&] { import_project(files, "level.tscn", true); });
}

TEST(GodotImport, RefusesBadLinesByNumberAndReason) {
  const std::string scene = "[gd_scene format=3]\n", root = "[node name=\"R\" type=\"Node3D\"]\n";
  const std::pair<std::string, const char*> cases[] = {
      {"", "level: line 1: a text scene begins"},
      {"[node]", "level: line 1: a text scene begins"},
      {scene, "level: line 1: the scene has no nodes"},
      {"node\n", "level: line 1: a section begins"},
      {scene + "node\n", "level: line 2: 'node' has no value"},
      {scene + "[node name=\"R\"\n", "level: line 2: a section's head does not end"},
      {scene + "[node name=\"R]\n\n", "level: line 2: a text begins here"},
      {scene + root + "\nx\n", "level: line 4: 'x' has no value"},
      {scene + root + "x = [1,\n2\n", "level: line 3: a bracket is opened"},
      {scene + root + "x = 1)\n", "level: line 3: a bracket is closed"},
      {scene + root + root, "level: line 3: the scene has a second root"},
      {scene + "[node name=\"A\" type=\"B\" parent=\".\"]", "level: line 2: a node comes before"},
      {scene + "[node name=\"A\" instance=1]", "level: line 2: instance is no"},
      {scene + root + "transform = Transform3D(1, 2, 3)",
       "level: line 3: transform is 'Transform3D(1, 2, 3)', not 12 finite numbers"},
      {scene + root + "position = Vector3(1, nan, 3)", "level: line 3: position is"},
      {scene + "[sub_resource type=\"BoxShape3D\" id=\"1\"]\nradius = 1e\n" + root,
       "level: line 3: radius is '1e', not a number"},
      {scene + "[sub_resource type=\"CylinderShape3D\" id=\"1\"]\nradius = -1\n" + root,
       "level: line 3: radius is '-1', not a number of at least 0"},
      {scene + "[sub_resource type=\"CapsuleShape\" id=1]\nheight = -8.5\n" + root,
       "level: line 3: height is '-8.5', not a number of at least 0"},
      {body_scene("[sub_resource type=\"BoxShape3D\" id=\"1\"]\nsize = Vector3(1, -1, 1)\n",
                  one_shape),
       "level: line 5: 'B/S': "},
      {scene + "[node name=\"" + std::string(4097, 'n') + "\" type=\"Node\"]\n",
       "level: line 2: name has more than 4096 characters"},
      {scene + "[ext_resource id=\"1\" path=\"" + std::string(4097, 'n') + "\"]\n",
       "level: line 2: path has more than 4096 characters"}};
  for (const auto& [text, words] : cases) {
    const std::string what = refusal(ErrorKind::bad_input, [&, text = text] {
      import_project({{"level.tscn", text}});
    });
    EXPECT_TRUE(what.starts_with(words)) << what << "\n" << text;
  }
}

class GodotFiles : public IoTest {};

TEST_F(GodotFiles, TheRootIsWhereTheProjectOrItsFilesAre) {
  std::filesystem::create_directories(folder_ / "game/maps/parts");
  for (const auto& [name, text] : small_project_4()) {
    std::string moved = text;
    if (const auto at = moved.find("res://"); at != std::string::npos)
      moved.insert(at + 6, "maps/");
    put("game/maps/" + name, moved);
  }
  const std::string scene = path("game/maps/level.tscn");
  EXPECT_EQ(found_root(scene), folder_ / "game");
  EXPECT_EQ(import_godot(scene).scene.size(), 6u);
  EXPECT_FALSE(import_godot(scene, {folder_ / "game/maps", false}).left_out.empty());
  put("project.godot", "");
  EXPECT_EQ(found_root(scene), folder_);
  expect_error(ErrorKind::usage, {"outside of the project"}, [&] {
    import_godot(scene, {folder_ / "game/maps/parts", false});
  });
  expect_error(ErrorKind::usage, {"is no folder"}, [&] {
    import_godot(scene, {folder_ / "gone", false});
  });
  expect_error(ErrorKind::io, {"gone.tscn"}, [&] { import_godot(path("gone.tscn")); });
}

TEST(GodotImport, OfARealLevelTakesEverySolidShape) {
  const auto folder = testing::shared_folder() / "data/godot/tps-demo";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  std::map<std::string, std::size_t> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".tscn") continue;
    const GodotFile file = parse_godot(entry.path().string(), read_text(entry.path()));
    std::map<std::string, std::size_t> own;
    for (const GodotNode& node : file.nodes) {
      if (node.properties.shape) ++own[file.shapes.at(node.properties.shape->id).type];
    }
    if (entry.path().filename() == "structure.tscn") {
      EXPECT_EQ(own["BoxShape3D"], 447u);
    }
    for (const auto& [type, count] : own) all[type] += count;
  }
  EXPECT_EQ(all, (std::map<std::string, std::size_t>{
                     {"BoxShape3D", 634}, {"CapsuleShape3D", 1}, {"CylinderShape3D", 6}}));

  // Scenes that stand several times: 7 pillars of stairs (36 boxes, a cylinder), 3 sectors (78) and
  // 3 of them for players only (16).
  const GodotImport level = import_godot(folder / "level/level.tscn");
  EXPECT_EQ(level.taken.at("BoxShape3D"), 634u + 6 * 36 + 2 * 78 + 2 * 16);
  EXPECT_EQ(level.taken.at("CylinderShape3D"), 6u + 6);
  EXPECT_EQ(level.taken.count("CapsuleShape3D"), 0u);  // an area's, around the whole reactor
  EXPECT_EQ(level.not_solid.begin()->second.count, 2u);
  EXPECT_EQ(level.scene.size(), 1038u + 12);
  EXPECT_EQ(level.scene.count(Kind::sphere), 0u);
  EXPECT_EQ(level.files.size(), 7u);
}

}  // namespace
}  // namespace sightline::io
