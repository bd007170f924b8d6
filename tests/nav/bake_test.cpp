// Bakes of small scenes whose answers are known, and what they have in common on every backend.
#include "tests/oracle/dice.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/closest/pillar.hpp>
#include <sightline/nav.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sightline::testing {
namespace {

template <class T>
void expect_same_values(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) << what;
}

/// Everything but the ids of shapes, which may have other numbers.
void expect_same_map(const NavMap& a, const NavMap& b) {
  expect_same_values(a.offsets, b.offsets, "offsets");
  expect_same_values(a.bottom, b.bottom, "bottom");
  expect_same_values(a.top, b.top, "top");
  expect_same_values(a.headroom, b.headroom, "headroom");
  expect_same_values(a.upness, b.upness, "upness");
  expect_same_values(a.clearance, b.clearance, "clearance");
  expect_same_values(a.border, b.border, "border");
  expect_same_values(a.flags, b.flags, "flags");
  expect_same_values(a.ledges, b.ledges, "ledges");
  expect_same_values(a.links, b.links, "links");
  expect_same_values(a.region, b.region, "region");
  expect_same_values(a.jumps.from, b.jumps.from, "jumps from");
  expect_same_values(a.jumps.to, b.jumps.to, "jumps to");
  expect_same_values(a.jumps.spans, b.jumps.spans, "jumps' spans");
  expect_same_values(a.jumps.both_ways, b.jumps.both_ways, "jumps both ways");
}

NavOptions with_jumps() {
  NavOptions options;
  options.jumps = {5, 1, 3};
  return options;
}

/// Some of everything, near together, over a ground.
Scene some_level(std::uint64_t seed) {
  oracle::Dice dice(seed);
  const auto within = [&](double low, double high) {
    return static_cast<float>(dice.uniform(low, high));
  };
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {20, 20, 0}});
  for (int i = 0; i < 8; ++i) {
    const Vec3 p = {within(0, 20), within(0, 20), within(-1, 4)};
    scene.add_aabb({p, {p.x + within(0, 4), p.y + within(0, 4), p.z + within(0, 1.5)}});
    const float half = within(0, 3.14);
    scene.add_obb({{within(0, 20), within(0, 20), within(-1, 3)},
                   {within(1, 4), within(1, 4), within(0, 0.5)},
                   {std::sin(half) * 0.6f, std::sin(half) * 0.8f, 0, std::cos(half)}});
    scene.add_sphere({{within(0, 20), within(0, 20), within(-1, 3)}, within(0, 2)});
    scene.add_capsule({{within(0, 20), within(0, 20), within(0, 3)},
                       {within(0, 20), within(0, 20), within(0, 3)},
                       within(0, 0.4)});
  }
  if (dice.chance(0.3)) scene.add_plane({{0, 0, 1}, 0.25f});
  if (dice.chance(0.3)) scene.add_plane({{0, 0.6f, 0.8f}, 0.25f});
  return scene;
}

class NavBackends : public EveryBackend {};

TEST_P(NavBackends, GiveTheSameBytes) {
  std::uint64_t walkable = 0, jumps = 0;
  for (std::uint64_t seed = 1; seed <= 2 + scaled(10); ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = some_level(seed);
    const NavMap expected = bake_nav(Caster(scene, Backend::reference), with_jumps());
    const NavMap found = bake_nav(caster(scene), with_jumps());
    expect_same_map(expected, found);
    expect_same_values(expected.shape, found.shape, "shape");
    for (const std::uint8_t f : found.flags) walkable += (f & nav_flags::walkable) != 0;
    jumps += found.jumps.size();
  }
  EXPECT_GT(walkable, 0u);
  EXPECT_GT(jumps, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, NavBackends, ::testing::ValuesIn(every_backend), name_of_backend);

TEST(Nav, DoesNotDependOnTheOrderOfShapes) {
  for (std::uint64_t seed = 1; seed <= scaled(12); ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = some_level(seed);
    const NavMap a = bake_nav(Caster(scene, Backend::cpu));
    const NavMap b = bake_nav(Caster(shuffled(scene, seed + 100), Backend::cpu));
    // Ties of tops are the only thing that ids decide; these levels have none.
    expect_same_map(a, b);
  }
}

TEST(Nav, DoesNotDependOnWhichAxisIsUp) {
  for (std::uint64_t seed = 1; seed <= scaled(12); ++seed) {
    SCOPED_TRACE(seed);
    const Scene all = some_level(seed);
    Scene z_up, y_up;
    for (std::uint32_t i = 0; i < all.count(Kind::aabb); ++i) {
      z_up.add_aabb(all.aabb(i));
      y_up.add_aabb(upright(all.aabb(i), UpAxis::y));
    }
    for (std::uint32_t i = 0; i < all.count(Kind::sphere); ++i) {
      z_up.add_sphere(all.sphere(i));
      y_up.add_sphere(upright(all.sphere(i), UpAxis::y));
    }
    NavOptions options;
    options.bounds = {{0, 0, -1}, {20, 20, 6}};
    const NavMap a = bake_nav(Caster(std::move(z_up), Backend::cpu), options);
    options.bounds = upright(options.bounds, UpAxis::y);
    options.up = UpAxis::y;
    NavMap b = bake_nav(Caster(std::move(y_up), Backend::cpu), options);
    ASSERT_EQ(a.spans(), b.spans());
    for (std::uint64_t i = 0; i < a.spans(); ++i) EXPECT_NEAR(a.upness[i], b.upness[i], 1e-6);
    b.upness = a.upness;  // the length of a normal is summed in the order x, y, z
    expect_same_map(a, b);
  }
}

/// Where one may walk, the agent's body meets nothing but what it stands on.
TEST(Nav, LeavesRoomForTheBody) {
  std::uint64_t asked = 0;
  for (std::uint64_t seed = 1; seed <= scaled(12); ++seed) {
    SCOPED_TRACE(seed);
    const Caster caster(some_level(seed), Backend::cpu);
    NavOptions options;
    options.agent.climb = 0.3f;
    options.agent.radius = 0.5f;
    const NavMap map = bake_nav(caster, options);
    Scene bodies;
    std::vector<std::uint32_t> stands_on;
    for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
      for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
        if ((map.flags[i] & nav_flags::walkable) == 0) continue;
        const float r = 0.499f, low = map.top[i] + 0.301f + r, high = map.top[i] + 1.999f - r;
        bodies.add_capsule({map.grid.at(c, low), map.grid.at(c, high), r});
        stands_on.push_back(map.shape[i]);
      }
    }
    const OverlapRows rows = caster.overlap_all(bodies);
    for (std::size_t i = 0; i < stands_on.size(); ++i) {
      for (std::uint64_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
        EXPECT_EQ(rows.ids[k], stands_on[i]) << "body " << i;
      }
    }
    asked += stands_on.size();
  }
  EXPECT_GT(asked, 100u);
}

/// Every shape asked for itself, with no tree and no box around what is near.
TEST(Nav, FindsTheClearancesOfBruteForce) {
  std::uint64_t near = 0;
  for (std::uint64_t seed = 1; seed <= 2 + scaled(10); ++seed) {
    SCOPED_TRACE(seed);
    const Caster caster(some_level(seed), Backend::cpu);
    const NavMap map = bake_nav(caster);
    const ShapesView shapes = caster.scene().view();
    const double slack = 0.2f / 1024.0;
    for (std::uint64_t c = 0; c < map.grid.columns(); c += 7) {
      for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
        if ((map.flags[i] & nav_flags::surface) == 0) continue;
        const Vec3 at = map.grid.at(c, 0);
        const Pillar body = {at.x, at.y, map.top[i] + double{map.agent.climb} + slack,
                             map.top[i] + double{map.agent.height} - slack};
        double least = map.range;
        for (std::uint32_t id = 0; id < shapes.size(); ++id) {
          if (id == map.shape[i]) continue;
          least = std::min(least, shapes.visit(id, [&](const auto& shape) {
            return horizontal_distance(body, shape);
          }));
        }
        ASSERT_EQ(map.clearance[i], static_cast<float>(least)) << "span " << i;
        if (map.clearance[i] < map.range) ++near;
      }
    }
  }
  EXPECT_GT(near, 100u);
}

std::uint64_t span_at(const NavMap& map, float x, float y, int layer) {
  const auto i = static_cast<std::uint64_t>((x - map.grid.bounds.min.x) / map.grid.cell);
  const auto j = static_cast<std::uint64_t>((y - map.grid.bounds.min.y) / map.grid.cell);
  const std::uint64_t first = map.offsets[j * map.grid.width + i];
  EXPECT_LT(first + static_cast<std::uint64_t>(layer), map.offsets[j * map.grid.width + i + 1]);
  return first + static_cast<std::uint64_t>(layer);
}
bool is_walkable(const NavMap& map, std::uint64_t span) {
  return (map.flags[span] & nav_flags::walkable) != 0;
}

TEST(Nav, FindsBothFloorsOfABridge) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {12, 12, 0}});
  scene.add_aabb({{0, 4, 2.5f}, {12, 8, 3}});
  const NavMap map = bake_nav(Caster(std::move(scene), Backend::reference));
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
  const NavMap map = bake_nav(Caster(std::move(scene), Backend::reference));
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
    const NavMap map = bake_nav(Caster(std::move(scene), Backend::reference));
    const std::uint64_t middle = span_at(map, 0, 0, 0);
    EXPECT_NEAR(map.upness[middle], std::cos(degrees * 3.14159265358979 / 180), 1e-6);
    EXPECT_EQ((map.flags[middle] & nav_flags::surface) != 0, degrees <= 45) << degrees;
  }
}

TEST(Nav, DoesNotStumbleOverTheSlopeOnWhichOneStands) {
  Scene scene;
  const float half = 0.5f * 40 * 3.14159265f / 180;
  scene.add_obb({{0, 0, 0}, {8, 8, 0.5f}, {0, std::sin(half), 0, std::cos(half)}});
  NavOptions options;
  options.agent.climb = 0.3f;  // the slope rises by half a unit within the radius
  const NavMap map = bake_nav(Caster(std::move(scene), Backend::reference), options);
  const std::uint64_t middle = span_at(map, 0, 0, 0);
  EXPECT_EQ(map.clearance[middle], map.range);
  EXPECT_TRUE(is_walkable(map, middle));
}

TEST(Nav, TakesTheHighestOfShapesThatOverlap) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {3, 3, 4}});
  scene.add_aabb({{0, 0, 1}, {3, 3, 2}});
  scene.add_aabb({{0, 0, 3}, {3, 3, 5}});
  const NavMap map = bake_nav(Caster(std::move(scene), Backend::reference));
  const std::uint64_t only = span_at(map, 1, 1, 0);
  EXPECT_EQ(map.bottom[only], 0);
  EXPECT_EQ(map.top[only], 5);
  EXPECT_EQ(map.shape[only], 2u);
  EXPECT_EQ(map.spans(), map.grid.columns());
  Scene buried;
  buried.add_aabb({{0, 0, 0}, {3, 3, 4}});
  buried.add_aabb({{0, 0, 1}, {3, 3, 2}});
  const NavMap other = bake_nav(Caster(std::move(buried), Backend::reference));
  EXPECT_EQ(other.top[only], 4);
  EXPECT_EQ(other.shape[only], 0u);
}

TEST(Nav, StopsAtWallsThatNoColumnMeets) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {12, 6, 0}});
  scene.add_aabb({{6.01f, 0, 0}, {6.02f, 6, 3}});  // between two columns
  const NavMap map = bake_nav(Caster(std::move(scene), Backend::reference));
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
  const Caster caster(std::move(scene), Backend::reference);
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
    return bake_nav(Caster(chasm(width, lower, wall), Backend::cpu), with_jumps()).jumps;
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
  const NavMap map = bake_nav(Caster(std::move(scene), Backend::cpu), with_jumps());
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
    const Caster caster(some_level(seed), Backend::cpu);
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
  const Caster caster(std::move(scene), Backend::cpu);
  const auto kept = [&](Vec3 from, NavOptions options) {
    options.from.count = 1;
    options.from.position = Vec3Column::rows(&from);
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

TEST(Nav, RefusesWhatMakesNoSense) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {6, 6, 1}});
  const Caster caster(std::move(scene), Backend::reference);
  const auto refuses = [&](const auto& change) {
    NavOptions o;
    change(o);
    EXPECT_THROW(bake_nav(caster, o), Error);
  };
  refuses([](NavOptions& o) { o.cell = 0; });
  refuses([](NavOptions& o) { o.cell = std::nanf(""); });
  refuses([](NavOptions& o) { o.cell = 1e-9f; });
  refuses([](NavOptions& o) { o.cell_height = -1; });
  refuses([](NavOptions& o) { o.agent.climb = 2; });
  refuses([](NavOptions& o) { o.agent.height = infinity; });
  refuses([](NavOptions& o) { o.agent.slope = 91; });
  refuses([](NavOptions& o) { o.agent.radius = 30; });
  refuses([](NavOptions& o) { o.range = 20; });
  refuses([](NavOptions& o) { o.bounds.min = {std::nanf(""), 0, 0}, o.bounds.max = {1, 1, 1}; });
  refuses([](NavOptions& o) { o.max_bytes = 1000; });
  refuses([](NavOptions& o) { o.jumps.distance = 100; });
  refuses([](NavOptions& o) { o.jumps = {1, -1, 1}; });
  refuses([](NavOptions& o) { o.jumps = {1, 1, std::nanf("")}; });
}

}  // namespace
}  // namespace sightline::testing
