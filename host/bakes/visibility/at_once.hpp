// How much the bakes of visibility ask at once.
#pragma once

#include <cstdint>

namespace sightline::detail {

/// The side of a matrix in memory, in points, a multiple of 64: 2 MB of bits.
inline constexpr std::uint64_t block_side = 4096;
/// Rays, or pairs of points, of a call.
inline constexpr std::uint64_t rays_at_once = 1 << 18;

}  // namespace sightline::detail
