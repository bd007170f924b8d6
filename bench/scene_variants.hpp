// The rows of what may be done in more than one way on the device: layouts of nodes, schedules of
// warps, and brute force against the tree.
#pragma once

#include "bench/rate_table.hpp"
#include "host/gen/rays.hpp"

namespace sightline::bench {

/// The same rays, on the device, in every layout and under every schedule. Returns how many
/// variants answered other than the first.
std::uint64_t measure_variants(Table& table, gen::SceneKind kind, const Scene& scene,
                               const gen::RaySet& incoherent, const gen::RaySet& los);

/// Where the tree overtakes brute force: clouds of few shapes. Returns as above.
std::uint64_t measure_switch_over(Table& table, std::uint64_t rays);

}  // namespace sightline::bench
