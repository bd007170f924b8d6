// The scene: what it refuses and how it says so, ids, attributes, columns in any layout.
#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/scene.hpp>

#include "tests/support/refusal.hpp"

#include <sightline/caster.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace sightline {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float beyond = 0x1.000002p40f;  // the float after the domain's limit

/// The call is refused as bad input, with all these words, and adds nothing.
void expect_refused(Scene& scene, const std::function<void()>& call,
                    const std::vector<std::string>& words) {
  const std::uint64_t before = scene.size();
  testing::expect_error(ErrorKind::bad_input, words, call);
  EXPECT_EQ(scene.size(), before);
}

TEST(SceneTest, RefusesBadNumbersInEveryPlace) {
  Scene s;
  for (const auto& [bad, word] :
       std::vector<std::pair<float, std::string>>{{nan, "NaN"},
                                                  {infinity, "NaN or infinite"},
                                                  {-infinity, "NaN or infinite"},
                                                  {beyond, "2^40"},
                                                  {-beyond, "2^40"}}) {
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 v{0, 0, 0};
      (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = bad;
      const std::vector<std::string> words = {word};
      expect_refused(
          s,
          [&] {
            s.add_aabb({v, {1, 1, 1}});
          },
          words);
      expect_refused(
          s,
          [&] {
            s.add_aabb({{-1, -1, -1}, v});
          },
          words);
      expect_refused(
          s,
          [&] {
            s.add_obb({v, {1, 1, 1}, {}});
          },
          words);
      expect_refused(
          s,
          [&] {
            s.add_sphere({v, 1});
          },
          words);
      expect_refused(
          s,
          [&] {
            s.add_capsule({v, {0, 0, 0}, 1});
          },
          words);
      expect_refused(
          s,
          [&] {
            s.add_capsule({{0, 0, 0}, v, 1});
          },
          words);
      if (bad == beyond || bad == -beyond) continue;
      expect_refused(
          s,
          [&] {
            s.add_plane({v, 0});
          },
          words);
      expect_refused(
          s,
          [&] {
            s.add_obb({{}, {1, 1, 1}, {v.x, v.y, v.z, 1}});
          },
          words);
      expect_refused(
          s,
          [&, b = bad] {
            s.add_obb({{}, {1, 1, 1}, {0, 0, 0, b}});
          },
          words);
    }
    expect_refused(s, [&, b = bad] { s.add_plane({{0, 0, 1}, b}); }, {word});
    if (bad < 0) continue;
    expect_refused(s, [&, b = bad] { s.add_obb({{}, {b, 1, 1}, {}}); }, {word});
    expect_refused(s, [&, b = bad] { s.add_obb({{}, {1, 1, b}, {}}); }, {word});
    expect_refused(s, [&, b = bad] { s.add_sphere({{}, b}); }, {word});
    expect_refused(s, [&, b = bad] { s.add_capsule({{}, {}, b}); }, {word});
  }
}

TEST(SceneTest, RefusesShapesThatAreNone) {
  Scene s;
  expect_refused(s, [&] { s.add_aabb({{1, 0, 0}, {0, 1, 1}}); }, {"aabb 0", "min is greater"});
  expect_refused(s, [&] { s.add_aabb({{0, 1, 0}, {1, 0, 1}}); }, {"min is greater"});
  expect_refused(s, [&] { s.add_aabb({{0, 0, 1}, {1, 1, 0}}); }, {"min is greater"});
  expect_refused(s, [&] { s.add_obb({{}, {1, -1, 1}, {}}); }, {"obb 0", "negative"});
  expect_refused(s, [&] { s.add_sphere({{}, -0x1p-149f}); }, {"sphere 0", "negative"});
  expect_refused(s, [&] { s.add_capsule({{}, {1, 0, 0}, -1}); }, {"capsule 0", "negative"});
  expect_refused(s, [&] { s.add_obb({{}, {1, 1, 1}, {0, 0, 0, 1.0002f}}); }, {"quaternion"});
  expect_refused(s, [&] { s.add_obb({{}, {1, 1, 1}, {0, 0, 0, 0.9998f}}); }, {"quaternion"});
  expect_refused(s, [&] { s.add_obb({{}, {1, 1, 1}, {0, 0, 0, 0}}); }, {"quaternion"});
  expect_refused(s, [&] { s.add_plane({{0, 0, 1.0002f}, 0}); }, {"plane 0", "unit length"});
  expect_refused(s, [&] { s.add_plane({{0, 0.9998f, 0}, 0}); }, {"unit length"});
}

TEST(SceneTest, TakesTheLegalExtremesAsTheyAre) {
  Scene s;
  const float far = domain_limit;
  s.add_aabb({{-far, -far, -far}, {far, far, far}});
  s.add_aabb({{1, 2, 3}, {1, 2, 3}});
  s.add_obb({{far, far, far}, {0, far, 0}, {0, 0, 0, 1.00009f}});
  s.add_obb({{}, {-0.0f, 1, 1}, {0, 0, 0, -0.99991f}});
  s.add_sphere({{far, 0, 0}, far});
  s.add_sphere({{}, 0});
  s.add_capsule({{1, 1, 1}, {1, 1, 1}, 0});
  s.add_plane({{0, 0, 1.00009f}, -far});
  EXPECT_EQ(s.size(), 8u);
  EXPECT_EQ(s.obb(0).rotation.w, 1.00009f);
  EXPECT_EQ(s.plane(0).normal.z, 1.00009f);
  const Aabb all = s.bounds();
  EXPECT_LE(all.min.x, -far);
  EXPECT_GE(all.max.x, 2 * far);
}

TEST(SceneTest, ABatchIsTakenWholeOrNotAtAll) {
  Scene s;
  s.add_sphere({{}, 1});
  const std::vector<float> radii = {1, nan, 2, -1, 3, nan, nan, nan, nan};
  const std::vector<Vec3> centers(radii.size(), Vec3{0, 0, 0});
  // Indices within the kind, the first five of them.
  expect_refused(s, [&] { s.add_spheres(radii.size(), centers, radii); },
                 {"sphere 2, 4, 6, 7, 8 and 1 more", "NaN"});
  EXPECT_EQ(s.add_spheres(1, std::span(centers).first(1), std::span(radii).first(1)), 1u);
}

TEST(SceneTest, IdsRunKindByKindInTheOrderAdded) {
  Scene s;
  EXPECT_EQ(s.add_plane({{0, 0, 1}, 0}), 0u);
  EXPECT_EQ(s.add_capsule({{}, {}, 1}), 0u);
  EXPECT_EQ(s.add_sphere({{}, 1}), 0u);
  EXPECT_EQ(s.add_sphere({{}, 2}), 1u);
  EXPECT_EQ(s.add_obb({{}, {1, 1, 1}, {}}), 0u);
  EXPECT_EQ(s.add_aabb({{}, {1, 1, 1}}), 0u);
  EXPECT_EQ(s.add_aabb({{}, {2, 2, 2}}), 1u);
  const std::pair<Kind, std::uint32_t> order[] = {
      {Kind::aabb, 0},   {Kind::aabb, 1},    {Kind::obb, 0},  {Kind::sphere, 0},
      {Kind::sphere, 1}, {Kind::capsule, 0}, {Kind::plane, 0}};
  for (std::uint32_t id = 0; id < 7; ++id) {
    EXPECT_EQ(s.kind_and_index(id), order[id]);
    EXPECT_EQ(s.id(order[id].first, order[id].second), id);
    EXPECT_EQ(s.view().kind_of(id), order[id].first);
  }
  EXPECT_EQ(s.view().bounded(), 6u);
  EXPECT_THROW(s.kind_and_index(7), Error);
  EXPECT_THROW(s.id(Kind::obb, 1), Error);
}

TEST(SceneTest, AttributesStayWithTheirShapes) {
  Scene s;
  s.add_sphere({{}, 1});
  s.add_sphere({{}, 2}, {6, 7, 8});
  s.add_aabb({{}, {1, 1, 1}}, {0xFFFFFFFFu, 3, 0});
  EXPECT_FALSE(s.has_masks(Kind::aabb));
  EXPECT_TRUE(s.has_groups(Kind::aabb));
  EXPECT_TRUE(s.has_masks(Kind::sphere));
  EXPECT_TRUE(s.has_labels(Kind::sphere));
  const Attributes first = s.attributes(1), second = s.attributes(2);
  EXPECT_EQ(first.mask, 0xFFFFFFFFu);
  EXPECT_EQ(first.group, none);
  EXPECT_EQ(first.label, 0u);
  EXPECT_EQ(second.mask, 6u);
  EXPECT_EQ(second.group, 7u);
  EXPECT_EQ(second.label, 8u);
  const ShapesView v = s.view();
  EXPECT_EQ(v.mask[0], 0xFFFFFFFFu);
  EXPECT_EQ(v.mask[2], 6u);
  EXPECT_EQ(v.group[0], 3u);
  EXPECT_EQ(v.group[1], none);
}

TEST(SceneTest, ColumnsComeInRowsOrApartAndWithCommonValues) {
  const std::vector<float> rows = {0, 1, 2, 9, 3, 4, 5, 9};  // two points, 16 bytes apart
  const float x[] = {0, 3}, y[] = {1, 4}, z[] = {2, 5};
  Scene a, b;
  Column<float> common;
  common.common = 1.5f;
  a.add_spheres(2, Vec3Column::strided(rows.data(), 2, 16), common);
  b.add_spheres(2, {x, y, z}, common);
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(a.sphere(i).center.x, x[i]);
    EXPECT_EQ(a.sphere(i).center.y, y[i]);
    EXPECT_EQ(a.sphere(i).center.z, z[i]);
    EXPECT_EQ(b.sphere(i).center.z, z[i]);
    EXPECT_EQ(b.sphere(i).radius, 1.5f);
  }
}

TEST(SceneTest, TakesEveryKindByItsNumbers) {
  Scene s;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    constexpr std::size_t n = sizeof(Given<S>) / sizeof(float);
    SCOPED_TRACE(ShapeTraits<S>::name);
    std::array<float, 2 * n> rows{};
    std::vector<Column<float>> numbers;
    for (std::size_t k = 0; k < n; ++k) numbers.emplace_back(&rows[k], 2, n * sizeof(float));
    // A point, a disc or a half-space each: the last number is the only one of its vector.
    rows[n - 1] = rows[2 * n - 1] = 1;
    if (kind_for<S> == Kind::plane) rows[2] = rows[n + 2] = 1;
    if (kind_for<S> == Kind::cylinder) rows[n - 2] = rows[2 * n - 2] = 1;  // the ends differ
    rows[0] = 0, rows[n] = kind_for<S> == Kind::plane ? 0 : -1;
    EXPECT_EQ(s.add(kind_for<S>, 2, numbers), 0u);
    EXPECT_EQ(s.count(kind_for<S>), 2u);
    const auto first = s.get<Given<S>>(0), second = s.get<Given<S>>(1);
    EXPECT_EQ(std::memcmp(&first, &rows[0], sizeof first), 0);
    EXPECT_EQ(std::memcmp(&second, &rows[n], sizeof second), 0);
    std::vector<Column<float>> one;
    for (const Column<float>& column : numbers) one.push_back(column.slice(0, 1));
    s.set(kind_for<S>, 1, 1, one);
    const auto changed = s.get<Given<S>>(1);
    EXPECT_EQ(std::memcmp(&changed, &rows[0], sizeof changed), 0);
    EXPECT_EQ(s.add(first), 2u);

    numbers.pop_back();
    const std::string words = std::string(ShapeTraits<S>::name) + " shapes have " +
                              std::to_string(n) + " numbers each, not " + std::to_string(n - 1);
    for (const bool set : {false, true}) {
      EXPECT_EQ(words, testing::refusal(ErrorKind::usage, [&] {
                  set ? s.set(kind_for<S>, 0, 1, numbers) : void(s.add(kind_for<S>, 1, numbers));
                }));
    }
    EXPECT_EQ(s.count(kind_for<S>), 3u);
  });
}

TEST(SceneTest, GrowsAfterItWasLookedAt) {
  Scene s;
  s.add_sphere({{5, 0, 0}, 1});
  EXPECT_EQ(s.view().size(), 1u);
  s.add_aabb({{-9, 0, 0}, {-8, 1, 1}});
  EXPECT_EQ(s.view().size(), 2u);
  EXPECT_EQ(s.view().bounds[0].min.x, -9);
  EXPECT_EQ(s.bounds().min.x, -9);
  const Scene copy = s;
  s.add_aabb({{-20, 0, 0}, {-19, 1, 1}});
  EXPECT_EQ(copy.size(), 2u);
  EXPECT_EQ(copy.bounds().min.x, -9);
}

TEST(SceneShapes, SideBySide) {
  const std::vector<Sphere> balls = {{{1, 2, 3}, 4}, {{5, 6, 7}, 8}};
  const std::vector<std::uint32_t> masks = {1, 2};
  Scene spans, one_by_one;
  EXPECT_EQ(spans.add(balls, {.mask = masks}), 0u);
  EXPECT_EQ(spans.add(std::vector{Obb{{1, 1, 1}, {2, 2, 2}, {}}}), 0u);
  EXPECT_EQ(spans.add(std::vector{Capsule{{0, 0, 0}, {1, 0, 0}, 1}}), 0u);
  EXPECT_EQ(spans.add(std::vector{Plane{{0, 0, 1}, 2}}), 0u);
  EXPECT_EQ(spans.add(std::vector{Aabb{{0, 0, 0}, {1, 1, 1}}}), 0u);
  one_by_one.add_sphere(balls[0], {.mask = 1});
  one_by_one.add_sphere(balls[1], {.mask = 2});
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(spans.sphere(i).center, one_by_one.sphere(i).center);
    EXPECT_EQ(spans.sphere(i).radius, one_by_one.sphere(i).radius);
    EXPECT_EQ(spans.attributes(spans.id(Kind::sphere, i)).mask, masks[i]);
  }
  spans.set(1, std::span(balls).first(1));
  EXPECT_EQ(spans.sphere(1).center, balls[0].center);
  EXPECT_THROW(spans.set(1, balls), Error);
}

TEST(SceneShapes, AreRemoved) {
  Scene scene, expected;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const Obb box{{static_cast<float>(i), 0, 0}, {1, 1, 1}, {0.6f, 0, 0, 0.8f}};
    const Attributes own = {i == 3 ? 7u : 0xFFFFFFFFu, i % 4, i};
    scene.add_obb(box, own);
    if (i != 3 && i != 0 && i != 9) expected.add_obb(box, own);
  }
  scene.add_sphere({{0, 5, 0}, 1}), expected.add_sphere({{0, 5, 0}, 1});
  const std::uint32_t past[] = {1, 10};
  testing::expect_error(ErrorKind::usage, {"there is no obb 10: the scene has 10"},
                        [&] { scene.remove(Kind::obb, past); });
  EXPECT_EQ(scene.count(Kind::obb), 10u);
  const std::uint32_t gone[] = {9, 3, 0, 3};
  scene.remove(Kind::obb, gone);
  ASSERT_EQ(scene.size(), expected.size());
  EXPECT_FALSE(scene.has_masks(Kind::obb)) << "the shape with the mask has gone";
  for (std::uint32_t i = 0; i < 7; ++i) {
    EXPECT_EQ(scene.obb(i).center, expected.obb(i).center);
    EXPECT_EQ(scene.attributes(i).group, expected.attributes(i).group);
    EXPECT_EQ(scene.attributes(i).label, expected.attributes(i).label);
  }
  const Ray ray{.origin = {-9, 0, 0}, .direction = {1, 0, 0}};
  EXPECT_EQ(Caster(scene, CpuOptions{}).closest_hit(ray).t,
            Caster(expected, CpuOptions{}).closest_hit(ray).t);
  scene.remove(Kind::sphere, 0);
  EXPECT_EQ(scene.count(Kind::sphere), 0u);
}

// The column is named by its shape, its field and, of several, its number.
TEST(SceneTest, RefusalsNameTheColumn) {
  const std::array<std::pair<Kind, std::array<const char*, 3>>, 7> some = {{
      {Kind::aabb, {"aabb min.x", "aabb min.y", "aabb max.z"}},
      {Kind::obb, {"obb center.x", "obb center.y", "obb rotation.w"}},
      {Kind::sphere, {"sphere center.x", "sphere center.y", "sphere radius"}},
      {Kind::capsule, {"capsule a.x", "capsule a.y", "capsule radius"}},
      {Kind::cylinder, {"cylinder a.x", "cylinder a.y", "cylinder radius"}},
      {Kind::triangle, {"triangle a.x", "triangle a.y", "triangle c.z"}},
      {Kind::plane, {"plane normal.x", "plane normal.y", "plane offset"}},
  }};
  constexpr std::array<std::size_t, 7> numbers = {6, 10, 4, 7, 7, 9, 4};
  const std::vector<float> three(3, 0.0f), two(2, 0.0f);
  for (std::size_t k = 0; k < some.size(); ++k) {
    const auto& [kind, names] = some[k];
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}, numbers[k] - 1}) {
      const std::string name = names[std::min(place, std::size_t{2})];
      std::vector<Column<float>> columns(numbers[k], Column<float>(three.data(), 3));
      columns[place] = Column<float>(two.data(), 2);
      Scene s;
      EXPECT_EQ(testing::refusal(ErrorKind::usage, [&, kind = kind] { s.add(kind, 3, columns); }),
                "a column of " + name + " has 2 elements, not 3");
      columns[place] = {};
      EXPECT_EQ(testing::refusal(ErrorKind::usage, [&, kind = kind] { s.add(kind, 3, columns); }),
                "nothing was given for " + name + ", which 3 elements need");
      EXPECT_EQ(s.size(), 0u);
    }
  }
}

}  // namespace
}  // namespace sightline
