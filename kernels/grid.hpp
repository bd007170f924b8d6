// How work is cut: words of bits, halves of symmetric matrices, and the blocks of a grid.
#pragma once

#include <sightline/detail/macros.hpp>

#include <cstdint>

namespace sightline::kernels {

/// n / d, rounded up.
SIGHTLINE_HD constexpr std::uint64_t pieces(std::uint64_t n, std::uint64_t d) {
  return n / d + (n % d != 0);
}

/// The smallest k with 2^k >= n, n >= 1.
SIGHTLINE_HD constexpr int levels_for(std::uint32_t n) {
  int k = 0;
  while (k < 32 && std::uint64_t{1} << k < n) ++k;
  return k;
}

/// 32-bit halves of the 64-bit words that n bits fill.
SIGHTLINE_HD constexpr std::uint64_t words_of_bits(std::uint64_t n) { return 2 * pieces(n, 64); }

/// A place of a square matrix.
struct Place {
  std::uint64_t row, column;
};

/// Places on and above the diagonal of a matrix of so many rows.
SIGHTLINE_HD constexpr std::uint64_t triangle_size(std::uint64_t side) {
  return side % 2 == 0 ? side / 2 * (side + 1) : (side + 1) / 2 * side;
}

/// The k-th of them, k < triangle_size(side), in integers alone: a long row and a short one, the
/// r-th from either end, make one row of a rectangle whose width is side, or side + 1 where that is
/// odd. In it the long row comes last, and lies where it lies in the matrix, or one to the right.
SIGHTLINE_HD constexpr Place triangle_place(std::uint64_t k, std::uint64_t side) {
  const std::uint64_t shift = 1 - side % 2, width = side + shift;
  const std::uint64_t r = k / width, c = k % width;
  if (c >= r + shift) return {r, c - shift};
  const std::uint64_t row = side - shift - r;
  return {row, row + c};
}

/// Rays in batches of `size`, the last one perhaps of fewer.
struct Batches {
  std::uint32_t size;
  std::uint64_t count;
};
/// At most `most` a batch, a multiple of 32, and fewer where there would be too few batches.
constexpr Batches batches_for(std::uint64_t rays, std::uint32_t most, std::uint32_t enough) {
  const std::uint64_t fair = pieces(pieces(rays, enough), 32) * 32;
  const std::uint64_t size = fair < 32 ? 32 : fair < most ? fair : most;
  return {static_cast<std::uint32_t>(size), pieces(rays, size)};
}

/// How many of n things batch k of so many holds.
SIGHTLINE_HD constexpr std::uint32_t part_of_batch(std::uint64_t n, std::uint32_t size,
                                                   std::uint64_t k) {
  const std::uint64_t left = n - k * size;
  return static_cast<std::uint32_t>(left < size ? left : size);
}

/// The blocks of a grid that has so many to do: a grid's x ends at 2^31 - 1, and its blocks come
/// round again until all is done.
constexpr unsigned grid_size(std::uint64_t blocks) {
  return static_cast<unsigned>(blocks < 0x7FFFFFFFu ? blocks : 0x7FFFFFFFu);
}

}  // namespace sightline::kernels
