#include "host/io/points_file.hpp"

#include "host/io/container.hpp"
#include "host/io/npy.hpp"
#include "tests/io/io_test.hpp"

namespace sightline::io {
namespace {

using PointsFileTest = IoTest;

Points plain() {
  Points points;
  points.position = {1, 2, 3, 4, 5, 6};
  return points;
}

Points full() {
  Points points = plain();
  points.mask = {1, 2};
  points.exclude = {3, none};
  points.exclude_group = {5, 6};
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
  EXPECT_EQ(view.count, 2u);
  EXPECT_EQ(view.position[1].y, 5);
  EXPECT_EQ(view.mask[1], 2u);
  EXPECT_EQ(view.exclude[0], 3u);
  EXPECT_EQ(view.exclude_group[1], 6u);
}

TEST_F(PointsFileTest, BothFormsHaveTheSameHash) {
  write_points(path("p.npy"), plain());
  write_points(path("p"), plain());
  EXPECT_TRUE(is_npy(path("p.npy")));
  EXPECT_FALSE(is_npy(path("p")));
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
    EXPECT_EQ(read_points(path(name)).view().count, 0u) << name;
  }
}

TEST_F(PointsFileTest, RefusesWhatDoesNotFitTogether) {
  expect_error(ErrorKind::usage, {path("p.npy"), "do not fit"},
               [&] { write_points(path("p.npy"), full()); });
  Points uneven = plain();
  uneven.mask = {1};
  expect_error(ErrorKind::usage, {"point.mask"}, [&] { write_points(path("p"), uneven); });
  uneven = plain();
  uneven.position.push_back(7);
  expect_error(ErrorKind::usage, {"point.position"}, [&] { write_points(path("p"), uneven); });
  EXPECT_EQ(entries(), 0);
  NpyWriter(path("f8.npy"), Dtype::f64, {2, 3}).commit();
  expect_error(ErrorKind::bad_input, {path("f8.npy"), "F64 [2, 3], not F32 [n, 3]"},
               [&] { read_points(path("f8.npy")); });
  ContainerWriter(path("p"), {{"point.mask", Dtype::u32, {2}}}, {}).commit();
  expect_error(ErrorKind::bad_input, {path("p"), "lacks tensor 'point.position'"},
               [&] { read_points(path("p")); });
  ContainerWriter(path("p"),
                  {{"point.position", Dtype::f32, {2, 3}}, {"point.group", Dtype::u32, {3}}}, {})
      .commit();
  expect_error(ErrorKind::bad_input, {"'point.group' is U32 [3], not U32 [2]"},
               [&] { read_points(path("p")); });
  put("text", "1 2 3\n4 5 6\n");
  expect_error(ErrorKind::bad_input, {path("text"), "not a container"},
               [&] { read_points(path("text")); });
}

}  // namespace
}  // namespace sightline::io
