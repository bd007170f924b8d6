// Visibility matrices too large to be measured often.
#pragma once

#include "bench/rate_table.hpp"
#include "host/gen/scenes.hpp"

namespace sightline::bench {

/// A matrix of `points` x `points` over one scene, the bits in host memory, and the set against
/// itself, beside any hit over rays of the same kind that are on the device. Returns how many of
/// the two matrices differ.
std::uint64_t measure_matrix(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                             std::uint64_t points);

}  // namespace sightline::bench
