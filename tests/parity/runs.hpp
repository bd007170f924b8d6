// What a parity run is made of: standard scenes of every size on all cores, then random small
// scenes, one a thread.
#pragma once

#include "tests/parity/panel.hpp"

namespace sightline::testing {

/// The standard scenes (city, cloud, mixed; 1e3 shapes to `largest`), `index` counting from 0:
/// standard rays of every kind in one policy, and sight between their ends. False: no such index.
bool run_standard_scene(std::uint64_t index, std::uint64_t largest, std::uint64_t rays_of_a_kind,
                        Backend tested, Totals& totals);

/// A scene of ray_families, 1 to 100 shapes, of the cpu also up to 600: troublesome rays and points
/// in every policy, then again with the shapes moved. The seed gives all of it.
void run_small_scene(std::uint64_t seed, Backend tested, Totals& totals);

}  // namespace sightline::testing
