// How work is divided: words of bits, triangles of symmetric matrices, batches, and grids of
// blocks.
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

/// 32-bit words of a bit array of n bits, which is padded to 64-bit words.
SIGHTLINE_HD constexpr std::uint64_t bit_words32(std::uint64_t n) { return 2 * pieces(n, 64); }

/// An entry of a square matrix.
struct MatrixEntry {
  std::uint64_t row, column;
};

/// How many entries are on or above the diagonal of a matrix with `side` rows.
SIGHTLINE_HD constexpr std::uint64_t triangle_size(std::uint64_t side) {
  return side % 2 == 0 ? side / 2 * (side + 1) : (side + 1) / 2 * side;
}

/// The k-th entry on or above the diagonal, k < triangle_size(side), in integers alone. The r-th
/// row from the top and the r-th from the bottom make one row of a rectangle of width `side`, or
/// side + 1 where that is odd. The longer one comes last there, at its columns in the matrix, or
/// one to the right.
SIGHTLINE_HD constexpr MatrixEntry triangle_entry(std::uint64_t k, std::uint64_t side) {
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
/// Batches of at most `most` rays, a multiple of 32; smaller where there would be fewer than
/// `enough`.
constexpr Batches batches_for(std::uint64_t rays, std::uint32_t most, std::uint32_t enough) {
  const std::uint64_t fair = pieces(pieces(rays, enough), 32) * 32;
  const std::uint64_t size = fair < 32 ? 32 : fair < most ? fair : most;
  return {static_cast<std::uint32_t>(size), pieces(rays, size)};
}

/// How many of n elements are in batch k.
SIGHTLINE_HD constexpr std::uint32_t part_of_batch(std::uint64_t n, std::uint32_t size,
                                                   std::uint64_t k) {
  const std::uint64_t left = n - k * size;
  return static_cast<std::uint32_t>(left < size ? left : size);
}

/// The grid's size for so many blocks of work: x ends at 2^31 - 1, beyond which kernels loop.
constexpr unsigned grid_size(std::uint64_t blocks) {
  return static_cast<unsigned>(blocks < 0x7FFFFFFFu ? blocks : 0x7FFFFFFFu);
}

}  // namespace sightline::kernels
