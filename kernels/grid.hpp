// How work is cut: words of bits, and the blocks of a grid.
#pragma once

#include <sightline/macros.hpp>

#include <cstdint>

namespace sightline::kernels {

/// n / d, rounded up.
SIGHTLINE_HD constexpr std::uint64_t pieces(std::uint64_t n, std::uint64_t d) {
  return n / d + (n % d != 0);
}

/// 32-bit halves of the 64-bit words that n bits fill.
SIGHTLINE_HD constexpr std::uint64_t words_of_bits(std::uint64_t n) { return 2 * pieces(n, 64); }

/// The blocks of a grid that has so many to do: a grid's x ends at 2^31 - 1, and its blocks come
/// round again until all is done.
constexpr unsigned grid_size(std::uint64_t blocks) {
  return static_cast<unsigned>(blocks < 0x7FFFFFFFu ? blocks : 0x7FFFFFFFu);
}

}  // namespace sightline::kernels
