// Floors of small scenes whose answers are known.
#include "tests/host/bakes/nav/levels.hpp"

namespace sightline::testing {
namespace {

TEST(Nav, FindsBothFloorsOfABridge) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {12, 12, 0}});
  scene.add_aabb({{0, 4, 2.5f}, {12, 8, 3}});
  const NavMap map = bake_nav(Caster(std::move(scene), ReferenceOptions{}));
  const std::uint64_t below = span_at(map, 6, 6, 0), above = span_at(map, 6, 6, 1);
  EXPECT_EQ(map.headroom[below], 2.5f);
  EXPECT_EQ(map.headroom[above], infinity);
  EXPECT_TRUE(is_walkable(map, below));
  EXPECT_TRUE(is_walkable(map, above));
  EXPECT_NE(map.region[below], map.region[above]);
  EXPECT_EQ(map.region[below], map.region[span_at(map, 6, 2, 0)]);
  EXPECT_EQ(map.regions.size(), 2u);
}

TEST(Nav, WalksUpStairsAndNotUpWalls) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {20, 4, 0}});
  for (int k = 1; k <= 5; ++k) {  // each as high as the climb
    const auto f = static_cast<float>(k);
    scene.add_aabb({{2 + 2 * f, 0, 0}, {20, 4, 0.9f * f}});
  }
  scene.add_aabb({{16, 0, 0}, {20, 4, 0.9f * 5 + 1}});
  const NavMap map = bake_nav(Caster(std::move(scene), ReferenceOptions{}));
  const std::uint64_t ground = span_at(map, 2, 2, 0), top = span_at(map, 14, 2, 0);
  const std::uint64_t wall = span_at(map, 18, 2, 0);
  EXPECT_EQ(map.top[top], 4.5f);
  EXPECT_TRUE(is_walkable(map, ground));
  EXPECT_EQ(map.region[ground], map.region[top]);
  EXPECT_TRUE(is_walkable(map, wall));
  EXPECT_NE(map.region[top], map.region[wall]);
}

TEST(Nav, JudgesSlopesByTheShape) {
  for (const float degrees : {10.0f, 44.0f, 45.0f, 46.0f, 80.0f}) {
    Scene scene;
    const double half = degrees * 3.14159265358979 / 360;
    scene.add_obb({{0, 0, 0},
                   {8, 8, 0.5f},
                   {0, static_cast<float>(std::sin(half)), 0, static_cast<float>(std::cos(half))}});
    const NavMap map = bake_nav(Caster(std::move(scene), ReferenceOptions{}));
    const std::uint64_t middle = span_at(map, 0, 0, 0);
    EXPECT_NEAR(map.slope_cosine[middle], std::cos(degrees * 3.14159265358979 / 180), 1e-6);
    EXPECT_EQ((map.flags[middle] & nav_flags::surface) != 0, degrees <= 45) << degrees;
  }
}

TEST(Nav, DoesNotStumbleOverTheSlopeOnWhichOneStands) {
  Scene scene;
  const float half = 0.5f * 40 * 3.14159265f / 180;
  scene.add_obb({{0, 0, 0}, {8, 8, 0.5f}, {0, std::sin(half), 0, std::cos(half)}});
  NavOptions options;
  options.agent.climb = 0.3f;  // the slope rises by half a unit within the radius
  const NavMap map = bake_nav(Caster(std::move(scene), ReferenceOptions{}), options);
  const std::uint64_t middle = span_at(map, 0, 0, 0);
  EXPECT_EQ(map.clearance[middle], map.range);
  EXPECT_TRUE(is_walkable(map, middle));
}

TEST(Nav, TakesTheHighestOfShapesThatOverlap) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {3, 3, 4}});
  scene.add_aabb({{0, 0, 1}, {3, 3, 2}});
  scene.add_aabb({{0, 0, 3}, {3, 3, 5}});
  const NavMap map = bake_nav(Caster(std::move(scene), ReferenceOptions{}));
  const std::uint64_t only = span_at(map, 1, 1, 0);
  EXPECT_EQ(map.bottom[only], 0);
  EXPECT_EQ(map.top[only], 5);
  EXPECT_EQ(map.shape[only], 2u);
  EXPECT_EQ(map.spans(), map.grid.columns());
  Scene buried;
  buried.add_aabb({{0, 0, 0}, {3, 3, 4}});
  buried.add_aabb({{0, 0, 1}, {3, 3, 2}});
  const NavMap other = bake_nav(Caster(std::move(buried), ReferenceOptions{}));
  EXPECT_EQ(other.top[only], 4);
  EXPECT_EQ(other.shape[only], 0u);
}

TEST(Nav, StopsAtWallsThatNoColumnMeets) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {12, 6, 0}});
  scene.add_aabb({{6.01f, 0, 0}, {6.02f, 6, 3}});  // between two columns
  const NavMap map = bake_nav(Caster(std::move(scene), ReferenceOptions{}));
  const std::uint64_t left = span_at(map, 3, 3, 0), right = span_at(map, 9, 3, 0);
  EXPECT_TRUE(is_walkable(map, left));
  EXPECT_TRUE(is_walkable(map, right));
  EXPECT_NE(map.region[left], map.region[right]);
  const std::uint64_t beside = span_at(map, 5.0f, 3, 0);
  EXPECT_NEAR(map.clearance[beside], 6.01f - 4.95f, 1e-5);
}

TEST(Nav, TakesPlanesAndBoundsOfTheCaller) {
  Scene scene;
  scene.add_plane({{0, 0, 1}, 0.5f});
  scene.add_plane({{0, 0, -1}, -4});  // a ceiling at 4
  const Caster caster(std::move(scene), ReferenceOptions{});
  EXPECT_THROW(bake_nav(caster), Error);
  NavOptions options;
  options.bounds = {{0, 0, 0}, {6, 6, 6}};
  const NavMap map = bake_nav(caster, options);
  const std::uint64_t middle = span_at(map, 3, 3, 0);
  EXPECT_EQ(map.top[middle], 0.5f);
  EXPECT_EQ(map.headroom[middle], 3.5f);
  EXPECT_TRUE(is_walkable(map, middle));
  EXPECT_EQ(map.top[middle + 1], infinity);
  EXPECT_EQ(map.bottom[middle + 1], 4);
  EXPECT_EQ(map.flags[middle + 1], 0);
}

}  // namespace
}  // namespace sightline::testing
