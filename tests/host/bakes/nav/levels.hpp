// Levels to bake, and what to look for in their maps.
#pragma once

#include "tests/oracle/dice.hpp"
#include "tests/support/scale.hpp"

#include <sightline/nav.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sightline::testing {

template <class T>
void expect_same_values(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) << what;
}

/// Everything but the ids of shapes, which may have other numbers.
inline void expect_same_map(const NavMap& a, const NavMap& b) {
  expect_same_values(a.offsets, b.offsets, "offsets");
  expect_same_values(a.bottom, b.bottom, "bottom");
  expect_same_values(a.top, b.top, "top");
  expect_same_values(a.headroom, b.headroom, "headroom");
  expect_same_values(a.slope_cosine, b.slope_cosine, "upness");
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

inline NavOptions with_jumps() {
  NavOptions options;
  options.jumps = {5, 1, 3};
  return options;
}

/// Some of everything, near together, over a ground.
inline Scene some_level(std::uint64_t seed) {
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

inline std::uint64_t span_at(const NavMap& map, float x, float y, int layer) {
  const auto i = static_cast<std::uint64_t>((x - map.grid.bounds.min.x) / map.grid.cell);
  const auto j = static_cast<std::uint64_t>((y - map.grid.bounds.min.y) / map.grid.cell);
  const std::uint64_t first = map.offsets[j * map.grid.width + i];
  EXPECT_LT(first + static_cast<std::uint64_t>(layer), map.offsets[j * map.grid.width + i + 1]);
  return first + static_cast<std::uint64_t>(layer);
}
inline bool is_walkable(const NavMap& map, std::uint64_t span) {
  return (map.flags[span] & nav_flags::walkable) != 0;
}

}  // namespace sightline::testing
