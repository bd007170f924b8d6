// export and import of tables, and names of outputs that promise another format.
#include "tests/host/program/program.hpp"

#include "host/files/core/npy.hpp"
#include "host/files/core/text_table.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class ExportTest : public ProgramTest {
 protected:
  ExportTest() {
    put("level.csv",
        "# unit: m\nkind,x,y,z,size_x,size_y,size_z,radius,name\n"
        "aabb,0,0,1,2,2,2,,crate\naabb,10,0,1,2,2,2,,\"wall, \"\"north\"\"\"\n"
        "sphere,5,0,1,,,,0.5,ball\n");
    put("eyes.csv", "x,y,z\n-5,0,1\n5,4,1\n12,0,1\n");
    put_npy("o.npy", {-5, 0, 1, 5, 4, 1, 0, 50, 1}, {3, 3});
    put_npy("d.npy", {1, 0, 0, 0, -1, 0, 0, 1, 0}, {3, 3});
  }
  void cast(const std::string& output, const Arguments& more = {}) {
    json_of({"cast", "level.csv", "--origins", "o.npy", "--directions", "d.npy", "-o", output},
            more);
  }
  std::string exported(const std::string& result, const Arguments& more = {},
                       const std::string& to = "t.csv") {
    json_of({"export", result, "-o", to}, more);
    return get(to);
  }
};

TEST_F(ExportTest, CellsAreRows) {
  cast("h.st", {"--normals"});
  EXPECT_EQ(exported("h.st"),
            "ray,t,id,flags,normal_x,normal_y,normal_z\n"
            "0,4,0,1,-1,0,0\n1,3.5,2,1,0,1,0\n2,inf,,0,0,0,0\n");
  EXPECT_EQ(exported("h.st", {"--columns", "id,t"}), "ray,t,id\n0,4,0\n1,3.5,2\n2,inf,\n");
  const json rows = json::parse(exported("h.st", {"--columns", "t,id"}, "t.json"));
  EXPECT_EQ(rows, json::parse(R"([{"ray":0,"t":4,"id":0},{"ray":1,"t":3.5,"id":2},
                                  {"ray":2,"t":null,"id":null}])"));
  exported("h.st", {"--columns", "normal"}, "n.npy");
  EXPECT_EQ(io::NpyReader(path("n.npy")).shape(), (io::Shape{3, 3}));
}

TEST_F(ExportTest, NamesInsteadOfIds) {
  cast("h.st");
  EXPECT_EQ(exported("h.st", {"--scene", "level.csv", "--columns", "id"}),
            "ray,name\n0,crate\n1,ball\n2,\n");
  json_of({"import", "level.csv", "-o", "level.st"});
  EXPECT_EQ(exported("h.st", {"--scene", "level.st", "--columns", "id"}),
            "ray,name\n0,crate\n1,ball\n2,\n");
  // As others may write them: without the last line's end.
  io::Metadata metadata;
  const Scene level = io::read_scene(path("level.st"), &metadata);
  metadata["names"].pop_back();
  io::write_scene(path("cut.st"), level, metadata);
  EXPECT_EQ(exported("h.st", {"--scene", "cut.st", "--columns", "id"}),
            "ray,name\n0,crate\n1,ball\n2,\n");
  EXPECT_NE(run({"info", "cut.st"}).out.find("names: 3\n"), std::string::npos);
  json_of({"distance", "level.csv", "--points", "eyes.csv", "--k", "2", "-o", "d.st"});
  const std::string near = exported("d.st", {"--scene", "level.csv", "--columns", "id,distance"});
  EXPECT_EQ(near.substr(0, near.find('\n')), "point,distance_0,distance_1,name_0,name_1");
  EXPECT_NE(near.find("\n2,1,6.5,\"wall, \"\"north\"\"\",ball\n"), std::string::npos) << near;
  put("labels.json", R"({"sphere": [{"center": [0,0,1], "radius": 1, "label": 77}]})");
  json_of({"cast", "labels.json", "--origins", "o.npy", "--directions", "d.npy", "-o", "l.st"});
  EXPECT_EQ(exported("l.st", {"--scene", "labels.json", "--columns", "id"}),
            "ray,label\n0,77\n1,\n2,\n");
  expect_failure(3, {"l.st", "was computed from a scene of hash"},
                 {"export", "l.st", "-o", "x.csv", "--scene", "level.csv"});
}

TEST_F(ExportTest, IdsStayWhereShapesHaveNoNames) {
  put("plain.json", R"({"sphere": [{"center": [0,0,1], "radius": 1}]})");
  json_of({"cast", "plain.json", "--origins", "o.npy", "--directions", "d.npy", "-o", "p.st"});
  const Outcome done =
      run({"export", "p.st", "-o", "p.csv", "--scene", "plain.json", "--columns", "id"});
  EXPECT_TRUE(done.said("neither names nor labels")) << done.err;
  EXPECT_EQ(get("p.csv"), "ray,id\n0,0\n1,\n2,\n");
}

TEST_F(ExportTest, ThreeNumbersAreNoVector) {
  json_of({"distance", "level.csv", "--points", "eyes.csv", "--k", "3", "-o", "d.st"});
  const std::string near = exported("d.st", {"--columns", "distance,point"});
  EXPECT_EQ(near.substr(0, near.find('\n')),
            "point,distance_0,distance_1,distance_2,point_0_x,point_0_y,point_0_z,point_1_x,"
            "point_1_y,point_1_z,point_2_x,point_2_y,point_2_z");
}

TEST_F(ExportTest, ColumnsAreChosenByTheNamesThatAreWritten) {
  cast("a.st", {"--query", "all"});
  EXPECT_EQ(exported("a.st", {"--scene", "level.csv", "--columns", "t,name"}),
            "ray,name,t\n0,crate,4\n0,ball,9.5\n0,\"wall, \"\"north\"\"\",14\n1,ball,3.5\n");
  expect_failure(2, {"a.st: has no column 'count' in a table of hits; there are id, t"},
                 {"export", "a.st", "--columns", "id,count", "-o", "x.csv"});
  expect_failure(2, {"--columns names 'count' twice"},
                 {"export", "a.st", "--columns", "count,count", "-o", "x.csv"});
}

TEST_F(ExportTest, BlanksOfNamesAreKept) {
  put("s.json", R"({"sphere": [{"center": [0, 0, 1], "radius": 1, "name": " ball "}]})");
  json_of({"cast", "s.json", "--origins", "o.npy", "--directions", "d.npy", "-o", "h.st"});
  EXPECT_EQ(exported("h.st", {"--scene", "s.json", "--columns", "id"}, "t.CSV"),
            "ray,name\n0,\" ball \"\n1,\n2,\n");
}

TEST_F(ExportTest, PlacesAndNamesOfPoints) {
  put("eyes.csv", "x,y,z,name\n-5,0,1,gate\n5,4,1,\"tower, east\"\n12,0.5,1,\n");
  put("goals.json", R"([[5, 3, 1]])");
  // The wall hides what is behind it from the others: x 9 to 11, y -1 to 1.
  json_of({"visibility", "level.csv", "--from", "eyes.csv", "-o", "v.st"});
  EXPECT_EQ(exported("v.st", {"--from", "eyes.csv"}),
            "from,from_x,from_y,from_z,from_name,to,to_x,to_y,to_z,to_name\n"
            "0,-5,0,1,gate,0,-5,0,1,gate\n"
            "0,-5,0,1,gate,1,5,4,1,\"tower, east\"\n1,5,4,1,\"tower, east\",0,-5,0,1,gate\n"
            "1,5,4,1,\"tower, east\",1,5,4,1,\"tower, east\"\n2,12,0.5,1,,2,12,0.5,1,\n");
  json_of({"visibility", "level.csv", "--from", "eyes.csv", "--to", "goals.json", "-o", "w.st"});
  EXPECT_EQ(json::parse(exported("w.st", {"--to", "goals.json"}, "w.json"))[0],
            json::parse(R"({"from":0,"to":0,"to_x":5,"to_y":3,"to_z":1})"));
  json_of({"exposure", "level.csv", "--from", "eyes.csv", "--to", "goals.json", "-o", "x.st"});
  EXPECT_EQ(exported("x.st", {"--points", "goals.json"}),
            "target,x,y,z,count,share\n0,5,3,1,2,0.6666667\n");
  json_of({"distance", "level.csv", "--points", "eyes.csv", "-o", "d.st"});
  EXPECT_EQ(exported("d.st", {"--points", "eyes.csv", "--columns", "distance"}),
            "point,x,y,z,point_name,distance\n0,-5,0,1,gate,4\n1,5,4,1,\"tower, east\",3.5\n"
            "2,12,0.5,1,,1\n");
  cast("h.st");
  expect_failure(2, {"h.st", "rows are not about points", "--points"},
                 {"export", "h.st", "--points", "eyes.csv", "-o", "n.csv"});
  expect_failure(2, {"v.st: its rows are pairs: name their points with --from and --to"},
                 {"export", "v.st", "--points", "eyes.csv", "-o", "n.csv"});
  expect_failure(3, {"w.st: was computed from points of hash"},
                 {"export", "w.st", "--from", "goals.json", "-o", "n.csv"});
  expect_failure(2, {"places do not fit into .npy"},
                 {"export", "v.st", "--from", "eyes.csv", "-o", "n.npy"});
}

TEST_F(ExportTest, NumbersThatJavaScriptHoldsExactly) {
  const auto text = [&](bool as_json) {
    io::TextTable table(path("t"), as_json, {"n"});
    for (const std::uint64_t n : {std::uint64_t{1} << 53, (std::uint64_t{1} << 53) + 1}) {
      table.put(n);
      table.end_row();
    }
    table.commit();
    return get("t");
  };
  EXPECT_EQ(text(true), "[\n{\"n\":9007199254740992},\n{\"n\":\"9007199254740993\"}\n]\n");
  EXPECT_EQ(text(false), "n\n9007199254740992\n9007199254740993\n");
}

TEST_F(ExportTest, PairsInsteadOfBits) {
  json_of({"visibility", "level.csv", "--from", "eyes.csv", "-o", "v.st"});
  const std::string text = exported("v.st");
  exported("v.st", {}, "v.npy");
  const io::NpyReader pairs(path("v.npy"), io::Numbers::kept);
  std::vector<std::uint64_t> values(2 * pairs.shape()[0]);
  pairs.read(0, values.size(), values.data());
  std::string expected = "from,to\n";
  for (std::size_t i = 0; i < values.size(); i += 2) {
    expected += fmt::format("{},{}\n", values[i], values[i + 1]);
  }
  EXPECT_EQ(text, expected);
  // A set against itself: the crate and the wall hide 2, 0 and 1 see each other.
  EXPECT_EQ(text, "from,to\n0,0\n0,1\n1,0\n1,1\n2,2\n");
  cast("b.st", {"--query", "any"});
  EXPECT_EQ(exported("b.st"), "ray,blocked\n0,1\n1,1\n2,0\n");
  exported("b.st", {}, "b.npy");
  EXPECT_EQ(io::NpyReader(path("b.npy")).dtype(), io::Dtype::boolean);
}

TEST_F(ExportTest, PairsOfManyWordsAndTiles) {
  make_city(200, 10);
  make_points(150);
  json_of({"visibility", "city.st", "--from", "points.npy", "-o", "v.st"});
  const auto bits = column<std::uint64_t>("v.st", "bits");
  std::string expected = "from,to\n";
  for (std::uint64_t i = 0; i < 150; ++i) {
    for (std::uint64_t j = 0; j < 150; ++j) {
      if ((bits[i * 3 + j / 64] >> (j % 64) & 1) != 0) expected += fmt::format("{},{}\n", i, j);
    }
  }
  EXPECT_EQ(exported("v.st"), expected);
}

TEST_F(ExportTest, ItemsAreRows) {
  cast("a.st", {"--query", "all"});
  EXPECT_EQ(exported("a.st", {"--scene", "level.csv"}),
            "ray,name,t\n0,crate,4\n0,ball,9.5\n0,\"wall, \"\"north\"\"\",14\n1,ball,3.5\n");
  EXPECT_EQ(exported("a.st", {"--columns", "count"}), "ray,count\n0,3\n1,1\n2,0\n");
  json_of({"overlap", "level.csv", "--with", "level.csv", "--query", "all", "-o", "o.st"});
  EXPECT_EQ(exported("o.st"), "shape,id\n0,0\n1,1\n2,2\n");
}

TEST_F(ExportTest, RefusesBeforeAnyWork) {
  cast("h.st");
  json_of({"visibility", "level.csv", "--from", "eyes.csv", "-o", "v.st"});
  expect_failure(2, {"t.txt", "tables end in .csv, .json or .npy"},
                 {"export", "h.st", "-o", "t.txt"});
  expect_failure(2, {"t.npy", "one column", "t, id, flags"}, {"export", "h.st", "-o", "t.npy"});
  expect_failure(2, {"h.st", "no column 'tt'", "there are t, id, flags"},
                 {"export", "h.st", "-o", "t.csv", "--columns", "tt"});
  expect_failure(2, {"no column 't' in a table of pairs"},
                 {"export", "v.st", "-o", "t.csv", "--columns", "t"});
  expect_failure(2, {"v.st: holds pairs"}, {"export", "v.st", "-o", "t.npy", "--columns", "bits"});
  cast("b.st", {"--query", "any"});
  expect_failure(2, {"one column"},
                 {"export", "b.st", "-o", "t.npy", "--columns", "blocked,nonsense"});
  expect_failure(2, {"v.st: no column of ids is written"},
                 {"export", "v.st", "-o", "t.csv", "--scene", "level.csv"});
  expect_failure(2, {"named twice"}, {"export", "h.st", "-o", "x.csv", "--scene", "x.csv"});
}

TEST_F(ExportTest, OutputsAreWhatTheirNamesSay) {
  for (const char* name : {"seen.npy", "seen.csv", "seen.json", "seen.png"}) {
    expect_failure(2, {name, "a container would be written", "sightline export"},
                   {"visibility", "no_such_scene.st", "--from", "eyes.csv", "-o", name});
  }
  expect_failure(2, {"c.json"}, {"gen", "city", "--shapes", "10", "-o", "c.json"});
  expect_failure(2, {"r.npy"},
                 {"gen", "city", "--shapes", "10", "-o", "c.st", "--rays", "los", "--count", "5",
                  "--rays-out", "r.npy"});
  expect_failure(2, {"level.json"}, {"import", "level.csv", "-o", "level.json"});
  expect_failure(2, {"n.csv"}, {"nav", "no_such_scene.st", "-o", "n.csv"});
  expect_failure(2, {"s.npy"}, {"pvs", "no_such_result.st", "-o", "s.npy"});
}

TEST_F(ExportTest, ImportsTables) {
  io::NpyWriter out(path("s.npy"), io::Dtype::f64, {1, 6});
  const double box[] = {0, 0, 0, 1, 2, 3};
  out.write(0, 6, box);
  out.commit();
  json_of({"import", "s.npy", "--kind", "aabb", "--up", "Y", "--unit", "cm", "-o", "s.st"});
  const json told = json_of({"info", "s.st"});
  EXPECT_EQ(told["scene"]["aabb"], 1);
  EXPECT_EQ(told["scene"]["up"], "y");
  EXPECT_EQ(told["scene"]["unit"], "cm");
  EXPECT_EQ(told["bounds"]["max"]["z"], 3);
  const json text = json_of({"info", "level.csv"});
  EXPECT_EQ(text["file"]["kind"], "scene");
  EXPECT_EQ(text["scene"]["shapes"], 3);
  EXPECT_EQ(text["scene"]["unit"], "m");
  EXPECT_EQ(json_of({"info", "eyes.csv"})["counts"]["points"], 3);
  expect_failure(3, {"s.npy", "--kind KIND"}, {"import", "s.npy", "-o", "x.st"});
}

// Of two arrays, of a file with columns and of JSON: the same scene, which rays are asked about and
// distances are not.
TEST_F(ExportTest, ImportsTrianglesInEveryForm) {
  const double corners[] = {0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 1};
  const std::int64_t faces[] = {0, 1, 2, 0, 2, 3};
  const auto write = [&](const char* name, io::Dtype dtype, io::Shape shape, const void* from) {
    io::NpyWriter out(path(name), dtype, shape);
    out.write(0, io::element_count(shape).value(), from);
    out.commit();
  };
  write("v.npy", io::Dtype::f64, {4, 3}, corners);
  write("f.npy", io::Dtype::i64, {2, 3}, faces);
  const double rows[] = {0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 0, 0, 4, 4, 0, 0, 4, 1};
  write("t.npy", io::Dtype::f64, {2, 9}, rows);
  put("t.csv",
      "kind,a_x,a_y,a_z,b_x,b_y,b_z,c_x,c_y,c_z\ntriangle,0,0,0,4,0,0,4,4,0\n"
      "triangle,0,0,0,4,4,0,0,4,1\n");
  put("t.json",
      R"({"triangle": [{"a": [0, 0, 0], "b": [4, 0, 0], "c": [4, 4, 0]},
                       {"a": [0, 0, 0], "b": [4, 4, 0], "c": [0, 4, 1]}]})");
  json_of({"import", "v.npy", "--faces", "f.npy", "-o", "mesh.st"});
  json_of({"import", "t.npy", "--kind", "triangle", "-o", "rows.st"});
  const json told = json_of({"info", "mesh.st"});
  EXPECT_EQ(told["scene"]["triangle"], 2);
  EXPECT_EQ(told["bounds"]["max"]["z"], 1);
  for (const char* same : {"rows.st", "t.csv", "t.json"}) {
    EXPECT_EQ(json_of({"info", same})["scene"]["hash"], told["scene"]["hash"]) << same;
  }
  const double places[] = {1, 0.5, 5, 1, 3, 5};
  write("p.npy", io::Dtype::f64, {2, 3}, places);
  json_of({"visibility", "mesh.st", "--from", "p.npy", "--to", "v.npy", "-o", "seen.st"});
  // From above the fronts are seen.
  const std::string header = "origin_x,origin_y,origin_z,direction_x,direction_y,direction_z\n";
  put("down.csv", header + "1,0.5,5,0,0,-1\n");
  put("up.csv", header + "1,0.5,-5,0,0,1\n");
  const auto hits = [&](const char* rays, const char* side) {
    const json cast = json_of({"cast", "mesh.st", "--rays", rays, "--side", side, "--query",
                               "count", "-o", "hits.st", "--restart"});
    json_of({"verify", "hits.st", "--scene", "mesh.st", "--rays", rays});
    return cast["counts"]["hits"].get<int>();
  };
  EXPECT_EQ(hits("down.csv", "both"), 1);
  EXPECT_EQ(hits("down.csv", "front"), 1);
  EXPECT_EQ(hits("down.csv", "back"), 0);
  EXPECT_EQ(json_of({"info", "hits.st"})["query"]["side"], "back");
  EXPECT_EQ(hits("up.csv", "back"), 1);
  EXPECT_EQ(hits("up.csv", "front"), 0);
  const auto verified = [&](std::vector<std::string> arguments, std::vector<std::string> inputs) {
    json_of(arguments);
    std::vector<std::string> again = {"verify", "near.st", "--scene", "mesh.st"};
    again.insert(again.end(), inputs.begin(), inputs.end());
    json_of(again);
  };
  verified({"distance", "mesh.st", "--points", "p.npy", "-o", "near.st"}, {"--points", "p.npy"});
  verified(
      {"distance", "mesh.st", "--points", "p.npy", "--to", "p.npy", "-o", "near.st", "--restart"},
      {"--points", "p.npy", "--to", "p.npy"});
  verified(
      {"cast", "mesh.st", "--rays", "down.csv", "--radius", "0.5", "-o", "near.st", "--restart"},
      {"--rays", "down.csv"});
  expect_failure(2, {"--side: rays with radii take no side filter, and the scene has triangles"},
                 {"cast", "mesh.st", "--rays", "down.csv", "--radius", "0.5", "--side", "back",
                  "-o", "near.st", "--restart"});
  // Refused before anything is asked.
  const auto expect_none = [&](const char* queries, std::vector<std::string> arguments) {
    const std::string words = " take no triangles yet, and the scene has 2: remove them";
    expect_failure(3, {"mesh.st: " + (queries + words)}, arguments);
    arguments.push_back("--dry-run");
    expect_failure(3, {"mesh.st: " + (queries + words)}, arguments);
  };
  expect_none("navigation maps", {"nav", "mesh.st", "-o", "n.st"});
  expect_none("bakes of cover", {"cover", "mesh.st", "--points", "p.npy", "-o", "c.st"});
  // A mesh overlaps itself, face by face, as query shapes and as shapes.
  const json own =
      json_of({"overlap", "mesh.st", "--with", "mesh.st", "--query", "count", "-o", "o.st"});
  EXPECT_EQ(own["counts"]["pairs"], 4);
  json_of({"verify", "o.st", "--scene", "mesh.st", "--with", "mesh.st"});

  const std::int64_t beyond[] = {0, 1, 4}, below[] = {0, 1, -1};
  write("beyond.npy", io::Dtype::i64, {1, 3}, beyond);
  write("below.npy", io::Dtype::i64, {1, 3}, below);
  const auto expect_refused = [&](int code, const char* words, const char* file) {
    expect_failure(code, {words}, {"import", "v.npy", "--faces", file, "-o", "x.st"});
  };
  expect_refused(3, "beyond.npy: face 0 names vertex 4 of 4, which count from 0", "beyond.npy");
  expect_refused(3, "below.npy: face 0 names vertex -1: vertices count from 0", "below.npy");
  expect_refused(3, "v.npy: has no whole numbers: faces name vertices from 0", "v.npy");
  expect_refused(3, "t.npy: is F64 [2, 9], not", "t.npy");
  for (const char* file : {"t.csv", "t.json"}) {
    expect_failure(2, {"--faces is for vertices in an .npy, without --kind"},
                   {"import", file, "--faces", "f.npy", "-o", "x.st"});
  }
  expect_failure(2, {"--faces is for vertices in an .npy, without --kind"},
                 {"import", "t.npy", "--kind", "triangle", "--faces", "f.npy", "-o", "x.st"});
}

TEST_F(ExportTest, ImportRefusesWhatItCannotRead) {
  expect_failure(2, {"--kind is one of aabb, obb", "'box'"},
                 {"import", "o.npy", "--kind", "box", "-o", "x.st"});
  expect_failure(2, {"--kind, --faces, --unit and --up are for .csv"},
                 {"import", "level.tscn", "--kind", "aabb", "-o", "x.st"});
  expect_failure(2, {"--unit and --up: 'up' is 'x', not y or z"},
                 {"import", "level.csv", "--up", "x", "-o", "x.st"});
  expect_failure(2, {"'unit' is"},
                 {"import", "level.csv", "--unit", std::string(60, 'm'), "-o", "x.st"});
  expect_failure(2, {"level.csv", "no kind may be named"},
                 {"import", "level.csv", "--kind", "aabb", "-o", "x.st"});
  expect_failure(3, {"eyes.csv", "lacks a column 'kind'"}, {"import", "eyes.csv", "-o", "x.st"});
}

TEST_F(ExportTest, TellsOfRotationsThatItNormalised) {
  put("s.json", R"({"obb": [{"center": [0,0,0], "size": [1,1,1], "rotation": [0,0,3,4]}]})");
  const Outcome done = run({"import", "s.json", "-o", "s.st"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_TRUE(done.said("s.json: 1 rotation was normalised, the first that of obb 0")) << done.err;
}

}  // namespace
}  // namespace sightline::cli
