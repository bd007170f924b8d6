// The nearest shapes to points and segments on every backend, against all distances sorted.
#include "tests/host/door/near_rows.hpp"
#include "tests/support/backends.hpp"

#include <cmath>
#include <ctime>
#include <limits>

namespace sightline::testing {
namespace {

class NearestShapes : public EveryBackend {
 protected:
  template <class Queries>
  void are_the_first_of_all_sorted() const {
    for (const SceneFamily family : families_but_cylinders) {
      for (std::uint64_t seed = 1; seed <= scaled(8); ++seed) {
        const Scene scene = make_scene(family, seed % 4 == 0 ? 3 : 150, seed);
        const Queries queries(scene, 150, seed + 50);
        const Caster some = caster(scene);
        const float size = max_abs(minus(scene.bounds().max, scene.bounds().min));
        for (const NearestOptions& options : {NearestOptions{},
                                              {5, infinity},
                                              {3, 0.05f * size},
                                              {200, infinity},
                                              {2, 0},
                                              {90, infinity},
                                              {64, 0.2f * size}}) {
          const std::string what = name_of(family) + (", seed " + std::to_string(seed)) + ", k " +
                                   std::to_string(options.k) + ", range " +
                                   std::to_string(options.range);
          expect_same(found_by(some, queries, options), plain_rows(scene, queries, options), what);
          if (HasFatalFailure()) return;
        }
      }
    }
  }

  template <class Queries>
  void of_many() const {
    const Scene scene = make_scene(SceneFamily::city, 60, 8);
    const Queries queries(scene, 1700, 9);
    const NearestOptions options = {2, infinity};
    expect_same(found_by(caster(scene), queries, options), plain_rows(scene, queries, options),
                "many");
  }

  template <class Queries>
  void follow_shapes_that_move() const {
    Scene scene;
    for (int k = 0; k < 30; ++k) scene.add_sphere({{static_cast<float>(k), 0, 0}, 0.25f});
    Caster moving = caster(scene);
    std::vector<SightPoint> points = {{{3, 1, 0}}, {{11.4f, 2, 0}}, {{29, 0, 0}}};
    while (points.size() < 70) points.push_back(points[points.size() - 3]);
    const Queries queries(points);
    for (const std::uint32_t k : {1u, 2u}) {
      const NearestOptions options = {k, infinity};
      const NearFound before = found_by(moving, queries, options);
      for (std::uint32_t i = 0; i < 30; ++i) {
        const float x = static_cast<float>(k == 1 ? 29 - i : i);
        scene.set<Sphere>(i, {{x, 0, 0}, 0.25f});
      }
      moving.update(scene);
      const NearFound after = found_by(moving, queries, options);
      EXPECT_NE(before.id, after.id);
      expect_same(after, plain_rows(scene, queries, options), "moved");
    }
  }

  template <class Queries>
  void among_equals_are_the_lowest_ids() const {
    Scene scene;
    for (int k = 0; k < 200; ++k) scene.add_sphere({{static_cast<float>(k % 5), 0, 0}, 0.25f});
    const Queries queries({{{1, 0, 0}}, {{1.5f, 0, 0}}, {{-7, 3, 2}}, {{6, 0, 0}}});
    for (const std::uint32_t k : {60u, 130u}) {
      const NearestOptions options = {k, infinity};
      expect_same(found_by(caster(scene), queries, options), plain_rows(scene, queries, options),
                  "equals");
    }
  }

  template <class Queries>
  void in_nothing_and_for_nobody() const {
    const NearFound found =
        found_by(caster(Scene()), Queries(std::vector<SightPoint>{{{1, 2, 3}}}), {2, infinity});
    EXPECT_EQ(found.id, std::vector<std::uint32_t>({none, none}));
    EXPECT_EQ(found.distance, std::vector<float>({infinity, infinity}));
    const Caster some = caster(make_scene(SceneFamily::city, 9, 1));
    EXPECT_EQ(found_by(some, Queries(), {}).report.points, 0u);
  }

  template <class Queries>
  void refuse_what_means_nothing() const {
    const Caster some = caster(make_scene(SceneFamily::random, 5, 1));
    const Queries one(std::vector<SightPoint>{{{1, 2, 3}}});
    const auto view = one.view();
    NearFound found(1);
    EXPECT_THROW(ask(some, view, found.view(view), {0, 1}), Error);
    EXPECT_THROW(ask(some, view, found.view(view), {1, -1}), Error);
    EXPECT_THROW(ask(some, view, found.view(view), {1, infinity - infinity}), Error);
    EXPECT_EQ(found.id[0], 77u) << "something was written";
  }
};

TEST_P(NearestShapes, OfPointsAreTheFirstOfAllSorted) {
  are_the_first_of_all_sorted<QueryPoints>();
}
TEST_P(NearestShapes, OfSegmentsAreTheFirstOfAllSorted) {
  are_the_first_of_all_sorted<QuerySegments>();
}

// So many that every thread gets several parts.
TEST_P(NearestShapes, OfMany) {
  of_many<QueryPoints>();
  of_many<QuerySegments>();
}

TEST_P(NearestShapes, FollowShapesThatMove) {
  follow_shapes_that_move<QueryPoints>();
  follow_shapes_that_move<QuerySegments>();
}

// Many equal shapes: the lowest ids, whatever the tree. Segments meet many of them.
TEST_P(NearestShapes, AmongEqualsTheLowestIds) {
  among_equals_are_the_lowest_ids<QueryPoints>();
  among_equals_are_the_lowest_ids<QuerySegments>();
}

TEST_P(NearestShapes, OfPointsWriteOnlyWhatIsAskedFor) {
  const Scene scene = make_scene(SceneFamily::random, 40, 3);
  const QueryPoints queries(scene, 70, 4);
  const PointsView points = queries.view();
  const Caster some = caster(scene);
  const NearFound all = found_by(some, queries, {2, infinity});
  NearFound one(140);
  some.nearest(points, {.point = one.point}, {2, infinity});
  EXPECT_TRUE(same_bytes(one.point, all.point));
  some.nearest(points, {.distance = one.distance}, {2, infinity});
  EXPECT_TRUE(same_bytes(one.distance, all.distance));
  some.nearest(points, {.id = one.id}, {2, infinity});
  EXPECT_EQ(one.id, all.id);
  some.nearest(points, {.direction = one.direction}, {2, infinity});
  EXPECT_TRUE(same_bytes(one.direction, all.direction));
  EXPECT_EQ(some.nearest(points, {}, {2, infinity}).found, all.report.found);
}

TEST_P(NearestShapes, OfSegmentsWriteOnlyWhatIsAskedFor) {
  const Scene scene = make_scene(SceneFamily::random, 40, 3);
  const QuerySegments queries(scene, 70, 4);
  const PointPairsView segments = queries.view();
  const Caster some = caster(scene);
  const NearFound all = found_by(some, queries, {2, infinity});
  NearFound one(140);
  const auto clearance = [&](const ClearanceArrays& out) {
    return some.clearance(segments.from, segments.to, out, {2, infinity});
  };
  clearance({.distance = one.distance});
  EXPECT_TRUE(same_bytes(one.distance, all.distance));
  clearance({.id = one.id});
  EXPECT_EQ(one.id, all.id);
  clearance({.t = one.t});
  EXPECT_TRUE(same_bytes(one.t, all.t));
  clearance({.on_segment = one.point});
  EXPECT_TRUE(same_bytes(one.point, all.point));
  clearance({.on_shape = one.direction});
  EXPECT_TRUE(same_bytes(one.direction, all.direction));
  EXPECT_EQ(clearance({}).found, all.report.found);
}

// Where fewer than k are found, the range is how far the next points look: twice it is no float.
TEST_P(NearestShapes, WithinTheLargestRanges) {
  const Scene scene = make_scene(SceneFamily::random, 150, 7);
  const QueryPoints queries(scene, 80, 8);
  const Caster judge(scene, ReferenceOptions{});
  for (const float range : {1e37f, 3e38f, std::numeric_limits<float>::max()}) {
    for (const std::uint32_t k : {3u, 151u}) {
      const NearestOptions options{k, range};
      const NearFound all = found_by(judge, queries, options);
      const NearFound found = found_by(caster(scene), queries, options);
      EXPECT_EQ(found.report, all.report) << range << ", " << k;
      EXPECT_EQ(found.id, all.id) << range << ", " << k;
      EXPECT_TRUE(same_bytes(found.distance, all.distance)) << range << ", " << k;
    }
  }
}

TEST_P(NearestShapes, InNothingAndForNobody) {
  in_nothing_and_for_nobody<QueryPoints>();
  in_nothing_and_for_nobody<QuerySegments>();
}

TEST_P(NearestShapes, RefuseWhatMeansNothing) {
  refuse_what_means_nothing<QueryPoints>();
  refuse_what_means_nothing<QuerySegments>();
  const Caster some = caster(make_scene(SceneFamily::random, 5, 1));
  PointsView endless, other;
  endless.count = std::uint64_t{1} << 40;
  EXPECT_THROW(some.nearest(endless, {}, {1u << 20, infinity}), Error);
  EXPECT_THROW(some.clearance(endless, endless, {}, {1u << 20, infinity}), Error);
  other.count = 3;
  EXPECT_THROW(some.clearance(other, {}, {}, {}), Error);
}

// A segment that passes two pillars at a distance of its own, meets one, and lies on one.
TEST_P(NearestShapes, OfSegmentsAreWherePeopleExpectThem) {
  Scene scene;
  scene.add_aabb({{-1, -1, 0}, {1, 1, 3}});
  scene.add_capsule({{10, 0, 0}, {10, 0, 3}, 0.5f});
  const Caster some = caster(scene);
  const QuerySegments queries(
      std::vector<SightPoint>{{{-5, 3, 1}}, {{15, 3, 1}}, {{10, -9, 2}}, {{0, 1, 2}}});
  const NearFound found = found_by(some, queries, {2, infinity});
  EXPECT_EQ(found.id, std::vector<std::uint32_t>({0, 1, 1, 0, 0, 1, 0, 1}));
  EXPECT_EQ(found.distance[0], 2);
  EXPECT_EQ(found.distance[1], 2.5f);
  EXPECT_EQ(found.t[1], 0.75f);
  EXPECT_EQ(found.point[1].x, 10);
  EXPECT_EQ(found.direction[1].y, 0.5f);
  EXPECT_EQ(found.distance[4], 0);
  EXPECT_EQ(found.distance[6], 0);
}

/// Points without exclusions; every fifth may have a mask that admits nothing.
struct PlainPoints {
  std::vector<SightPoint> points;
  bool masks = false;

  PointsView view() const {
    PointsView v = rows_of(points);
    v.exclude = v.exclude_group = none;
    if (!masks) v.mask = 0xFFFFFFFFu;
    return v;
  }
};

// Without filters points have a way of their own on the cpu over few shapes: eight at a time.
TEST_P(NearestShapes, OfPointsWithoutFilters) {
  std::uint64_t seed = 0, found = 0;
  for (const SceneFamily family : families_but_cylinders) {
    for (const int size : {0, 1, 2, 63, 64, 65, 128, 129, 300}) {
      const Scene all = make_scene(family, std::max(size, 30), ++seed);
      Scene scene;
      ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
        for (std::uint32_t i = 0; i < all.view().count(kind_for<S>); ++i) {
          const bool wanted = !is_bounded<S> || scene.size() < static_cast<std::uint32_t>(size);
          if (wanted) scene.add(all.get<Given<S>>(i));
        }
      });
      const Caster some = caster(scene);
      for (const std::uint64_t n : {63u, 64u, 65u, 500u}) {
        PlainPoints queries = {QueryPoints(all, n, seed + n).points, n == 65};
        for (std::uint64_t i = 0; i < n; ++i) queries.points[i].mask = i % 5 == 0 ? 0 : 6;
        for (const float range : {infinity, 1.0f, 0.0f}) {
          const NearestOptions options = {1, range};
          const NearFound answers = found_by(some, queries, options);
          expect_same(answers, plain_rows(scene, queries, options),
                      name_of(family) + (", " + std::to_string(size)) + " shapes, " +
                          std::to_string(n) + " points");
          if (HasFatalFailure()) return;
          found += answers.report.found;
        }
      }
    }
  }
  EXPECT_GT(found, 5000u);
}

// Of equals the first, wherever it comes in a vector; of shapes without extent, in and around them.
TEST_P(NearestShapes, OfPointsAmongEqualsInASmallSet) {
  Scene scene;
  for (int k = 0; k < 20; ++k) {
    const float x = static_cast<float>(k % 3);
    scene.add_aabb({{x, 0, 0}, {x, 1, 1}});  // flat
    scene.add_sphere({{x, 0.5f, 0.5f}, 0});
    scene.add_capsule({{x, 0, 0}, {x, 1, 1}, 0});
    scene.add_obb({{x, 0.5f, 0.5f}, {0, 0.5f, 0.5f}, {0, 0, 0, 1}});
  }
  scene.add_sphere({{0x1p39f, 0, 0}, 0x1p38f});
  scene.add_aabb({{-0x1p40f, -0x1p40f, -0x1p40f}, {-0x1p39f, 0x1p40f, 0x1p40f}});
  scene.add_obb({{0, 0, 0x1p36f}, {0x1p35f, 1, 0x1p35f}, {0.6f, 0, 0, 0.8f}});
  scene.add_capsule({{0, 0x1p37f, 0}, {0, 0x1p38f, 0}, 1});
  PlainPoints queries;
  for (int k = 0; k < 200; ++k) {
    const float x = static_cast<float>(k % 4), y = 0.25f * static_cast<float>(k % 7);
    const float far = std::ldexp(1.0f, k % 41);
    queries.points.push_back({k % 3 == 0 ? Vec3{far, -far, far} : Vec3{x, y, 0.5f}});
  }
  queries.points[100].position.z = std::nanf("");
  for (const float range : {infinity, 0.25f}) {
    expect_same(found_by(caster(scene), queries, {1, range}),
                plain_rows(scene, queries, {1, range}), "equals");
  }
}

// A list that is sorted all the time would move thousands of elements for every shape it finds.
TEST(NearestShapesOnCpu, ManyForEachCostWhatSortingDoes) {
  const Scene scene = make_scene(SceneFamily::random, 2000, 5);
  const QueryPoints queries(scene, 60, 6);
  const Caster cpu(Scene(scene), CpuOptions{.threads = 1});
  const NearestOptions options = {8000, infinity};
  double least[2] = {infinity, infinity};
  for (int run = 0; run < 3; ++run) {
    const std::clock_t begin = std::clock();
    const NearFound found = found_by(cpu, queries, options);
    const std::clock_t middle = std::clock();
    const NearFound expected = plain_rows(scene, queries, options);
    least[0] = std::min(least[0], static_cast<double>(middle - begin));
    least[1] = std::min(least[1], static_cast<double>(std::clock() - middle));
    expect_same(found, expected, "2000 shapes for each");
  }
  EXPECT_LT(least[0], 5 * least[1]);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, NearestShapes, ::testing::ValuesIn(every_backend),
                         name_of_backend);

}  // namespace
}  // namespace sightline::testing
