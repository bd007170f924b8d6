// Thick rays and sweeps on the cpu backend: a walk of each through the tree.
#pragma once

#include "host/cpu/queries/overlap.hpp"

#include <sightline/queries/sweeps.hpp>

namespace sightline::detail {

// See CastBackend.
CastReport cpu_closest_hit(const WalkScene& scene, const SweepsView& sweeps, const HitsView& hits,
                           Inside inside);
CastReport cpu_any_hit(const WalkScene& scene, const SweepsView& sweeps, std::uint64_t* blocked,
                       Inside inside);

}  // namespace sightline::detail
