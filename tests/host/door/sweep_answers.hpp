// What casters answer about thick rays and shapes that move, and the scenes to ask it in.
#pragma once

#include "tests/support/answers.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/sweeps.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {

inline Answers thick_answers(const Caster& caster, const RaysView& rays,
                             const Column<float>& radius, Inside inside,
                             CastReport* report = nullptr) {
  RaysView thick = rays;
  thick.radius = radius;
  Answers a(rays.size());
  const CastReport closest = caster.closest_hit(thick, a.view(), {inside, false});
  const CastReport any = caster.any_hit(thick, a.blocked, {inside, false});
  EXPECT_EQ(closest.hits, any.hits);
  EXPECT_EQ(closest.bad_rays, any.bad_rays);
  EXPECT_EQ(closest.first_bad_ray, any.first_bad_ray);
  if (report != nullptr) *report = closest;
  return a;
}
inline Answers thick_answers(const Caster& caster, const std::vector<Ray>& rays,
                             const std::vector<float>& radii, Inside inside) {
  return thick_answers(caster, rows_of(rays), radii, inside);
}

inline Answers swept_answers(const Caster& caster, const RandomMovers& movers,
                             const SweepOptions& options = {}) {
  Answers a(movers.directions.size());
  std::fill(a.blocked.begin(), a.blocked.end(), 0);
  caster.sweep(movers.scene, movers.directions, a.view(), options);
  return a;
}

/// Small scenes and large ones of all families.
template <class Use>
void for_each_scene(std::uint64_t scenes, const Use& use) {
  for (const SceneFamily family : families_but_cylinders) {
    for (std::uint64_t k = 0; k < scenes; ++k) {
      const std::uint64_t seed = 31 * k + static_cast<std::uint64_t>(family);
      const int shapes = k % 8 == 7 ? 120 : 3 + static_cast<int>(k % 16);
      use(make_scene(family, shapes, seed), seed,
          name_of(family) + (", seed " + std::to_string(seed)));
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace sightline::testing
