// The rows of one standard scene.
#pragma once

#include "bench/rate_table.hpp"
#include "host/gen/rays.hpp"

namespace sightline::bench {

/// Builds and updates; closest and any hit, from the host and of rays on the device; visibility.
/// Returns how many comparisons of answers found a difference.
std::uint64_t measure_scene(Table& table, gen::SceneKind kind, std::uint64_t shapes, bool cpu);

}  // namespace sightline::bench
