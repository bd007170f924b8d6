// The walk to the nearest shapes in wide trees: its 16 bits of a distance, its rows, and what it
// visits.
#include "kernels/queries/nearest.cuh"

#include "tests/kernels/kernels_test.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

TEST(CoarseDistances, AreInTheOrderOfDistances) {
  const float some[] = {-infinity, -0x1p42f, -3.0f,    -0x1p-149f, 0.0f,
                        0x1p-149f, 0x1p-20f, 1.00001f, 0x1p42f,    infinity};
  for (std::size_t i = 1; i < std::size(some); ++i) {
    EXPECT_LE(kernels::coarse(some[i - 1]), kernels::coarse(some[i])) << some[i];
  }
  EXPECT_EQ(kernels::coarse(-0.0f), kernels::coarse(0.0f));
  EXPECT_LT(kernels::coarse(infinity), kernels::not_waiting);
  EXPECT_LT(kernels::coarse(1.0f), kernels::coarse(1.01f)) << "coarser than need be";
  Random r(1);
  for (int i = 0; i < 100000; ++i) {
    const float a = float_of(static_cast<std::uint32_t>(r.bits())), b = a * 1.01f;
    if (a != a) continue;
    EXPECT_LE(kernels::coarse(min(a, b)), kernels::coarse(max(a, b))) << a;
  }
}

/// Points all over the scene, many of them in shapes, where distances are negative.
std::vector<Vec3> places_in(const Scene& scene, std::uint64_t n, std::uint64_t seed) {
  const ShapesView shapes = scene.view();
  Random r(seed);
  std::vector<Vec3> places;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Aabb a =
        bounds_of(shapes, static_cast<std::uint32_t>(r.below(static_cast<int>(shapes.bounded()))));
    const Aabb b =
        bounds_of(shapes, static_cast<std::uint32_t>(r.below(static_cast<int>(shapes.bounded()))));
    const Vec3 in_a = {(a.min.x + a.max.x) / 2, (a.min.y + a.max.y) / 2, (a.min.z + a.max.z) / 2};
    places.push_back(i % 2 == 0 ? in_a : Vec3{in_a.x, b.min.y, in_a.z});
  }
  return places;
}

TEST(NearestOf, GivesTheRowsOfBruteForceInEveryTree) {
  for (const SceneFamily family : {SceneFamily::random, SceneFamily::city}) {
    for (const int shapes : {1, 5, 300}) {
      const TreeScene scene(make_scene(family, shapes, 2));
      if (scene.shapes.bounded() == 0) continue;
      const std::vector<Vec3> places = places_in(scene.scene, 200, 7);
      PointsView points;
      points.count = places.size();
      points.position = Vec3Column::rows(places);
      for (const std::uint32_t k : {1u, 4u}) {
        for (const float range : {infinity, 0.5f, -0.25f}) {
          std::vector<float> expected;
          std::vector<std::uint32_t> ids;
          for (const Way way : every_way) {
            Guarded<float> distance(points.count * k);
            Guarded<std::uint32_t> id(points.count * k);
            const kernels::NearestJob job = {
                scene.view(way), points, k, range, {distance.data(), id.data()}};
            for (std::uint64_t i = 0; i < points.count; ++i) kernels::nearest_of(job, i);
            if (way == Way::brute_force) {
              expected.assign(distance.data(), distance.data() + points.count * k);
              ids.assign(id.data(), id.data() + points.count * k);
            }
            EXPECT_TRUE(distance.is(expected)) << name_of(way) << ", " << shapes << ", k " << k;
            EXPECT_TRUE(id.is(ids)) << name_of(way) << ", " << shapes << ", k " << k;
          }
        }
      }
    }
  }
}

/// A point that counts the boxes to which its distance is asked.
struct CountingPoint {
  SightPoint point;
  std::uint64_t* boxes;
};
float culling_bound(const Aabb& box, const CountingPoint& q, float limit) {
  ++*q.boxes;
  return sightline::culling_bound(box, q.point, limit);
}

/// Boxes and shapes to which the distance is asked, of all places.
struct Asked {
  std::uint64_t boxes = 0, shapes = 0;
};
Asked asked_of(const kernels::WideView& wide, const std::vector<Vec3>& places) {
  Asked asked;
  for (const Vec3& place : places) {
    CountingPoint q = {{}, &asked.boxes};
    q.point.position = place;
    float distance = infinity;
    std::uint32_t id = none;
    const NearList list = {&distance, &id, 1, infinity};
    kernels::for_each_near(
        wide, q, [&] { return list.limit(); },
        [&](const auto& shape, std::uint32_t unit) {
          ++asked.shapes;
          list.offer({distance_to(shape, q.point), wide.ids[unit]});
        });
  }
  return asked;
}

// 16 bits of a distance are enough: by whole floats 13,021 boxes were asked, and as many shapes.
TEST(NearestOf, AsksFewBoxesAndShapes) {
  const TreeScene scene(make_scene(SceneFamily::city, 2000, 3));
  const std::vector<Vec3> places = places_in(scene.scene, 500, 8);
  const Asked asked = asked_of(scene.wide.view(), places);
  EXPECT_LE(asked.boxes, 13'025u);
  EXPECT_LE(asked.shapes, 1'045u);
}

}  // namespace
}  // namespace sightline::testing
