// Baked maps are what docs/concepts/navigation.md says, restated without the bake's own stages.
#include "tests/host/bakes/nav/restated.hpp"
#include "tests/host/bakes/nav/levels.hpp"

#include <functional>

namespace sightline::testing {
namespace {

TEST(NavRestated, MapsOfAnyLevel) {
  std::uint64_t jumps = 0, dropped = 0;
  for (std::uint64_t seed = 1; seed <= 3 + scaled(12); ++seed) {
    SCOPED_TRACE(seed);
    const Caster caster(some_level(seed), CpuOptions{});
    NavOptions options = with_jumps();
    options.cell = 0.5f;
    options.agent.radius = 0.4f;
    const NavMap all = bake_nav(caster, options);
    expect_restated_layers({all, caster.scene(), {}});
    expect_restated_regions({all, caster.scene(), {}});
    jumps += all.jumps.size();
    const Vec3 eye = {10, 10, 3};
    options.from.position = eye;
    const NavMap kept = bake_nav(caster, options);
    expect_restated_regions({kept, caster.scene(), options.from});
    dropped += all.regions.size() - kept.regions.size();
  }
  EXPECT_GT(jumps, 0u);
  EXPECT_GT(dropped, 0u);
}

TEST(NavRestated, MapsOfOtherOptions) {
  const std::vector<std::function<void(NavOptions&)>> others = {
      [](NavOptions& o) { o.up = UpAxis::y; },
      [](NavOptions& o) { o.agent.radius = 0, o.range = 2; },
      [](NavOptions& o) {
        o.bounds = {{2, 2, -1}, {14, 14, 2}}, o.agent.climb = 0.1f;
      },
      [](NavOptions& o) { o.agent.slope = 10, o.cell = 0.7f, o.jumps.rise = 0; }};
  for (std::size_t k = 0; k < others.size(); ++k) {
    SCOPED_TRACE(k);
    const Caster caster(some_level(20 + k), CpuOptions{});
    NavOptions options = with_jumps();
    options.cell = 0.5f;
    others[k](options);
    const NavMap map = bake_nav(caster, options);
    EXPECT_GT(map.regions.size(), 0u);
    expect_restated_layers({map, caster.scene(), {}});
    expect_restated_regions({map, caster.scene(), {}});
  }
}

}  // namespace
}  // namespace sightline::testing
