// Which shapes points stand over.
#include "host/program/jobs/bakes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sightline::cli {
namespace {

std::vector<bool> under(const Scene& scene, std::vector<Vec3> at, UpAxis up, float lift = 0) {
  PointsView points;
  points.position = Vec3Column::rows(at);
  const std::vector<bool> floors =
      floors_under(Caster(scene, ReferenceOptions{}), points, up, lift);
  EXPECT_EQ(floors, floors_under(Caster(scene, CpuOptions{}), points, up, lift));
  return floors;
}

TEST(Floors, AreWhatIsFirstBelowPoints) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {10, 10, 0}});   // a floor
  scene.add_aabb({{0, 0, -4}, {10, 10, -3}});  // one below it
  scene.add_aabb({{4, 0, 0}, {5, 10, 3}});     // a wall with a point in it
  scene.add_aabb({{0, 0, 6}, {10, 10, 7}});    // a ceiling
  scene.add_sphere({{2, 2, 1}, 0.5f});         // what one point stands over
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(under(scene, {{2, 2, 2}, {8, 8, 2}, {4.5f, 3, 1}, {nan, 0, 0}}, UpAxis::z),
            (std::vector<bool>{true, false, false, false, true}));
  EXPECT_EQ(under(scene, {}, UpAxis::z), std::vector<bool>(5, false));
}

TEST(Floors, OfFeetThatSinkInAreFoundFromHigherUp) {
  Scene scene;
  scene.add_aabb({{0, -1, 0}, {10, 0, 10}});
  EXPECT_EQ(under(scene, {{2, -0.1f, 2}}, UpAxis::y), std::vector<bool>{false});
  EXPECT_EQ(under(scene, {{2, -0.1f, 2}}, UpAxis::y, 0.9f), std::vector<bool>{true});
}

TEST(PointsInside, AreThoseInAndOnShapes) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {4, 4, 4}});
  scene.add_sphere({{10, 0, 0}, 2});
  const std::vector<Vec3> at = {{2, 2, 2}, {4, 1, 1},  {4.01f, 1, 1}, {10, 0, 1},
                                {7, 0, 0}, {12, 0, 0}, {NAN, 0, 0}};
  PointsView points;
  points.position = at;
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    EXPECT_EQ(points_inside(Caster(scene, default_options(backend)), points),
              (std::vector<bool>{true, true, false, true, false, true, false}));
  }
}

}  // namespace
}  // namespace sightline::cli
