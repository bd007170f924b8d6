#include "host/program/jobs/bit_matrix.hpp"

#include <algorithm>
#include <bit>

namespace sightline::cli {
namespace {

/// Swaps the off-diagonal halves of ever smaller squares of a 64 x 64 matrix.
void transpose_block(std::uint64_t (&block)[64]) {
  std::uint64_t mask = 0x00000000FFFFFFFFu;
  for (unsigned half = 32; half > 0; half /= 2, mask ^= mask << half) {
    for (unsigned i = 0; i < 64; i = (i + half + 1) & ~half) {
      const std::uint64_t swapped = ((block[i] >> half) ^ block[i + half]) & mask;
      block[i] ^= swapped << half;
      block[i + half] ^= swapped;
    }
  }
}

}  // namespace

void transpose_bits(std::span<const std::uint64_t> from, std::uint64_t rows, std::uint64_t columns,
                    std::vector<std::uint64_t>& to) {
  const std::uint64_t from_words = bit_words(columns), to_words = bit_words(rows);
  to.assign(columns * to_words, 0);
  for (std::uint64_t bi = 0; bi < to_words; ++bi) {
    for (std::uint64_t bj = 0; bj < from_words; ++bj) {
      std::uint64_t block[64] = {};
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(64, rows - 64 * bi); ++i) {
        block[i] = from[(64 * bi + i) * from_words + bj];
      }
      transpose_block(block);
      for (std::uint64_t j = 0; j < std::min<std::uint64_t>(64, columns - 64 * bj); ++j) {
        to[(64 * bj + j) * to_words + bi] = block[j];
      }
    }
  }
}

std::uint64_t count_bits(std::span<const std::uint64_t> words) {
  std::uint64_t n = 0;
  for (const std::uint64_t word : words) n += static_cast<std::uint64_t>(std::popcount(word));
  return n;
}

}  // namespace sightline::cli
