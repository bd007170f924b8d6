// Rays as CSV and JSON, and two arrays of which one has one vector.
#include "host/files/formats/ray_table.hpp"

#include "host/files/core/npy.hpp"
#include "host/files/formats/file_kind.hpp"
#include "tests/host/files/import/damage.hpp"
#include "tests/host/files/io_test.hpp"

namespace sightline::io {
namespace {

using RayTableTest = IoTest;

std::vector<Ray> all_rays(const RaysSource& rays) {
  RayBuffer buffer;
  const RaysView view = rays.read(0, rays.count(), buffer);
  std::vector<Ray> all;
  for (std::uint64_t i = 0; i < view.size(); ++i) all.push_back(view[i]);
  return all;
}

void expect_same(const std::vector<Ray>& a, const std::vector<Ray>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(std::memcmp(&a[i], &b[i], sizeof(Ray)), 0) << i;
  }
}

TEST_F(RayTableTest, AllFormsAreTheSameRays) {
  std::vector<Ray> expected(2);
  expected[0] = {{0.1f, 2, 3}, {1, 0, 0}};
  expected[0].t_max = 7.5f;
  expected[0].mask = 6;
  expected[0].exclude[0] = 4;
  expected[1] = {{4, 5, 6}, {0, -1, 0.5f}};
  expected[1].t_min = 0.25f;
  expected[1].exclude[0] = 1, expected[1].exclude[1] = 2;
  expected[1].exclude_group[0] = 9;
  const std::string csv =
      put("r.csv",
          "originX,originY,originZ,direction_x,direction_y,direction_z,tMin,t_max,mask,exclude,"
          "exclude_2,exclude_group\n0.1,2,3,1,0,0,,7.5,6,4,,\n4,5,6,0,-1,0.5,0.25,,,1,2,9\n");
  const std::string list =
      R"([{"origin": [0.1, 2, 3], "direction": [1, 0, 0], "t_max": 7.5, "mask": 6, "exclude": 4},
          {"origin": [4, 5, 6], "direction": [0, -1, 0.5], "tMin": 0.25, "t_max": null,
           "exclude": [1, 2], "exclude_group": [9]}])";
  RaysWriter writer(
      path("r"), 2,
      {.t_min = true, .t_max = true, .mask = true, .exclude = true, .exclude_group = true});
  writer.write(0, RaysView::rows(expected));
  writer.commit();
  for (const std::string& file :
       {csv, put("r.json", list), put("s.json", R"({"unit": "m", "rays": )" + list + "}")}) {
    SCOPED_TRACE(file);
    const RaysSource rays(file);
    expect_same(all_rays(rays), expected);
    EXPECT_EQ(rays.hash(), RaysSource(path("r")).hash());
    EXPECT_EQ(kind_of_file(file), "rays");
  }
}

TEST_F(RayTableTest, ColumnsThatNoRayStatesAreAbsent) {
  const std::string file =
      put("r.csv",
          "origin_x,origin_y,origin_z,direction_x,direction_y,direction_z,t_max,radius\n"
          "0,0,0,1,0,0,,\n0,0,0,1,0,0,,0.5\n");
  const RaysSource rays(file, {.t_max = 3});
  EXPECT_EQ(rays.columns(), (RayColumns{.radius = true}));
  EXPECT_EQ(all_rays(rays)[1].t_max, 3);
  RayBuffer buffer;
  const RaysView view = rays.read(0, 2, buffer);
  EXPECT_EQ(view.radius[0], 0);
  EXPECT_EQ(view.radius[1], 0.5f);
  EXPECT_EQ(RaysSource(put("none.json", "[]")).count(), 0u);
}

TEST_F(RayTableTest, EndsAreAsFarAsFloatsReach) {
  const RaysSource rays(put("r.json", R"([{"origin": [1, 2, 3], "direction": [1, 2, 3],
      "t_max": 1e30}, {"origin": [1, 2, 3], "direction": [1, 2, 3], "t_max": null}])"));
  EXPECT_EQ(all_rays(rays)[0].t_max, 1e30f);
  EXPECT_EQ(all_rays(rays)[1].t_max, infinity);
}

// As arrays of rays hold them: ends may be infinite, and directions of any finite length.
TEST_F(RayTableTest, TakesTheNumbersThatArraysTake) {
  const std::string header =
      "origin_x,origin_y,origin_z,direction_x,direction_y,direction_z,t_min,t_max\n";
  const RaysSource rays(put("r.csv", header + "1,2,3,2e12,0,-3e38,0,inf\n1,2,3,1,0,0,5,+Infinity\n"
                                              "1,2,3,1,0,0,-inf,INF\n1,2,3,1,0,0,0,1e39\n"));
  const auto all = all_rays(rays);
  EXPECT_EQ(all[0].direction, (Vec3{2e12f, 0, -3e38f}));
  for (const Ray& ray : all) EXPECT_EQ(ray.t_max, infinity);
  EXPECT_EQ(all[1].t_min, 5);
  EXPECT_EQ(all[2].t_min, -infinity);
  const RaysSource json(put("r.json", R"([{"origin": [1, 2, 3], "direction": [2e12, 0, -3e38],
      "t_max": null}, {"origin": [1, 2, 3], "direction": [1, 0, 0], "t_min": 5, "t_max": 1e39}])"));
  expect_same(all_rays(json), {all[0], all[1]});
}

TEST_F(RayTableTest, RefusesWhatIsNoRay) {
  const std::string header = "origin_x,origin_y,origin_z,direction_x,direction_y,direction_z";
  const struct {
    std::string text, word;
  } cases[] = {
      {"x,y,z\n1,2,3\n", "has 'x', 'y', 'z'; rays in CSV have a header such as origin_x"},
      {header + "\n1,2,3,0,0\n", "line 2: has 5 cells, the header has 6"},
      {header + ",speed\n1,2,3,0,0,1,4\n", "line 2: ray 0 has an unknown key 'speed'; valid are"},
      {header + ",mask\n1,2,3,0,0,1,-4\n", "line 2: ray 0 'mask' is not a whole number up to"},
      {header + ",exclude_2\n1,2,3,0,0,1,4\n", "ray 0 has 'exclude_2' without one number in"},
      {R"([{"origin": [1, 2, 3]}])", "rays 0 lacks 'direction'; it has 'origin'"},
      {R"([{"origin": [1, 2, 3], "directoin": [1, 2, 3]}])",
       "rays 0 lacks 'direction'; it has 'origin', 'directoin'; did you mean 'direction'?"},
      {R"([{"origin": [1, 2], "direction": [1, 2, 3]}])", "'origin' is not a list of 3 numbers"},
      {R"([{"origin": [1, 2, 3], "direction": [1, 2, 3], "exclude": [1, 2, 3]}])",
       "'exclude' is not a list of at most 2 whole numbers"},
      {R"([[1, 2, 3]])", "rays 0 lacks 'direction'"},
      {R"({"unit": "m"})", "is neither a list of rays nor an object with \"rays\""},
      {R"({"sphere": []})", "unknown key 'sphere'; valid are rays, unit, up"},
      {R"([{"origin": [1, 2, 3], "direction": [1, 2, 3], "t_max": true}])",
       "'t_max' holds something that is not a number"},
      {R"([{"origin": [1, 2, 3], "direction": [1, 1e39, 3]}])",
       "'direction' holds 1e+39, beyond the largest float"},
      {R"([{"origin": [1, 2e12, 3], "direction": [1, 2, 3]}])",
       "'origin' holds 2000000000000, beyond 2^40"},
      {header + ",radius\n1,2,3,0,0,1,inf\n", "line 2: ray 0 'radius' holds inf, beyond 2^40"},
      {header + "\n1,2,3,0,inf,1\n", "ray 0 'direction' holds inf, beyond the largest float"},
      {header + ",t_max\n1,2,3,0,0,1,nan\n", "has 'nan' in column 't_max', not a number"},
      {"[1, 2]", "rays 0 is not an object"},
      {"{", "not JSON"},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(bad.text);
    const std::string file = put("bad", bad.text);
    expect_error(ErrorKind::bad_input, {file + ": ", bad.word}, [&] { RaysSource rays(file); });
  }
}

TEST_F(RayTableTest, OneVectorIsForAll) {
  const auto array = [&](const char* name, const Shape& shape, const std::vector<float>& values) {
    NpyWriter out(path(name), Dtype::f32, shape);
    out.write(0, values.size(), values.data());
    out.commit();
    return path(name);
  };
  const std::string one = array("one.npy", {1, 3}, {1, 2, 3}),
                    flat = array("f.npy", {3}, {1, 2, 3});
  const std::string many = array("many.npy", {3, 3}, {9, 8, 7, 6, 5, 4, 3, 2, 1});
  const std::string ones = array("ones.npy", {3, 3}, {1, 2, 3, 1, 2, 3, 1, 2, 3});
  const std::string none = array("none.npy", {0, 3}, {}),
                    two = array("two.npy", {2, 3}, {1, 2, 3, 4, 5, 6});
  const std::vector<Ray> expected = all_rays(RaysSource(ones, many, {}));
  for (const std::string& origin : {one, flat}) {
    const RaysSource rays(origin, many, {});
    expect_same(all_rays(rays), expected);
    EXPECT_EQ(rays.hash(), RaysSource(ones, many, {}).hash());
    RayBuffer buffer;
    EXPECT_EQ(rays.read(2, 1, buffer)[0].origin, (Vec3{1, 2, 3}));
    EXPECT_EQ(RaysSource(many, origin, {}).hash(), RaysSource(many, ones, {}).hash());
  }
  EXPECT_EQ(RaysSource(one, none, {}).count(), 0u);
  EXPECT_EQ(RaysSource(one, flat, {}).count(), 1u);
  expect_error(ErrorKind::bad_input, {two + ": has 2 directions for the 3 origins of " + many},
               [&] { RaysSource rays(many, two, {}); });
}

// Far from the origin the places of rays are rounded; near it, they may be as near as they like.
TEST_F(RayTableTest, TellsOfOriginsThatRoundingMoves) {
  const auto notes = [&](double x) {
    NpyWriter out(path("o.npy"), Dtype::f64, {3, 3});
    const double values[] = {x, 0, 0, x + 1e-3, 0, 0, x + 1, 0, 0};
    out.write(0, 9, values);
    out.commit();
    return RaysSource(path("o.npy"), path("o.npy"), {}).notes();
  };
  EXPECT_TRUE(notes(0).empty());
  EXPECT_TRUE(notes(0.3).empty());
  ASSERT_EQ(notes(400'000).size(), 1u);
  EXPECT_NE(notes(400'000)[0].find("changes 1 of 3 sizes by more than 1 %; the first is ray 1, "
                                   "whose distance of 0.001 from the one before changes by"),
            std::string::npos)
      << notes(400'000)[0];
}

void expect_tables_read_or_refused(const IoTest&, const std::string& file, const std::string& good,
                                   FileFormat format, std::uint64_t stream) {
  expect_read_or_refused(
      good, stream, million / 100,
      [&](const std::string& text) {
        std::ofstream(file, std::ios::binary) << text;
        try {
          const RayTable table = read_ray_table(file, format);
          ASSERT_LE(table.count * 4, text.size());
          ASSERT_EQ(table.columns.origin.size(), 3 * table.count);
          ASSERT_EQ(table.columns.direction.size(), 3 * table.count);
          ASSERT_EQ(table.columns.exclude.size(), table.has.exclude ? 2 * table.count : 0);
          ASSERT_EQ(table.columns.t_max.size(), table.has.t_max ? table.count : 0);
        } catch (const Error& error) {
          // In the name that the other fuzzers have.
          ASSERT_TRUE(std::string(error.what()).starts_with(file)) << error.what();
          throw Error(error.kind(), "damaged: ");
        }
      },
      100);
}

TEST_F(RayTableTest, DamagedTablesAreReadOrRefused) {
  expect_tables_read_or_refused(
      *this, path("d"),
      "origin_x,origin_y,origin_z,direction_x,direction_y,direction_z,t_max,exclude,exclude_2\n"
      "0,0,0,1,0,0,,5,6\n1,2,3.5,1e0,0,0,7,,\n",
      FileFormat::csv, 0x4a1);
  expect_tables_read_or_refused(
      *this, path("d"),
      R"([{"origin": [0.1, 2, 3], "direction": [1, 0, 0], "t_max": 7.5, "exclude": [4, 5]},
          {"origin": [4, 5, 6], "direction": [0, -1, 0.5], "mask": 3}])",
      FileFormat::json, 0x4a2);
}

}  // namespace
}  // namespace sightline::io
