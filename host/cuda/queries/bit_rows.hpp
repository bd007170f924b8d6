// Rows of bits that a chunk brings back, into the caller's matrix.
#pragma once

#include "host/cuda/device/chunks.hpp"

namespace sightline::cuda {

/// Where rows go: row i begins at first + i * stride and has `words` words, of 64 bits.
struct BitRows {
  std::uint64_t* first = nullptr;
  std::uint64_t stride = 0, words = 0;
};

/// Copies n dense rows to rows `begin` and after.
void store_rows(const BitRows& to, std::uint64_t begin, std::uint64_t n, const std::uint32_t* from);

}  // namespace sightline::cuda
