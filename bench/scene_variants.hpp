// The rows of what may be done in more than one way on the device: layouts of nodes, schedules of
// warps, and brute force against the tree.
#pragma once

#include "bench/rate_table.hpp"
#include "host/gen/rays.hpp"

namespace sightline::bench {

/// `rays` of each kind, on the device, in every layout, by both builders, sorted and as they come,
/// and under every schedule. Returns how many variants answered other than the first.
std::uint64_t measure_variants(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                               std::uint64_t rays);

/// Where the tree overtakes brute force: scenes of few shapes. Returns as above.
std::uint64_t measure_switch_over(Table& table, gen::SceneKind kind, std::uint64_t rays);

}  // namespace sightline::bench
