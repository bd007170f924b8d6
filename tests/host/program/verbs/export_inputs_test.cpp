// Tables of scenes, points and maps, names in tables of results, and what dry runs say of sizes.
#include "tests/host/program/program.hpp"

#include "host/files/formats/points_file.hpp"

#include <filesystem>

namespace sightline::cli {
namespace {

using nlohmann::json;

class ExportInputsTest : public ProgramTest {
 protected:
  ExportInputsTest() {
    put("level.csv",
        "# up: y\nkind,x,y,z,size_x,size_y,size_z,radius,qx,qy,qz,qw,mask,group,name\n"
        "aabb,0,-0.5,0,20,1,20,,,,,,,,floor\n"
        "obb,-3,1,3,2,1,2,,0,0,0.6,0.8,3,,\"door, \"\"left\"\"\"\n"
        "sphere,5,1,5,,,,0.5,,,,,,7,lamp\n");
  }
  std::string exported(const std::string& file, const std::string& to, const Arguments& more = {}) {
    json_of({"export", file, "-o", to}, more);
    return get(to);
  }
  std::uint64_t size_of(const std::string& file) { return std::filesystem::file_size(path(file)); }
};

TEST_F(ExportInputsTest, ScenesAsTablesThatImportReads) {
  EXPECT_EQ(exported("level.csv", "t.csv"),
            "# up: y\n"
            "id,kind,min_x,min_y,min_z,max_x,max_y,max_z,center_x,center_y,center_z,"
            "half_extents_x,half_extents_y,half_extents_z,rotation_x,rotation_y,rotation_z,"
            "rotation_w,radius,mask,group,name\n"
            "0,aabb,-10,-1,-10,10,0,10,,,,,,,,,,,,4294967295,,floor\n"
            "1,obb,,,,,,,-3,1,3,1,0.5,1,0,0,0.6,0.8,,3,,\"door, \"\"left\"\"\"\n"
            "2,sphere,,,,,,,5,1,5,,,,,,,,0.5,4294967295,7,lamp\n");
  json_of({"import", "t.csv", "-o", "back.st"});
  EXPECT_EQ(exported("back.st", "again.csv"), get("t.csv"));
  EXPECT_EQ(json::parse(exported("level.csv", "t.json", {"--columns", "name,kind"}))[2],
            json::parse(R"({"id":2,"kind":"sphere","name":"lamp"})"));
  make_city(200, 10);
  exported("city.st", "city.csv");
  json_of({"import", "city.csv", "-o", "copy.st"});
  EXPECT_EQ(json_of({"info", "copy.st"})["scene"]["hash"],
            json_of({"info", "city.st"})["scene"]["hash"]);
}

// Readers number names as they come, here the lamp first: the table keeps the labels.
TEST_F(ExportInputsTest, LabelsOfScenesAreKept) {
  put("s.csv",
      "kind,x,y,z,radius,size_x,size_y,size_z,name\n"
      "sphere,0,0,0,1,,,,lamp\naabb,5,5,5,,1,1,1,box\n");
  EXPECT_EQ(exported("s.csv", "t.csv", {"--columns", "label,name"}),
            "id,label,name\n0,2,box\n1,1,lamp\n");
  exported("s.csv", "t.csv");
  json_of({"import", "t.csv", "-o", "back.st"});
  const json back = json_of({"info", "back.st"});
  EXPECT_EQ(back["scene"]["hash"], json_of({"info", "s.csv"})["scene"]["hash"]);
  EXPECT_EQ(back["metadata"]["names"], "lamp\nbox\n");
  put("l.csv", "kind,x,y,z,radius,label,name\nsphere,0,0,0,1,3,ball\nsphere,1,0,0,1,90000000,\n");
  EXPECT_EQ(exported("l.csv", "t.csv", {"--columns", "label,name"}),
            "id,label,name\n0,3,ball\n1,90000000,\n");
  put("l.csv", "kind,x,y,z,radius,label,name\nsphere,0,0,0,1,3,a\nsphere,1,0,0,1,3,b\n");
  expect_failure(3, {"l.csv: line 3", "calls label 3 'b', and another before 'a'"},
                 {"import", "l.csv", "-o", "x.st"});
  put("l.csv", "kind,x,y,z,radius,label,name\nsphere,0,0,0,1,3,a\nsphere,1,0,0,1,,b\n");
  expect_failure(3, {"l.csv: line 3", "has a name without a label"},
                 {"import", "l.csv", "-o", "x.st"});
  put("l.csv", "kind,x,y,z,radius,label,name\nsphere,0,0,0,1,1048577,a\n");
  expect_failure(3, {"labels from 1 to 1048576 can have names"}, {"import", "l.csv", "-o", "x.st"});
}

TEST_F(ExportInputsTest, IdsOfTablesAreThoseOfTheScene) {
  put("s.csv", "id,kind,x,y,z,radius\n0,sphere,0,0,0,1\n2,sphere,5,0,0,1\n");
  expect_failure(3, {"s.csv: line 3", "has 'id' '2'", "'label'"},
                 {"import", "s.csv", "-o", "x.st"});
  put("s.csv",
      "id,kind,x,y,z,size_x,size_y,size_z,radius\n0,sphere,0,0,0,,,,1\n1,aabb,5,0,0,1,1,1,\n");
  expect_failure(3, {"s.csv: line 3", "has 'id' '1'"}, {"import", "s.csv", "-o", "x.st"});
  put("s.json", R"({"sphere": [{"id": "lamp", "center": [0, 0, 0], "radius": 1}]})");
  expect_failure(3, {"has 'id' 'lamp'", "a word of your own is a 'name'"},
                 {"import", "s.json", "-o", "x.st"});
}

TEST_F(ExportInputsTest, PointsWithNamesAndEyes) {
  put("p.csv", "# eyes: 0.75\nname,x,y,z,area\ngate,0,1,2,4\n,5,6,7.5,0\n");
  EXPECT_EQ(exported("p.csv", "t.csv"),
            "# eyes: 0.75\npoint,x,y,z,area,name\n0,0,1,2,4,gate\n1,5,6,7.5,0,\n");
  EXPECT_EQ(exported("t.csv", "again.csv"), get("t.csv"));
  EXPECT_EQ(json::parse(exported("t.csv", "t.json", {"--columns", "name"})),
            json::parse(R"([{"point":0,"name":"gate"},{"point":1,"name":null}])"));
  put("p.csv", "point,x,y,z\n0,1,1,1\n7,2,2,2\n");
  expect_failure(3, {"p.csv: line 3", "has point 7, but is point 1"},
                 {"export", "p.csv", "-o", "x.csv"});
  put("p.csv", "x,y,z\n");
  EXPECT_EQ(exported("p.csv", "t.csv"), "point,x,y,z\n");
  put("p.csv", "x,y,z,label\n1,2,3,8\n");
  EXPECT_EQ(exported("p.csv", "t.csv"), "point,x,y,z,label\n0,1,2,3,8\n");
  put("p.json", R"({"eyes": 1.5, "points": [[1, 2, 3]]})");
  EXPECT_EQ(exported("p.json", "t.csv"), "# eyes: 1.5\npoint,x,y,z\n0,1,2,3\n");
  EXPECT_TRUE(run({"export", "p.json", "-o", "t.json"}).said("has no place for 'eyes: 1.5'"));
  io::Points points;
  points.position = {{1, 2, 3}};
  points.metadata["unit"] = "a\nb";
  io::write_points(path("p.st"), points);
  expect_failure(3, {"p.st: 'unit' is"}, {"export", "p.st", "-o", "x.csv"});
  points.metadata = {{"eyes", "1\n2"}};
  io::write_points(path("p.st"), points);
  expect_failure(3, {"p.st: bad metadata: 'eyes' is"}, {"export", "p.st", "-o", "x.csv"});
  put_npy("p.npy", {1, 2, 3}, {1, 3});
  EXPECT_EQ(exported("p.npy", "t.csv"), "point,x,y,z\n0,1,2,3\n");
}

// A floor of 2 x 1 units that one can stand on everywhere, in columns of 1.
TEST_F(ExportInputsTest, FloorsOfMaps) {
  put("s.json", R"({"aabb": [{"min": [0, 0, -1], "max": [2, 1, 0.5], "name": "slab"}]})");
  json_of({"nav", "s.json", "-o", "n.nav", "--cell", "1", "--radius", "0", "--range", "1"});
  const std::string table =
      exported("n.nav", "t.csv", {"--columns", "x,y,z,walkable,headroom,shape"});
  EXPECT_EQ(table,
            "floor,x,y,z,walkable,headroom,shape\n0,0.5,0.5,0.5,1,inf,0\n"
            "1,1.5,0.5,0.5,1,inf,0\n");
  EXPECT_EQ(json::parse(exported("n.nav", "t.json", {"--scene", "s.json"}))[1]["name"], "slab");
  expect_failure(3, {"n.nav: was computed from a scene of hash"},
                 {"export", "n.nav", "--scene", "level.csv", "-o", "x.csv"});
}

TEST_F(ExportInputsTest, NamesOfQueryShapes) {
  put("bots.csv", "kind,x,y,z,radius,name\nsphere,5,1,5,0.1,red\nsphere,50,1,5,0.1,blue\n");
  json_of({"overlap", "level.csv", "--with", "bots.csv", "--query", "all", "-o", "o.st"});
  EXPECT_EQ(exported("o.st", "t.csv", {"--with", "bots.csv", "--scene", "level.csv"}),
            "shape,shape_name,name\n0,red,lamp\n");
  put_npy("d.npy", {0, 0, 1, 0, 0, 1}, {2, 3});
  json_of({"sweep", "level.csv", "--capsules", "bots.csv", "--directions", "d.npy", "-o", "w.st"});
  EXPECT_EQ(exported("w.st", "t.csv", {"--capsules", "bots.csv", "--columns", "flags"}),
            "shape,shape_name,flags\n0,red,3\n1,blue,0\n");
  json_of({"overlap", "level.csv", "--with", "bots.csv", "--body", "2", "-o", "b.st"});
  expect_failure(2, {"b.st: its rows are bodies"},
                 {"export", "b.st", "--with", "bots.csv", "-o", "x.csv"});
  expect_failure(3, {"o.st: was computed from shapes of hash"},
                 {"export", "o.st", "--with", "level.csv", "-o", "x.csv"});
}

TEST_F(ExportInputsTest, NamesOfAreas) {
  put("rooms.json", R"({"areas": [
    {"name": "hall", "min": [-9, 0.5, -9], "max": [-5, 3, -5]},
    {"id": 7, "corners": [[4, 1, -4], [8, 1, -4], [8, 1, -8]], "height": 2}]})");
  json_of(
      {"areas", "level.csv", "--areas", "rooms.json", "--samples", "4", "--classes", "-o", "a.st"});
  EXPECT_EQ(exported("a.st", "t.csv", {"--areas", "rooms.json"}),
            "from,from_name,to,to_name,class\n0,hall,0,hall,2\n0,hall,1,7,2\n1,7,0,hall,2\n"
            "1,7,1,7,2\n");
  json_of({"pvs", "a.st", "-o", "s.st"});
  EXPECT_EQ(exported("s.st", "t.csv", {"--areas", "rooms.json"}).substr(0, 40),
            "from,from_name,to,to_name\n0,hall,0,hall\n");
  put("other.json", R"({"areas": [{"min": [-9, 0.5, -9], "max": [-5, 3, -4]}]})");
  expect_failure(3, {"a.st: was computed from areas of hash"},
                 {"export", "a.st", "--areas", "other.json", "-o", "x.csv"});
  expect_failure(2, {"a.st: holds area visibility, whose rows are not about query shapes"},
                 {"export", "a.st", "--with", "level.csv", "-o", "x.csv"});
}

TEST_F(ExportInputsTest, RefusesWhatIsNoTable) {
  put("rooms.json", R"({"areas": []})");
  expect_failure(2, {"rooms.json: holds areas; tables are made of"},
                 {"export", "rooms.json", "-o", "x.csv"});
  expect_failure(2, {"x.npy: an .npy holds one column of a result"},
                 {"export", "level.csv", "-o", "x.npy"});
  expect_failure(2, {"level.csv: has no column 'x' in a table of scene; there are kind, min_x"},
                 {"export", "level.csv", "--columns", "x", "-o", "x.csv"});
  expect_failure(2, {"level.csv: is no result: leave out"},
                 {"export", "level.csv", "--points", "level.csv", "-o", "x.csv"});
}

TEST_F(ExportInputsTest, DryRunsTellTheBytesThatAreWritten) {
  put("p.csv", "x,y,z,name\n-5,1,1,gate\n5,3,1,tower\n");
  put_npy("o.npy", {-5, 1, 1, 5, 4, 1}, {2, 3});
  put_npy("d.npy", {1, 0, 0, 0, -1, 0}, {2, 3});
  const auto expect_told = [&](const Arguments& command, const char* key, const std::string& file) {
    const json told = json_of(command, {"--dry-run"});
    EXPECT_FALSE(std::filesystem::exists(path(file))) << file;
    json_of(command);
    EXPECT_EQ(told["bytes"][key], size_of(file)) << file;
  };
  expect_told({"import", "level.csv", "-o", "i.st"}, "scene", "i.st");
  expect_told({"visibility", "level.csv", "--from", "p.csv", "-o", "v.st"}, "result", "v.st");
  expect_told({"cast", "level.csv", "--origins", "o.npy", "--directions", "d.npy", "-o", "h.st"},
              "result", "h.st");
  expect_told({"probes", "level.csv", "--points", "p.csv", "-o", "b.st"}, "result", "b.st");
  expect_told({"gen", "mixed", "--shapes", "9", "-o", "g.st", "--rays", "los", "--count", "7",
               "--rays-out", "r.st"},
              "rays", "r.st");
  for (const char* kind : {"mixed", "adversarial"}) {
    const Arguments gen = {"gen", kind, "--shapes", "99", "-o", "most.st"};
    const json told = json_of(gen, {"--dry-run"});
    json_of(gen);
    EXPECT_GE(told["bytes"]["scene_at_most"], size_of("most.st")) << kind;
  }
  put("rooms.json", R"({"areas": [{"min": [-9, 1, -9], "max": [-5, 3, -5]}]})");
  json_of({"areas", "level.csv", "--areas", "rooms.json", "-o", "a.st"});
  expect_told({"pvs", "a.st", "-o", "s.st"}, "result", "s.st");
}

}  // namespace
}  // namespace sightline::cli
