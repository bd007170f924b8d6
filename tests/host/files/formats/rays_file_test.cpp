#include "host/files/formats/rays_file.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/npy.hpp"
#include "tests/host/files/io_test.hpp"

namespace sightline::io {
namespace {

using RaysFileTest = IoTest;

Ray ray(std::uint64_t i) {
  const auto x = static_cast<float>(i);
  const auto k = static_cast<std::uint32_t>(i);
  Ray r;
  r.origin = {x, x + 0.25f, -x};
  r.direction = {1, x, 2};
  r.t_min = x / 4;
  r.t_max = x + 10;
  r.mask = k + 1;
  r.exclude[0] = 10 * k;
  r.exclude[1] = 10 * k + 1;
  r.exclude_group[0] = 10 * k + 2;
  r.exclude_group[1] = 10 * k + 3;
  return r;
}

std::vector<Ray> rays(std::uint64_t n) {
  std::vector<Ray> all;
  for (std::uint64_t i = 0; i < n; ++i) all.push_back(ray(i));
  return all;
}

/// The rays as they lie: every column strided by a whole Ray.
RaysView view_of(const std::vector<Ray>& all) { return RaysView::rows(all); }

void expect_same(const Ray& a, const Ray& b) { EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0); }

constexpr RayColumns all_columns = {true, true, true, true, true};

TEST_F(RaysFileTest, ReadsBackSlicesInAnyOrder) {
  constexpr std::uint64_t n = 70'000;  // more than the writer gathers at once
  const std::vector<Ray> all = rays(n);
  RaysWriter out(path("r"), n, all_columns, {{"note", "x"}});
  out.write(10, view_of(all).slice(10, n - 10));
  out.write(0, view_of(all).slice(0, 10));
  out.commit();
  const RaysSource in(path("r"));
  EXPECT_EQ(in.count(), n);
  EXPECT_EQ(in.columns(), all_columns);
  EXPECT_EQ(in.bytes_per_ray(), 24u + 8 + 4 + 16);
  EXPECT_EQ(in.metadata("note"), "x");
  EXPECT_EQ(in.metadata("sightline.file"), "rays");
  RayBuffer buffer;
  for (const std::uint64_t first : {std::uint64_t{69'000}, std::uint64_t{0}, std::uint64_t{5}}) {
    const RaysView view = in.read(first, 1000, buffer);
    ASSERT_EQ(view.size(), 1000u);
    for (std::uint64_t i = 0; i < 1000; ++i) expect_same(view[i], all[first + i]);
  }
  EXPECT_EQ(in.read(n, 0, buffer).size(), 0u);
  expect_error(ErrorKind::internal, {"'origin'"}, [&] { in.read(n - 1, 2, buffer); });
}

TEST_F(RaysFileTest, DefaultsFillOnlyTheColumnsThatAreAbsent) {
  const std::vector<Ray> all = rays(3);
  RaysWriter out(path("r"), 3, {.t_max = true, .exclude = true});
  out.write(0, view_of(all));
  out.commit();
  const RaysSource in(path("r"), {0.5f, 1.5f, 6, {7, 8}, {9, none}});
  RayBuffer buffer;
  const Ray found = in.read(1, 2, buffer)[1];
  EXPECT_EQ(found.t_min, 0.5f);
  EXPECT_EQ(found.t_max, all[2].t_max);
  EXPECT_EQ(found.mask, 6u);
  EXPECT_EQ(found.exclude[1], all[2].exclude[1]);
  EXPECT_EQ(found.exclude_group[0], 9u);
  EXPECT_EQ(found.exclude_group[1], none);
}

TEST_F(RaysFileTest, TwoNpyFilesAreTheSameRays) {
  const std::vector<Ray> all = rays(5);
  RaysWriter out(path("r"), 5);
  out.write(0, view_of(all));
  out.commit();
  NpyWriter origins(path("o.npy"), Dtype::f32, {5, 3}),
      directions(path("d.npy"), Dtype::f32, {5, 3});
  for (std::uint64_t i = 0; i < 5; ++i) {
    origins.write(3 * i, 3, &all[i].origin);
    directions.write(3 * i, 3, &all[i].direction);
  }
  origins.commit();
  directions.commit();
  const RaysSource one(path("r"));
  const RaysSource two(path("o.npy"), path("d.npy"), RayDefaults{});
  EXPECT_EQ(one.hash(), two.hash());
  RayBuffer a, b;
  for (std::uint64_t i = 0; i < 5; ++i) expect_same(one.read(i, 1, a)[0], two.read(i, 1, b)[0]);
  EXPECT_NE(two.name().find("d.npy"), std::string::npos);
  const RaysSource swapped(path("d.npy"), path("o.npy"), RayDefaults{});
  EXPECT_NE(swapped.hash(), two.hash());
}

TEST_F(RaysFileTest, RefusesWhatDoesNotFitTogether) {
  NpyWriter(path("o.npy"), Dtype::f32, {5, 3}).commit();
  NpyWriter(path("d.npy"), Dtype::f32, {4, 3}).commit();
  NpyWriter(path("b1.npy"), Dtype::boolean, {5, 3}).commit();
  NpyWriter(path("flat.npy"), Dtype::f32, {15}).commit();
  const auto refused = [](std::initializer_list<std::string> words, auto open) {
    expect_error(ErrorKind::bad_input, words, open);
  };
  refused({path("d.npy"), "4 directions for the 5 origins"},
          [&] { RaysSource(path("o.npy"), path("d.npy"), {}); });
  refused({path("b1.npy"), "BOOL [5, 3], not F32 [n, 3]"},
          [&] { RaysSource(path("o.npy"), path("b1.npy"), {}); });
  refused({path("flat.npy"), "F32 [15]"}, [&] { RaysSource(path("flat.npy"), path("d.npy"), {}); });
  const auto container = [&](const std::vector<TensorSpec>& specs, const Metadata& metadata = {}) {
    ContainerWriter(path("r"), specs, metadata).commit();
  };
  const TensorSpec origin = {"origin", Dtype::f32, {5, 3}};
  const TensorSpec direction = {"direction", Dtype::f32, {5, 3}};
  container({origin});
  refused({path("r"), "lacks tensor 'direction'"}, [&] { RaysSource in(path("r")); });
  container({origin, {"direction", Dtype::f32, {4, 3}}});
  refused({"'direction' is F32 [4, 3]"}, [&] { RaysSource in(path("r")); });
  container({origin, direction, {"t_max", Dtype::f32, {4}}});
  refused({"'t_max' is F32 [4], not F32 [5]"}, [&] { RaysSource in(path("r")); });
  container({origin, direction, {"exclude", Dtype::u32, {5}}});
  refused({"'exclude' is U32 [5], not U32 [5, 2]"}, [&] { RaysSource in(path("r")); });
  container({origin, direction, {"tmax", Dtype::f32, {5}}});
  refused({"unknown tensor 'tmax'"}, [&] { RaysSource in(path("r")); });
  container({origin, direction}, {{"sightline.file", "scene"}});
  refused({"'scene'", "'rays'"}, [&] { RaysSource in(path("r")); });
  expect_error(ErrorKind::io, {path("none"), "No such file"}, [&] { RaysSource in(path("none")); });
}

TEST_F(RaysFileTest, AnUnfinishedFileNeverAppears) {
  const std::vector<Ray> all = rays(3);
  {
    RaysWriter out(path("r"), 3);
    expect_error(ErrorKind::internal, {"rays 1 + 3 of 3"}, [&] { out.write(1, view_of(all)); });
    out.write(0, view_of(all));
  }
  EXPECT_EQ(entries(), 0);
}

}  // namespace
}  // namespace sightline::io
