// Columns that a view needs and nobody gave: an Error, and not a column of zeros.
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"

#include <sightline/sightline.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

class ForgottenColumns : public EveryBackend {};

template <class F>
void expect_forgotten(const F& f, const std::string& why) {
  expect_error(ErrorKind::usage, {why}, f);
}

TEST_P(ForgottenColumns, AreRefused) {
  constexpr std::uint64_t n = 1000;
  const Caster c = caster(make_scene(SceneFamily::random, 20, 1));
  std::vector<float> t(n);
  std::vector<std::uint64_t> words(16 * n);
  const std::vector<Vec3> origins(n, Vec3{-9, 0, 0}), directions = origins;
  const RaysView rays{origins, directions};
  const PointsView points{origins};
  std::vector<std::uint32_t> counts(n);
  const std::string direction = "nothing was given for direction, which 1000 elements need";
  expect_forgotten([&] { c.closest_hit({origins, {}}, {.t = t}); }, direction);
  expect_forgotten(
      [&] { c.closest_hit({.origin = origins, .direction = {}, .radius = 1.0f}, {.t = t}); },
      direction);
  expect_forgotten([&] { c.any_hit({origins, {}}, std::span(words).first(16)); }, direction);
  expect_forgotten([&] { c.count_hits({origins, {}}, counts); }, direction);
  expect_forgotten([&] { c.all_hits({origins, {}}); }, direction);
  expect_forgotten(
      [&] {
        c.closest_hit({{}, directions}, {.t = t});
      },
      "nothing was given for origin");
  RaysView no_radius = rays;
  no_radius.radius = {};
  expect_forgotten([&] { c.closest_hit(no_radius, {.t = t}); }, "nothing was given for radius");
  PointsView nowhere;
  nowhere.mask = counts;
  const std::string position = "nothing was given for position";
  expect_forgotten([&] { c.visibility(nowhere, points, words); }, position);
  expect_forgotten([&] { c.visibility(points, nowhere, words); }, position);
  expect_forgotten([&] { c.visibility(nowhere, words); }, position);
  expect_forgotten([&] { c.visibility_pairs(points, nowhere, std::span(words).first(16)); },
                   position);
  expect_forgotten([&] { c.nearest(nowhere); }, position);
  expect_forgotten([&] { c.winding(nowhere); }, position);
  expect_forgotten([&] { c.clearance(points, nowhere); }, position);
  expect_forgotten([&] { exposure(c, nowhere, {}, points, counts); }, position);
  expect_forgotten([&] { probe_distances(c, nowhere, 1, t); }, position);
  FieldsView fields;
  fields.cosine = {};
  expect_forgotten([&] { c.visibility(points, fields, points, words); },
                   "nothing was given for cosine");
  const std::vector<float> some(n, 1.0f);
  expect_forgotten(
      [&] {
        c.closest_hit({{some, {}, {}}, directions}, {.t = t});
      },
      "nothing was given for origin.y, which 1000 elements need");
  expect_forgotten(
      [&] {
        c.nearest(Vec3Column{some, some, {}});
      },
      "nothing was given for position.z");
  fields.cosine = -1.0f, fields.direction = {{}, some, some};
  expect_forgotten([&] { c.visibility(points, fields, points, words); },
                   "nothing was given for direction.x");
  FlatScene flat;
  const FlatCaster circles(flat, GetParam().options);
  expect_forgotten([&] { circles.overlap_count({{}, t}, counts); }, "nothing was given for center");
  expect_forgotten(
      [&] {
        circles.cast({{}, Vec2Column(0.0f, 0.0f)});
      },
      "nothing was given for a, which 1 element needs");
  expect_forgotten(
      [&] {
        circles.overlap_count({{some, {}}, 1.0f});
      },
      "nothing was given for center.y");
  // Of no elements nothing is needed, and a value for all may be zeros.
  EXPECT_EQ(c.closest_hit(RaysView{}).size(), 0u);
  EXPECT_EQ(c.closest_hit({origins, Vec3{}}, {.t = t}).rays, n);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, ForgottenColumns, ::testing::ValuesIn(every_backend),
                         name_of_backend);

}  // namespace
}  // namespace sightline::testing
