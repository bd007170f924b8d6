// Scenes as tables: CSV with a header.
#include "host/files/formats/scene_file.hpp"
#include "tests/host/files/io_test.hpp"

namespace sightline::io {
namespace {

using SceneCsvTest = IoTest;

TEST_F(SceneCsvTest, ReadsCsv) {
  const std::string text =
      "\xEF\xBB\xBF# unit: cm\r\n# up: y\n# by hand\n"
      "Kind,x,y,z,size_x,size_y,size_z,radius,qx,qy,qz,qw,a_x,a_y,a_z,b_x,b_y,b_z,name,mask\n"
      "aabb,0.2,1,5,0.2,4,10,,,,,,,,,,,,\"wall \"\"A\"\", north\",3\n\n"
      "# one more\n"
      "obb, 1,2,3, 2,2,2,,0,0,0,1,,,,,,,,\r\n"
      "sphere,1,2,3,,,,0.5,,,,,,,,,,,ball,\n"
      "capsule,,,,,,,0.25,,,,,0,0,0,0,0,1,,7\n";
  Metadata metadata;
  const Scene scene = parse_scene_csv("s.csv", text, std::nullopt, &metadata);
  const Scene same = parse_scene_json(
      "s.json", R"({"aabb": [{"min": [0.1,-1,0], "max": [0.3,3,10], "mask": 3, "label": 1}],
        "obb": [{"center": [1,2,3], "half_extents": [1,1,1]}],
        "sphere": [{"center": [1,2,3], "radius": 0.5, "label": 2}],
        "capsule": [{"a": [0,0,0], "b": [0,0,1], "radius": 0.25, "mask": 7}]})");
  EXPECT_EQ(scene_hash(scene), scene_hash(same));
  EXPECT_EQ(metadata,
            (Metadata{{"unit", "cm"}, {"up", "y"}, {"names", "wall \"A\", north\nball\n"}}));
  const std::string tabs = "x\ty\tz\tradius\n1\t2\t3\t0.5\n",
                    semicolons = "x;y;z;radius\n1;2;3;0.5";
  EXPECT_EQ(scene_hash(parse_scene_csv("s.csv", tabs, Kind::sphere)),
            scene_hash(parse_scene_csv("s.csv", semicolons, Kind::sphere)));
}

// Empty columns at the end, and comments that are as long as rows.
TEST_F(SceneCsvTest, ReadsCsvAsSpreadsheetsLeaveIt) {
  Metadata metadata;
  const Scene scene = parse_scene_csv(
      "s.csv", "# unit: cm,,,,,,\nkind,x,y,z,radius,,\nsphere,1,2,3,4,,\n# one, more\n#,,,,,,\n",
      std::nullopt, &metadata);
  EXPECT_EQ(scene.size(), 1u);
  EXPECT_EQ(metadata, (Metadata{{"unit", "cm"}}));
}

TEST_F(SceneCsvTest, RefusesBadCsv) {
  const struct {
    std::string text, word;
  } cases[] = {
      {"", "is empty; scenes in CSV have a header"},
      {"# only\n", "is empty"},
      {"1,2,3\n4,5,6\n", "looks like CSV without a header; scenes in CSV have a header such as"},
      {"x,y,z,radius\n1,2,3,4\n", "lacks a column 'kind'"},
      {"kind,x,y,radius\nsphere,1,2,4\n", "sphere 0 'center' is not a list of 3 numbers"},
      {"kind,x,z,radius\n", "line 1: the header has only some of the columns of 'center'"},
      {"kind,x,x,z\n", "line 1: the header has the column 'x' twice"},
      {"kind,x,y,z,radius\nball,1,2,3,4\n", "line 2: kind is 'ball', not one of aabb, obb, sphere"},
      {"kind,x,y,z,radius\nsphere,1,2,3\n", "line 2: has 4 cells, the header has 5"},
      {"kind,x,y,z,radius\nsphere,1,2,3,4\nsphere,1,2,3,four\n",
       "line 3: sphere 1 has 'four' in column 'radius', not a number"},
      {"kind,X,y,z,radius\nsphere,nan,2,3,1\n", "line 2: sphere 0 has 'nan' in column 'X'"},
      {"kind,x,y,z,radius\nsphere,1,,3,1\n", "line 2: sphere 0 has '' in column 'y'"},
      {"name,kind,x,y,z,radius\n#3 crate,sphere,0,0,0,1\n",
       "line 2: begins with '#' and has the cells of a row"},
      {"kind,x,y,z,radius,,\nsphere,1,2,3,4,5,\n",
       "line 2: has '5' in column 6, which has no name"},
      {"kind,x,y,z,radius\nsphere,1,2,3,1e400\n", "has '1e400' in column 'radius'"},
      {"kind,x,y,z,radius\nsphere,1,2,3,4\nsphere,1,2,3,-4\n",
       "line 3: sphere 1 is refused: the radius is negative"},
      {"kind,x,y,z,radius,weight\nsphere,1,2,3,4,5\n",
       "line 2: sphere 0 has an unknown key 'weight'; valid are center, radius"},
      {"kind,x,y,z,radius,mask\nsphere,1,2,3,4,1.5\n", "'mask' is not a whole number"},
      {"kind,name\nsphere,\"a\n", "line 2: a quote does not end"},
      {"kind,name\nsphere,\"a\" b\n", "line 2: has text behind a quote"},
      {"# up: x\nkind,name\n", "'up' is 'x'"},
      {"kind" + std::string(300, ','), "more than 256 columns"},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(bad.text.substr(0, 200));
    expect_error(ErrorKind::bad_input, {"s.csv: ", bad.word},
                 [&] { parse_scene_csv("s.csv", bad.text); });
  }
}

}  // namespace
}  // namespace sightline::io
