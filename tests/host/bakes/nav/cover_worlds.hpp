// Small worlds to take cover in, and their places along walls.
#pragma once

#include "tests/oracle/dice.hpp"

#include <sightline/cover.hpp>

#include <cmath>
#include <utility>

namespace sightline::testing {

inline constexpr float wall_height = 3;

inline Aabb block(float x, float y, float to_x, float to_y, float top = wall_height,
                  float bottom = 0) {
  return {{x, y, bottom}, {to_x, to_y, top}};
}

/// Numbers of few bits, so that all of a plain's distances along the axes are exact.
inline NavOptions exact_options() {
  NavOptions o;
  o.agent = {0.5f, 2, 0.75f, 45};
  o.cell = 0.25f;
  return o;
}

struct Baked {
  Caster caster;
  NavMap map;
  explicit Baked(Scene scene, const NavOptions& o = exact_options())
      : caster(std::move(scene), CpuOptions{}), map(bake_nav(caster, o)) {}
  CoverPlaces places(const CoverPlaceOptions& o = {}) const {
    return find_cover_places(caster, map, o);
  }
};

/// A smaller world with shapes of other kinds.
inline Scene round_world(std::uint64_t seed) {
  oracle::Dice dice(seed);
  const auto within = [&](double low, double high) {
    return static_cast<float>(dice.uniform(low, high));
  };
  Scene scene;
  scene.add_aabb(block(-5, -5, 5, 5, 0, -1));
  for (int i = 0; i < 3; ++i) {
    const float x = within(-5, 5), y = within(-5, 5), half = within(0, 3.14);
    scene.add_aabb(block(x, y, x + within(0, 4), y + within(0, 1), within(0.5, 3)));
    scene.add_obb({{within(-5, 5), within(-5, 5), 1},
                   {within(0.2, 2), within(0.1, 0.3), within(0, 2)},
                   {0, 0, std::sin(half), std::cos(half)}});
    scene.add_sphere({{within(-5, 5), within(-5, 5), within(-1, 2)}, within(0, 2)});
  }
  return scene;
}

}  // namespace sightline::testing
