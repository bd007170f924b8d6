// The lower half of a visibility matrix of a set against itself, from the upper half.
#pragma once

#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {

/// Of 64 rows of 64 bits.
inline void transpose(std::uint64_t* block) {
  std::uint64_t mask = 0x00000000FFFFFFFFu;
  for (int step = 32; step != 0; step /= 2, mask ^= mask << step) {
    for (int k = 0; k < 64; k = (k + step + 1) & ~step) {
      const std::uint64_t moved = (block[k] >> step ^ block[k + step]) & mask;
      block[k] ^= moved << step;
      block[k + step] ^= moved;
    }
  }
}

/// Sets bit (i, j) where (j, i) is set.
inline void mirror(const CpuScene& scene, std::uint64_t* bits, std::uint64_t n) {
  const std::uint64_t words = bit_words(n);
  scene.threads.for_each_part(
      words, 1, [] { return 0; },
      [&](int, std::uint64_t upper, std::uint64_t) {
        const auto load = [&](std::uint64_t row, std::uint64_t word, std::uint64_t* block) {
          for (std::uint64_t k = 0; k < 64; ++k) {
            block[k] = row * 64 + k < n ? bits[(row * 64 + k) * words + word] : 0;
          }
        };
        const auto unite = [&](std::uint64_t row, std::uint64_t word, const std::uint64_t* block) {
          for (std::uint64_t k = 0; k < 64 && row * 64 + k < n; ++k) {
            bits[(row * 64 + k) * words + word] |= block[k];
          }
        };
        for (std::uint64_t lower = upper; lower < words; ++lower) {
          std::uint64_t above[64], below[64];
          load(upper, lower, above);
          load(lower, upper, below);
          transpose(above);
          transpose(below);
          unite(upper, lower, below);
          unite(lower, upper, above);
        }
      });
}

}  // namespace sightline::detail
