// What maps have in common on every backend, and what holds for any level.
#include "tests/host/bakes/nav/levels.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/geometry/distance/horizontal_distance.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/geometry/shapes/up_axis.hpp>

namespace sightline::testing {
namespace {

class NavBackends : public EveryBackend {};

TEST_P(NavBackends, GiveTheSameBytes) {
  std::uint64_t walkable = 0, jumps = 0;
  for (std::uint64_t seed = 1; seed <= 2 + scaled(10); ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = some_level(seed);
    const NavMap expected = bake_nav(Caster(scene, ReferenceOptions{}), with_jumps());
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
    const NavMap a = bake_nav(Caster(scene, CpuOptions{}));
    const NavMap b = bake_nav(Caster(shuffled(scene, seed + 100), CpuOptions{}));
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
    const NavMap a = bake_nav(Caster(std::move(z_up), CpuOptions{}), options);
    options.bounds = upright(options.bounds, UpAxis::y);
    options.up = UpAxis::y;
    NavMap b = bake_nav(Caster(std::move(y_up), CpuOptions{}), options);
    ASSERT_EQ(a.spans(), b.spans());
    for (std::uint64_t i = 0; i < a.spans(); ++i)
      EXPECT_NEAR(a.slope_cosine[i], b.slope_cosine[i], 1e-6);
    b.slope_cosine = a.slope_cosine;  // the length of a normal is summed in the order x, y, z
    expect_same_map(a, b);
  }
}

/// Where one may walk, the agent's body meets nothing but what it stands on.
TEST(Nav, LeavesRoomForTheBody) {
  std::uint64_t asked = 0;
  for (std::uint64_t seed = 1; seed <= scaled(12); ++seed) {
    SCOPED_TRACE(seed);
    const Caster caster(some_level(seed), CpuOptions{});
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
    const Caster caster(some_level(seed), CpuOptions{});
    const NavMap map = bake_nav(caster);
    const ShapesView shapes = caster.scene().view();
    const double slack = 0.2f / 1024.0;
    for (std::uint64_t c = 0; c < map.grid.columns(); c += 7) {
      for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
        if ((map.flags[i] & nav_flags::surface) == 0) continue;
        const Vec3 at = map.grid.at(c, 0);
        const VerticalSegment body = {at.x, at.y, map.top[i] + double{map.agent.climb} + slack,
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

}  // namespace
}  // namespace sightline::testing
