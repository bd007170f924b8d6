#include "host/files/formats/points_file.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/file_kind.hpp"
#include "tests/host/files/io_test.hpp"

namespace sightline::io {
namespace {

using PointsFileTest = IoTest;

Points plain() {
  Points points;
  points.position = {{1, 2, 3}, {4, 5, 6}};
  return points;
}

Points full() {
  Points points = plain();
  points.mask = {1, 2};
  points.exclude = {3, none};
  points.exclude_group = {5, 6};
  points.fields = {{{0, 0, 1}, {1, 0, 0}}, {1, -1}, {0, 1}, {7, infinity}};
  points.metadata = {{"unit", "m"}};
  return points;
}

TEST_F(PointsFileTest, ReadsBackTheContainer) {
  write_points(path("p"), full());
  const Points in = read_points(path("p"));
  EXPECT_EQ(in.position, full().position);
  EXPECT_EQ(in.mask, full().mask);
  EXPECT_EQ(in.exclude, full().exclude);
  EXPECT_EQ(in.exclude_group, full().exclude_group);
  EXPECT_EQ(in.metadata.at("unit"), "m");
  EXPECT_EQ(points_hash(in), points_hash(full()));
  const PointsView view = in.view();
  EXPECT_EQ(view.size(), 2u);
  EXPECT_EQ(view.position[1].y, 5);
  EXPECT_EQ(view.mask[1], 2u);
  EXPECT_EQ(view.exclude[0], 3u);
  EXPECT_EQ(view.exclude_group[1], 6u);
  const Field field = in.fields.view(FieldShape::cone)[1];
  EXPECT_EQ(field.direction.x, 1);
  EXPECT_EQ(field.cosine, -1);
  EXPECT_EQ(field.sine, 1);
  EXPECT_EQ(field.range, infinity);
  EXPECT_EQ(in.fields.range[0], 7);
}

TEST_F(PointsFileTest, FieldsOfViewHaveAHashOfTheirOwn) {
  Points points = full();
  const std::string before = points_hash(points), of_fields = fields_hash(points.fields, 2);
  points.fields.range = {7, 8};
  EXPECT_EQ(points_hash(points), before);
  EXPECT_NE(fields_hash(points.fields, 2), of_fields);
  points.fields = {};
  EXPECT_EQ(points_hash(points), before);
  // Columns that are left out and those that say the same.
  const Fields all_around = {{{1, 0, 0}, {1, 0, 0}}, {-1, -1}, {0, 0}, {infinity, infinity}};
  EXPECT_EQ(fields_hash({}, 2), fields_hash(all_around, 2));
  EXPECT_NE(fields_hash({}, 2), fields_hash({}, 3));
  // A range may come alone.
  points.fields.range = {7, 8};
  write_points(path("p"), points);
  EXPECT_EQ(read_points(path("p")).fields.range, points.fields.range);
  EXPECT_TRUE(read_points(path("p")).fields.direction.empty());
}

TEST(HalfAngles, RightOnesAreExact) {
  const auto is = [](float degrees, float cosine, float sine) {
    const HalfAngle half = half_angle(degrees);
    EXPECT_EQ(half.cosine, cosine) << degrees;
    EXPECT_EQ(half.sine, sine) << degrees;
  };
  is(0, 1, 0);
  is(90, 0, 1);
  is(180, -1, 0);
  is(45, half_angle(45).sine, half_angle(45).cosine);
  is(135, -half_angle(45).sine, half_angle(45).sine);
  is(60, 0.5f, 0.8660254f);
}

TEST_F(PointsFileTest, BothFormsHaveTheSameHash) {
  write_points(path("p.npy"), plain());
  write_points(path("q.NPY"), plain());
  write_points(path("p"), plain());
  EXPECT_EQ(format_of(path("q.NPY")), FileFormat::npy);
  EXPECT_EQ(format_of(path("p.npy")), FileFormat::npy);
  EXPECT_EQ(format_of(path("p")), FileFormat::container);
  EXPECT_EQ(read_points(path("p.npy")).position, plain().position);
  EXPECT_EQ(points_hash(read_points(path("p.npy"))), points_hash(read_points(path("p"))));
  EXPECT_NE(points_hash(plain()), points_hash(full()));
  const PointsView view = plain().view();
  EXPECT_EQ(view.mask[1], 0xFFFFFFFFu);
  EXPECT_EQ(view.exclude[1], none);
}

TEST_F(PointsFileTest, NoPointsAreLegal) {
  for (const char* name : {"p", "p.npy"}) {
    write_points(path(name), Points{});
    EXPECT_EQ(read_points(path(name)).view().size(), 0u) << name;
  }
}

TEST_F(PointsFileTest, ReadsCsvAndBinary64) {
  const double numbers[] = {0.1, 2, 3, 4, 5, 6};
  NpyWriter out(path("f8.npy"), Dtype::f64, {2, 3});
  out.write(0, 6, numbers);
  out.commit();
  const Points array = read_points(path("f8.npy"));
  EXPECT_EQ(array.position[0].x, 0.1f);
  const Points text = read_points(put("p.csv", "z,x,y\n3,0.1,2\n6,4,5\n"));
  EXPECT_EQ(points_hash(text), points_hash(array));
  const Points more = read_points(put("p.csv", "x,y,z,mask,area\n1,2,3,4,5\n"));
  EXPECT_EQ(more.mask, (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(more.area, (std::vector<std::uint32_t>{5}));
  const struct {
    std::string text, word;
  } cases[] = {
      {"1,2,3\n4,5,6\n",
       "looks like CSV without a header; points are .npy [n,3], CSV with a header x,y,z or JSON"},
      {"a,b,c\n1,2,3\n", "has no columns x, y and z, but 'a', 'b', 'c'; points are .npy"},
      {"x,y,z,speed\n1,2,3,4\n", "line 2: point 0 has an unknown key 'speed'; valid are center"},
      {"x,y,z,mask\n1,2,3,4\n1,2,3,\n", "line 3: point 1 lacks 'mask'"},
      {"x,y,z\n1,2,\n", "line 2: point 0 has '' in column 'z', not a number"},
      {"[[1, 2]]", "points 0 'center' is not a list of 3 numbers"},
      {"[[1, 2, 3], 4]", "points 1 is not an object"},
      {R"([{"y": 1}])", "points 0 lacks its position: 'x', 'y' and 'z', or 'position'; it has 'y'"},
      {R"([[1, 2, 3], {"position": [1, 2, 3], "mask": 4}])",
       "points 1 has 'mask', which those before lack"},
      {R"({"sphere": []})", "unknown key 'sphere'; valid are points, unit, up"},
      {R"({"unit": "m"})", "is neither a list of points nor an object with \"points\""},
  };
  for (const auto& bad : cases) {
    const std::string file = put("bad.csv", bad.text);
    expect_error(ErrorKind::bad_input, {file + ": ", bad.word}, [&] { read_points(file); });
  }
}

TEST_F(PointsFileTest, ReadsJsonInEveryForm) {
  const Points expected = read_points(put("p.csv", "posX,posY,posZ\n0.1,2,3\n4,5,6\n"));
  for (const char* text :
       {"[[0.1, 2, 3], [4, 5, 6]]", R"([{"x": 0.1, "y": 2, "z": 3}, {"position": [4, 5, 6]}])",
        R"({"up": "y", "points": [{"center": [0.1, 2, 3]}, [4, 5, 6]]})"}) {
    SCOPED_TRACE(text);
    const Points points = read_points(put("p.json", text));
    EXPECT_EQ(points_hash(points), points_hash(expected));
    EXPECT_EQ(kind_of_file(path("p.json")), "points");
    EXPECT_TRUE(points.label.empty());
  }
  EXPECT_EQ(read_points(path("p.json")).metadata, (Metadata{{"up", "y"}}));
  const Points masks = read_points(put("p.json", R"([{"x": 1, "y": 2, "z": 3, "mask": 4}])"));
  EXPECT_EQ(masks.mask, (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(read_points(put("p.json", "[]")).count(), 0u);
}

TEST_F(PointsFileTest, NamesAreLabelsAndNoPartOfTheHash) {
  const Points plain = read_points(put("p.csv", "x,y,z\n1,2,3\n4,5,6\n7,8,9\n1,1,1\n"));
  const Points named =
      read_points(put("p.csv", "name,x,y,z,id\ndoor,1,2,3,1\n,4,5,6,17\ndoor,7,8,9,\n,1,1,1,\n"));
  EXPECT_EQ(named.label, (std::vector<std::uint64_t>{1, 2, 1, 0}));
  EXPECT_EQ(named.metadata.at("names"), "door\n17\n");
  EXPECT_EQ(points_hash(named), points_hash(plain));
  const Points json = read_points(put("p.json", R"([{"x": 1, "y": 2, "z": 3, "name": "door"},
      {"x": 4, "y": 5, "z": 6, "id": 17}, {"x": 7, "y": 8, "z": 9, "id": "door"}, [1, 1, 1]])"));
  EXPECT_EQ(json.label, named.label);
  EXPECT_EQ(json.metadata.at("names"), named.metadata.at("names"));
  // They go through a container, and not through an array.
  write_points(path("p"), named);
  EXPECT_EQ(read_points(path("p")).label, named.label);
  EXPECT_EQ(read_points(path("p")).metadata.at("names"), "door\n17\n");
  expect_error(ErrorKind::usage, {"names"}, [&] { write_points(path("p.npy"), named); });
  expect_error(ErrorKind::bad_input, {"'name' holds control characters"}, [&] {
    read_points(put("p.json", R"([{"x": 1, "y": 2, "z": 3, "name": "a\nb"}])"));
  });
}

TEST_F(PointsFileTest, IdsAreAnyTextOrNumber) {
  const std::string ids = "-1\n17\nb-2\n-9007199254740992\n1.5\n1e+30\n";
  const Points csv = read_points(
      put("p.csv",
          "x,y,z,id\n1,1,1,-1\n1,1,1,17\n1,1,1,b-2\n1,1,1,-9007199254740992\n1,1,1,1.5\n"
          "1,1,1,1e+30\n1,1,1,\n"));
  EXPECT_EQ(csv.metadata.at("names"), ids);
  EXPECT_EQ(csv.label, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 0}));
  const Points json = read_points(put("p.json", R"([{"position": [1, 1, 1], "id": -1},
      {"position": [1, 1, 1], "id": 17}, {"position": [1, 1, 1], "id": "b-2"},
      {"position": [1, 1, 1], "id": -9007199254740992}, {"position": [1, 1, 1], "id": 1.5},
      {"position": [1, 1, 1], "id": "1e+30"}, {"position": [1, 1, 1], "id": null}])"));
  EXPECT_EQ(json.metadata.at("names"), ids);
  EXPECT_EQ(json.label, csv.label);
  const auto refused = [&](const std::string& id, const std::string& words) {
    expect_error(ErrorKind::bad_input, {"p.json: points 0 'id' " + words}, [&] {
      read_points(put("p.json", R"([{"position": [1, 1, 1], "id": )" + id + "}]"));
    });
  };
  refused("-9007199254740994", "is a number beyond 2^53, which has no exact digits: write it in");
  refused("1e300", "is a number beyond 2^53");
  refused("true", "is neither text nor a number");
  refused("[1]", "is neither text nor a number");
}

TEST_F(PointsFileTest, SaysThatIdsBesideNamesAreNotKept) {
  Notes notes;
  const Points both = read_points(
      put("p.csv", "x,y,z,name,id\n1,1,1,door,door\n1,1,1,,4\n1,1,1,door,5\n1,1,1,gate,6\n"),
      &notes);
  EXPECT_EQ(both.metadata.at("names"), "door\n4\ngate\n");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], path("p.csv") +
                          ": 2 points have a name and an id, the first point 2: names "
                          "are kept, ids are not; leave out 'name' to keep the ids");
  read_points(put("q.csv", "x,y,z,name,id\n1,1,1,door,\n1,1,1,,4\n"), &notes);
  EXPECT_EQ(notes.size(), 1u);
  read_points(put("r.json", R"([{"x": 1, "y": 2, "z": 3, "name": "a", "id": -1}])"), &notes);
  EXPECT_NE(notes.at(1).find(": 1 point has a name and an id, the first point 0"),
            std::string::npos);
}

TEST_F(PointsFileTest, NamesOfMoreThan32MiBAreRefusedWithTheLine) {
  std::string text = "x,y,z,name\n";
  for (char c = 'a'; c < 'a' + 17; ++c) text += "1,2,3," + std::string(2 << 20, c) + "\n";
  expect_error(ErrorKind::bad_input,
               {"p.csv: line 17: point 15 'name' is one too many: names of a file take at most 32 "
                "MiB; shorten them, or leave 'name' out"},
               [&] { read_points(put("p.csv", text)); });
}

TEST_F(PointsFileTest, RefusesWhatDoesNotFitTogether) {
  expect_error(ErrorKind::usage, {path("p.npy"), "do not fit"},
               [&] { write_points(path("p.npy"), full()); });
  Points uneven = plain();
  uneven.mask = {1};
  expect_error(ErrorKind::usage, {"point.mask"}, [&] { write_points(path("p"), uneven); });
  EXPECT_EQ(entries(), 0);
  NpyWriter(path("i8.npy"), Dtype::i64, {2, 4}).commit();
  expect_error(ErrorKind::bad_input, {path("i8.npy"), "I64 [2, 4], not F32 [n, 3]"},
               [&] { read_points(path("i8.npy")); });
  ContainerWriter(path("p"), {{"point.mask", Dtype::u32, {2}}}, {}).commit();
  expect_error(ErrorKind::bad_input, {path("p"), "lacks tensor 'point.position'"},
               [&] { read_points(path("p")); });
  ContainerWriter(path("p"),
                  {{"point.position", Dtype::f32, {2, 3}}, {"point.group", Dtype::u32, {3}}}, {})
      .commit();
  expect_error(ErrorKind::bad_input, {"'point.group' is U32 [3], not U32 [2]"},
               [&] { read_points(path("p")); });
  ContainerWriter(path("p"), {{"point.position", Dtype::f64, {2, 2}}}, {}).commit();
  expect_error(ErrorKind::bad_input, {"'point.position' is F64 [2, 2], not F32 [n, 3]"},
               [&] { read_points(path("p")); });
  put("text", "1 2 3\n4 5 6\n");
  expect_error(ErrorKind::bad_input, {path("text"), "not a container"},
               [&] { read_points(path("text")); });
}

}  // namespace
}  // namespace sightline::io
