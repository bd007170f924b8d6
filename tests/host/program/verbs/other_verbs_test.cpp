// info, gen and import.
#include "tests/host/program/program.hpp"

#include "host/files/formats/points_file.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "tests/host/files/import/doom/doom_test.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class OtherVerbsTest : public ProgramTest {};

// The kernel's own count begins with the peak of the process that starts another.
TEST_F(OtherVerbsTest, PeakOfMemoryIsTheProgramsOwn) {
  const auto peak = [&] { return json_of({"info"})["peak_memory_bytes"].get<std::uint64_t>(); };
  const std::uint64_t before = peak();
  const std::vector<char> large(256 << 20, 1);
  EXPECT_EQ(large.back(), 1);
  EXPECT_LT(peak(), before + (16 << 20));
}

TEST_F(OtherVerbsTest, GenIsRepeatable) {
  const auto gen = [&](const std::string& seed, const std::string& scene, const std::string& rays) {
    return json_of({"gen", "mixed", "--shapes", "300", "--seed", seed, "-o", scene, "--rays",
                    "incoherent", "--count", "500", "--rays-out", rays});
  };
  const auto report = gen("5", "a.st", "a.rays");
  gen("5", "b.st", "b.rays");
  gen("6", "c.st", "c.rays");
  EXPECT_TRUE(get("a.st") == get("b.st"));
  EXPECT_TRUE(get("a.rays") == get("b.rays"));
  EXPECT_FALSE(get("a.st") == get("c.st"));
  EXPECT_FALSE(get("a.rays") == get("c.rays"));
  EXPECT_EQ(io::scene_hash(io::read_scene(path("a.st"))), report["scene"]["hash"]);
  EXPECT_EQ(io::RaysSource(path("a.rays")).count(), 500u);
  const double redrawn = report["rays"]["redrawn_share"];
  EXPECT_GE(redrawn, 0);
  EXPECT_LT(redrawn, 1);
}

TEST_F(OtherVerbsTest, SegmentsOfGenEnd) {
  json_of({"gen", "city", "--shapes", "80", "-o", "s.st", "--rays", "los", "--count", "100",
           "--rays-out", "r.st"});
  const io::RaysSource rays(path("r.st"));
  EXPECT_TRUE(rays.columns().t_max);
  io::RayBuffer buffer;
  EXPECT_EQ(rays.read(99, 1, buffer).t_max[0], 1.0f);
}

TEST_F(OtherVerbsTest, GenDryRunWritesNothing) {
  json_of({"gen", "city", "--shapes", "80", "-o", "s.st", "--rays", "los", "--count", "100",
           "--rays-out", "r.st", "--dry-run"});
  EXPECT_EQ(entries(), 0);
}

TEST_F(OtherVerbsTest, InfoTellsWhatAFileHolds) {
  make_city(120, 50);
  make_points(20);
  json_of({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"});
  json_of({"cast", "city.st", "--rays", "rays.st", "-o", "a.st", "--query", "any"});
  json_of({"visibility", "city.st", "--from", "points.npy", "-o", "v.st"});
  const auto info = [&](const std::string& file) { return json_of({"info", file}); };
  const auto scene = info("city.st");
  EXPECT_EQ(scene["file"]["kind"], "scene");
  EXPECT_EQ(scene["scene"]["shapes"], 120);
  EXPECT_EQ(scene["scene"]["hash"], io::scene_hash(io::read_scene(path("city.st"))));
  EXPECT_EQ(scene["metadata"]["unit"], "m");
  EXPECT_EQ(info("rays.st")["counts"]["rays"], 50);
  EXPECT_EQ(info("points.npy")["counts"]["points"], 20);
  EXPECT_EQ(info("h.st")["file"]["kind"], "hits");
  EXPECT_EQ(info("h.st")["counts"]["hits"], info("a.st")["counts"]["blocked"]);
  EXPECT_EQ(info("v.st")["counts"]["viewpoints"], 20);
  EXPECT_EQ(run({"info", "gone"}).exit_code, 6);
  put("junk", "junk");
  EXPECT_EQ(run({"info", "junk"}).exit_code, 3);
}

TEST_F(OtherVerbsTest, InfoCallsNothingCompleteThatCannotBeRead) {
  make_city(40, 10);
  make_points(20);
  put("table.csv", "x,y,z\n1,2,3\n");
  put("list.json", "[[1, 2, 3]]");
  for (const char* name : {"city.st", "points.npy", "table.csv", "list.json"}) {
    EXPECT_EQ(json_of({"info", name})["file"]["state"], "complete") << name;
  }
  put("text.st", "no container at all");
  put("text.json", "no JSON at all");
  put("cut.npy", get("points.npy").substr(0, 200));
  std::string cut = get("city.st");
  cut.pop_back();
  put("cut.st", cut);
  for (const char* name : {"none.st", "text.st", "text.json", "cut.st", "cut.npy"}) {
    const Outcome done = run({"info", name});
    EXPECT_EQ(done.exit_code, name == std::string("none.st") ? 6 : 3) << done.err;
    EXPECT_TRUE(done.said(name)) << done.err;
    EXPECT_EQ(done.out.find("complete"), std::string::npos) << done.out;
  }
}

TEST_F(OtherVerbsTest, InfoTellsMetadataOfAnyName) {
  const io::Metadata odd = {{"0", "a"}, {"-", "b"}, {"", "c"}, {"~1", "d"}, {"x/y", "e"}};
  io::write_scene(path("s.st"), Scene(), odd);
  const auto report = json_of({"info", "s.st"});
  for (const auto& [key, value] : odd) EXPECT_EQ(report["metadata"][key], value) << key;
}

TEST_F(OtherVerbsTest, NoWordsOfFilesAreForTheTerminal) {
  io::write_scene(path("s.st"), Scene(), {{"by", "a\x1b[2Jb\x7f\rc\nd \xc3\xa9"}});
  EXPECT_NE(run({"info", "s.st"}).out.find("by = a?[2Jb??c\nd \xc3\xa9\n"), std::string::npos);
}

TEST_F(OtherVerbsTest, InfoTellsOfTheProgram) {
  const auto report = json_of({"info"});
  EXPECT_GE(report["devices"].size(), 2u);
  EXPECT_FALSE(report["cpu"].get<std::string>().empty());
  const Outcome words = run({"info"});
  EXPECT_NE(words.out.find("--device reference"), std::string::npos);
}

TEST_F(OtherVerbsTest, ImportsAMap) {
  const std::string wad = io::freedoom_path();
  if (!std::filesystem::exists(wad)) GTEST_SKIP() << wad << " is not here";
  const auto report = json_of({"import", wad, "--map", "e1m8", "--grid", "128", "-o", "map.st",
                               "--points-out", "points.npy"});
  EXPECT_EQ(report["counts"]["viewpoints"], io::read_points(path("points.npy")).count());
  io::Metadata metadata;
  EXPECT_EQ(io::read_scene(path("map.st"), &metadata).size(), report["scene"]["shapes"]);
  EXPECT_EQ(metadata["doom.map"], "E1M8");
  EXPECT_EQ(metadata["doom.walls"], "closed");
  const auto drawn = json_of({"import", wad, "--map", "E1M8", "--drawn-walls", "-o", "drawn.st"});
  EXPECT_LT(drawn["counts"]["lower_steps"], report["counts"]["lower_steps"]);
  io::read_scene(path("drawn.st"), &metadata);
  EXPECT_EQ(metadata["doom.walls"], "drawn");
  json_of({"visibility", "map.st", "--from", "points.npy", "-o", "v.st"});
  json_of({"verify", "v.st", "--scene", "map.st", "--from", "points.npy", "--full"});
  expect_failure(3, {"E9M9", "E1M8"}, {"import", wad, "--map", "E9M9", "-o", "x.st"});
  expect_failure(2, {"--map", "E1M8"}, {"import", wad});
  expect_failure(2, {"--output"}, {"import", wad, "--map", "E1M8"});
  const std::vector<std::string> before = names();
  json_of({"import", wad, "--map", "E1M8", "-o", "y.st", "--points-out", "z.npy", "--dry-run"});
  EXPECT_EQ(names(), before);
}

TEST_F(OtherVerbsTest, ImportNamesThePythonCallThatReadsAFile) {
  const std::pair<const char*, const char*> cases[] = {
      {"m.pdb", "from_pdb"},      {"m.ENT", "from_pdb"},     {"m.cif", "from_mmcif"},
      {"m.mmcif", "from_mmcif"},  {"m.3dmap", "from_3dmap"}, {"m.pdb.gz", "from_pdb"},
      {"m.cif.GZ", "from_mmcif"}, {"m.3DMAP", "from_3dmap"}};
  for (const auto& [file, reader] : cases) {
    put(file, "");
    const std::vector<std::string> before = names();
    expect_failure(3,
                   {fmt::format("{}: is read by the Python package: sightline.{}(\"{}\")"
                                ".scene.save(\"x.st\")",
                                file, reader, file)},
                   {"import", file, "-o", "x.st"});
    expect_failure(3, {".scene.save(\"scene.safetensors\")"}, {"import", file});
    EXPECT_EQ(names(), before);
  }
  put("m.gz", "");
  expect_failure(3, {"m.gz: is of no known format"}, {"import", "m.gz", "-o", "x.st"});
}

}  // namespace
}  // namespace sightline::cli
