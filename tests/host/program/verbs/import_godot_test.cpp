// import of Godot scenes by the program: words, counts, what a strict import refuses.
#include "tests/host/files/import/godot/small_project.hpp"
#include "tests/host/program/program.hpp"

#include "host/files/formats/scene_file.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class ImportGodotTest : public ProgramTest {
 protected:
  void put_project() {
    std::filesystem::create_directories(folder_ / "parts");
    for (const auto& [name, text] : io::small_project_4()) put(name, text);
  }
};

TEST_F(ImportGodotTest, TellsWhatItTook) {
  put_project();
  const json report = json_of({"import", "level.tscn", "-o", "s.st"});
  EXPECT_EQ(report["counts"]["taken"]["BoxShape3D"], 3);
  EXPECT_EQ(report["counts"]["taken"]["CapsuleShape3D"], 1);
  EXPECT_EQ(report["counts"]["shapes"]["aabb"], 2);
  EXPECT_EQ(report["counts"]["shapes"]["plane"], 1);
  EXPECT_EQ(report["counts"]["not_solid"], 1);
  EXPECT_EQ(report["counts"]["left_out"], 0);
  EXPECT_EQ(report["counts"]["approximated"], 0);
  EXPECT_EQ(report["counts"]["files"], 2);
  EXPECT_EQ(report["not_solid"]["it is disabled"],
            "1; first res://parts/pillar.tscn: line 16: 'Level/Far/Ball'");
  EXPECT_EQ(report["scene"]["hash"], io::scene_hash(io::read_scene(path("s.st"))));
  const json info = json_of({"info", "s.st"});
  EXPECT_EQ(info["metadata"]["unit"], "m");
  EXPECT_EQ(info["metadata"]["up"], "y");
  EXPECT_EQ(info["metadata"]["godot.files"], "res://level.tscn\nres://parts/pillar.tscn");
  EXPECT_EQ(run({"import", "level.tscn", "-o", "strict.st", "--strict"}).exit_code, 0);
  EXPECT_EQ(get("strict.st"), get("s.st"));
}

TEST_F(ImportGodotTest, SaysWhatItLeftOutAndRefusesItWhenStrict) {
  put_project();
  std::filesystem::create_directories(folder_ / "elsewhere");
  std::filesystem::rename(folder_ / "parts", folder_ / "elsewhere/parts");
  const Outcome outcome = run({"import", "level.tscn", "-o", "s.st"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.said("left out 2: the scene 'res://parts/pillar.tscn' is not there"))
      << outcome.err;
  expect_failure(3, {"level.tscn: line 14", "is not there", "strict"},
                 {"import", "level.tscn", "-o", "t.st", "--strict"});
  expect_failure(2, {"outside of the project"},
                 {"import", "level.tscn", "-o", "t.st", "--root", "elsewhere"});
  put("bad.tscn", "[gd_scene format=3]\n[node name=\"A\n");
  expect_failure(3, {"bad.tscn: line 2"}, {"import", "bad.tscn", "-o", "t.st"});
  expect_failure(6, {"gone.tscn"}, {"import", "gone.tscn", "-o", "t.st"});
  expect_failure(2, {"--output"}, {"import", "level.tscn"});
  expect_failure(2, {"for WAD files"}, {"import", "level.tscn", "-o", "t.st", "--grid", "8"});
  expect_failure(2, {"for WAD files"}, {"import", "level.tscn", "-o", "t.st", "--drawn-walls"});
  expect_failure(2, {"for Godot scenes"}, {"import", "x.csv", "-o", "t.st", "--strict"});
}

}  // namespace
}  // namespace sightline::cli
