// The nearest shapes to points and segments on every backend, against all distances sorted.
#include "tests/host/door/near_rows.hpp"
#include "tests/support/backends.hpp"

#include <ctime>

namespace sightline::testing {
namespace {

class NearestShapes : public EveryBackend {
 protected:
  template <class Queries>
  void are_the_first_of_all_sorted() const {
    for (const SceneFamily family : every_family) {
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
    const Queries queries({{{3, 1, 0}}, {{11.4f, 2, 0}}, {{29, 0, 0}}});
    const NearFound before = found_by(moving, queries, {2, infinity});
    for (std::uint32_t k = 0; k < 30; ++k) {
      scene.set<Sphere>(k, {{static_cast<float>(29 - k), 0, 0}, 0.25f});
    }
    moving.update(scene);
    const NearFound after = found_by(moving, queries, {2, infinity});
    EXPECT_NE(before.id, after.id);
    expect_same(after, plain_rows(scene, queries, {2, infinity}), "moved");
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

// A list that is sorted all the time would move thousands of elements for every shape it finds.
TEST(NearestShapesOnCpu, ManyForEachCostWhatSortingDoes) {
  const Scene scene = make_scene(SceneFamily::random, 2000, 5);
  const QueryPoints queries(scene, 60, 6);
  const Caster cpu(Scene(scene), Backend::cpu, {.threads = 1});
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
