// Jumps, drops, and what they lead to.
#include "tests/host/bakes/nav/levels.hpp"

namespace sightline::testing {
namespace {

/// Two platforms with a chasm of this width between them, the second one lower by so much.
Scene chasm(float width, float lower, float wall) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {6, 6, 6}});
  scene.add_aabb({{6 + width, 0, 0}, {12 + width, 6, 6 - lower}});
  scene.add_aabb({{0, 0, -6}, {12 + width, 6, -5}});
  if (wall > 0) scene.add_aabb({{6 + width / 2, 0, 0}, {6.1f + width / 2, 6, 6 + wall}});
  return scene;
}

TEST(Nav, JumpsOverChasms) {
  const auto jumps = [](float width, float lower, float wall) {
    return bake_nav(Caster(chasm(width, lower, wall), CpuOptions{}), with_jumps()).jumps;
  };
  const NavJumps level = jumps(2, 0, 0);
  ASSERT_GT(level.size(), 0u);
  for (std::size_t k = 0; k < level.size(); ++k) {
    EXPECT_EQ(level.both_ways[k], 1);
    EXPECT_LT(level.from[k].x, 6);
    EXPECT_GT(level.to[k].x, 8);
    EXPECT_EQ(level.from[k].z, 6);
    EXPECT_EQ(level.from[k].y, level.to[k].y);
  }
  EXPECT_EQ(jumps(6, 0, 0).size(), 0u) << "too far";
  EXPECT_EQ(jumps(2, 0, 4).size(), 0u) << "a wall";
  EXPECT_GT(jumps(2, 0, 0.5f).size(), 0u) << "a low wall";
  const NavJumps fall = jumps(2, 2.5f, 0);
  ASSERT_GT(fall.size(), 0u);
  EXPECT_EQ(fall.both_ways[0], 0);
  EXPECT_EQ(fall.from[0].z, 6);
  EXPECT_EQ(fall.to[0].z, 3.5f);
  EXPECT_EQ(jumps(2, 3.5f, 0).size(), 0u) << "too deep";
  EXPECT_EQ(jumps(0.01f, 0.5f, 0).size(), 0u) << "a step";
}

TEST(Nav, DropsFromLedgesOfTheSameRegion) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {20, 10, 0}});
  for (int k = 1; k <= 4; ++k) {
    const auto f = static_cast<float>(k);
    scene.add_aabb({{4 + 2 * f, 0, 0}, {20, 4, 0.5f * f}});
  }
  const NavMap map = bake_nav(Caster(std::move(scene), CpuOptions{}), with_jumps());
  EXPECT_EQ(map.regions.size(), 1u);
  bool drops = false;
  for (std::size_t k = 0; k < map.jumps.size(); ++k) {
    drops = drops || (map.jumps.from[k].z == 2 && map.jumps.to[k].z == 0);
    EXPECT_GT(map.jumps.from[k].z - map.jumps.to[k].z, 0.9f);
  }
  EXPECT_TRUE(drops);
}

/// The body meets nothing anywhere on the parabola, not only where the pieces of it were cast.
TEST(Nav, JumpsAreFreeBetweenTheSamples) {
  std::uint64_t jumps = 0;
  for (std::uint64_t seed = 1; seed <= 2 + scaled(10); ++seed) {
    SCOPED_TRACE(seed);
    const Caster caster(some_level(seed), CpuOptions{});
    const NavMap map = bake_nav(caster, with_jumps());
    Scene bodies;
    for (std::size_t k = 0; k < map.jumps.size(); ++k) {
      const Vec3 a = map.jumps.from[k], b = map.jumps.to[k];
      const double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
      const double lift = std::sqrt(dx * dx + dy * dy) + std::abs(dz);
      for (int piece = 1; piece < 64; ++piece) {
        const double s = piece / 64.0;
        // The chords are below the parabola by lift / 1024 at most.
        const double r = 0.55 * (1 - 1.0 / 1024) - lift / 1024 - 1e-4;
        const double z = a.z + dz * s + lift * s * (1 - s) + 0.9 + 0.55;
        const auto x = static_cast<float>(a.x + dx * s), y = static_cast<float>(a.y + dy * s);
        bodies.add_sphere({{x, y, static_cast<float>(z)}, static_cast<float>(r)});
      }
    }
    std::vector<std::uint64_t> bits(bodies.size() / 64 + 1);
    bits.resize((bodies.size() + 63) / 64);
    EXPECT_EQ(caster.overlap_any(bodies, bits).overlapping, 0u);
    jumps += map.jumps.size();
  }
  EXPECT_GT(jumps, 0u);
}

TEST(Nav, KeepsWhatCanBeReached) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {6, 6, 5}});
  scene.add_aabb({{8, 0, 0}, {14, 6, 5}});
  scene.add_aabb({{16, 0, 0}, {22, 6, 2.5f}});
  scene.add_aabb({{40, 0, 0}, {46, 6, 5}});
  const Caster caster(std::move(scene), CpuOptions{});
  const auto kept = [&](Vec3 from, NavOptions options) {
    options.from.position = from;
    return bake_nav(caster, options);
  };
  EXPECT_EQ(bake_nav(caster).regions.size(), 4u);
  const NavMap alone = kept({11, 3, 6}, {});
  ASSERT_EQ(alone.regions.size(), 1u);
  EXPECT_GT(alone.regions[0].min.x, 8);
  for (std::uint64_t i = 0; i < alone.spans(); ++i) {
    EXPECT_EQ(alone.region[i] == 0, is_walkable(alone, i));
  }
  EXPECT_EQ(kept({11, 3, 6}, with_jumps()).regions.size(), 3u);
  const NavMap below = kept({20, 3, 4}, with_jumps());
  EXPECT_EQ(below.regions.size(), 1u) << "nobody jumps that high";
  EXPECT_EQ(below.jumps.size(), 0u);
  EXPECT_EQ(kept({11, 3, 4}, {}).regions.size(), 0u) << "below the floor";
  EXPECT_EQ(kept({-1, 3, 6}, {}).regions.size(), 0u) << "outside";
}

}  // namespace
}  // namespace sightline::testing
