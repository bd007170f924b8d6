// The nearest shapes on every backend, against all distances sorted.
#include "tests/support/backends.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <sightline/nearest_query.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::testing {
namespace {

/// Points of a scene with what they carry, some of them bad.
struct Asked {
  std::vector<SightPoint> points;

  Asked(const Scene& scene, std::uint64_t n, std::uint64_t seed)
      : points(random_points(scene, n, seed)) {
    Random r(seed);
    for (SightPoint& p : points) {
      if (r.one_in(40)) p.position.y = r.one_in(2) ? infinity : 0x1p41f;
      if (r.one_in(3)) p.position = times(p.position, r.power_of_two(-3, 6));
    }
  }
};

struct Found {
  std::vector<float> distance;
  std::vector<std::uint32_t> id;
  std::vector<Vec3> point, direction;
  NearestReport report;

  explicit Found(std::uint64_t rows)
      : distance(rows, 77), id(rows, 77), point(rows, {7, 7, 7}), direction(rows, {7, 7, 7}) {}
  NearestView view() { return {distance.data(), id.data(), point.data(), direction.data()}; }
};

Found found_by(const Caster& caster, const std::vector<SightPoint>& points,
               const NearestOptions& options) {
  Found found(points.size() * options.k);
  found.report = caster.nearest(rows_of(points), found.view(), options);
  return found;
}

/// All distances, sorted: no tree, no list.
Found plain(const Scene& scene, const std::vector<SightPoint>& points,
            const NearestOptions& options) {
  const ShapesView shapes = scene.view();
  Found found(points.size() * options.k);
  found.report = {points.size(), 0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SightPoint& p = points[i];
    std::vector<std::pair<float, std::uint32_t>> all;
    const Vec3 place = p.position;
    const bool bad =
        !(abs(place.x) <= 0x1p40f && abs(place.y) <= 0x1p40f && abs(place.z) <= 0x1p40f);
    found.report.bad_points += bad;
    for (std::uint32_t id = 0; !bad && id < shapes.size(); ++id) {
      const std::uint32_t group = shapes.group_of(id);
      if (id == p.exclude || (p.mask & shapes.mask_of(id)) == 0) continue;
      if (group != none && group == p.exclude_group) continue;
      const float d = shapes.visit(id, [&](const auto& s) { return distance_to(s, p.position); });
      if (d <= options.range) all.emplace_back(d, id);
    }
    std::sort(all.begin(), all.end());
    for (std::uint32_t j = 0; j < options.k; ++j) {
      const std::size_t at = i * options.k + j;
      const bool some = j < all.size();
      Nearest n = {infinity, {0, 0, 0}, {0, 0, 0}};
      if (some) {
        n = shapes.visit(all[j].second, [&](const auto& s) { return nearest(s, p.position); });
      }
      found.distance[at] = some ? all[j].first : infinity;
      found.id[at] = some ? all[j].second : none;
      found.point[at] = n.point;
      found.direction[at] = n.direction;
      found.report.found += some;
    }
  }
  return found;
}

std::vector<std::uint32_t> bits_of_all(const std::vector<Vec3>& v) {
  std::vector<std::uint32_t> bits;
  for (const Vec3& p : v) bits.insert(bits.end(), {bits_of(p.x), bits_of(p.y), bits_of(p.z)});
  return bits;
}
std::vector<std::uint32_t> bits_of_all(const std::vector<float>& v) {
  std::vector<std::uint32_t> bits;
  for (const float x : v) bits.push_back(bits_of(x));
  return bits;
}

void expect_same(const Found& a, const Found& truth, const std::string& what) {
  ASSERT_EQ(a.id, truth.id) << what;
  ASSERT_EQ(bits_of_all(a.distance), bits_of_all(truth.distance)) << what;
  ASSERT_EQ(bits_of_all(a.point), bits_of_all(truth.point)) << what;
  ASSERT_EQ(bits_of_all(a.direction), bits_of_all(truth.direction)) << what;
  EXPECT_EQ(a.report.points, truth.report.points) << what;
  EXPECT_EQ(a.report.found, truth.report.found) << what;
  EXPECT_EQ(a.report.bad_points, truth.report.bad_points) << what;
}

class NearestShapes : public EveryBackend {};

TEST_P(NearestShapes, AreTheFirstOfAllSorted) {
  for (const SceneFamily family : every_family) {
    for (std::uint64_t seed = 1; seed <= scaled(8); ++seed) {
      const Scene scene = make_scene(family, seed % 4 == 0 ? 3 : 150, seed);
      const Asked asked(scene, 150, seed + 50);
      const Caster some = caster(scene);
      const float size = max_abs(minus(scene.bounds().max, scene.bounds().min));
      for (const NearestOptions& options :
           {NearestOptions{}, {5, infinity}, {3, 0.05f * size}, {200, infinity}, {2, 0}}) {
        const std::string what = name_of(family) + (", seed " + std::to_string(seed)) + ", k " +
                                 std::to_string(options.k) + ", range " +
                                 std::to_string(options.range);
        expect_same(found_by(some, asked.points, options), plain(scene, asked.points, options),
                    what);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// So many that every thread gets several parts.
TEST_P(NearestShapes, OfManyPoints) {
  const Scene scene = make_scene(SceneFamily::city, 60, 8);
  const Asked asked(scene, 1700, 9);
  const NearestOptions options = {2, infinity};
  expect_same(found_by(caster(scene), asked.points, options), plain(scene, asked.points, options),
              "many");
}

TEST_P(NearestShapes, FollowShapesThatMove) {
  Scene scene;
  for (int k = 0; k < 30; ++k) scene.add_sphere({{static_cast<float>(k), 0, 0}, 0.25f});
  Caster moving = caster(scene);
  const std::vector<SightPoint> points = {{{3, 1, 0}}, {{11.4f, 2, 0}}, {{29, 0, 0}}};
  const Found before = found_by(moving, points, {2, infinity});
  for (std::uint32_t k = 0; k < 30; ++k) {
    scene.set_sphere(k, {{static_cast<float>(29 - k), 0, 0}, 0.25f});
  }
  moving.update(scene);
  const Found after = found_by(moving, points, {2, infinity});
  EXPECT_NE(before.id, after.id);
  expect_same(after, plain(scene, points, {2, infinity}), "moved");
}

// Many equal shapes: the lowest ids, whatever the tree.
TEST_P(NearestShapes, AmongEqualsTheLowestIds) {
  Scene scene;
  for (int k = 0; k < 200; ++k) scene.add_sphere({{static_cast<float>(k % 5), 0, 0}, 0.25f});
  const std::vector<SightPoint> points = {{{1, 0, 0}}, {{1.5f, 0, 0}}, {{-7, 3, 2}}};
  const NearestOptions options = {60, infinity};
  expect_same(found_by(caster(scene), points, options), plain(scene, points, options), "equals");
}

TEST_P(NearestShapes, WriteOnlyWhatIsAskedFor) {
  const Scene scene = make_scene(SceneFamily::random, 40, 3);
  const Asked asked(scene, 70, 4);
  const Caster some = caster(scene);
  const Found all = found_by(some, asked.points, {2, infinity});
  Found one(140);
  some.nearest(rows_of(asked.points), {nullptr, nullptr, one.point.data(), nullptr}, {2, infinity});
  EXPECT_EQ(bits_of_all(one.point), bits_of_all(all.point));
  some.nearest(rows_of(asked.points), {one.distance.data(), nullptr, nullptr, nullptr},
               {2, infinity});
  EXPECT_EQ(bits_of_all(one.distance), bits_of_all(all.distance));
  some.nearest(rows_of(asked.points), {nullptr, one.id.data(), nullptr, nullptr}, {2, infinity});
  EXPECT_EQ(one.id, all.id);
  some.nearest(rows_of(asked.points), {nullptr, nullptr, nullptr, one.direction.data()},
               {2, infinity});
  EXPECT_EQ(bits_of_all(one.direction), bits_of_all(all.direction));
  const NearestReport counted = some.nearest(rows_of(asked.points), {}, {2, infinity});
  EXPECT_EQ(counted.found, all.report.found);
}

TEST_P(NearestShapes, InNothingAndForNobody) {
  const std::vector<SightPoint> points = {{{1, 2, 3}}};
  const Found found = found_by(caster(Scene()), points, {2, infinity});
  EXPECT_EQ(found.id, std::vector<std::uint32_t>({none, none}));
  EXPECT_EQ(found.distance, std::vector<float>({infinity, infinity}));
  EXPECT_EQ(found_by(caster(make_scene(SceneFamily::city, 9, 1)), {}, {}).report.points, 0u);
}

TEST_P(NearestShapes, RefuseWhatMeansNothing) {
  const Caster some = caster(make_scene(SceneFamily::random, 5, 1));
  const std::vector<SightPoint> points = {{{1, 2, 3}}};
  Found found(1);
  EXPECT_THROW(some.nearest(rows_of(points), found.view(), {0, 1}), Error);
  EXPECT_THROW(some.nearest(rows_of(points), found.view(), {1, -1}), Error);
  EXPECT_THROW(some.nearest(rows_of(points), found.view(), {1, infinity - infinity}), Error);
  PointsView endless;
  endless.count = std::uint64_t{1} << 40;
  EXPECT_THROW(some.nearest(endless, {}, {1u << 20, infinity}), Error);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, NearestShapes, ::testing::ValuesIn(every_backend),
                         name_of_backend);

}  // namespace
}  // namespace sightline::testing
