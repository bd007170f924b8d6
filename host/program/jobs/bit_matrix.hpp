// Matrices of bits: rows of 64-bit words, bit j % 64 of word j / 64 is column j.
#pragma once

#include <sightline/results.hpp>

#include <span>
#include <vector>

namespace sightline::cli {

/// to [columns, bit_words(rows)] = the transpose of from [rows, bit_words(columns)]; padding bits
/// of `from` must be 0, those of `to` are.
void transpose_bits(std::span<const std::uint64_t> from, std::uint64_t rows, std::uint64_t columns,
                    std::vector<std::uint64_t>& to);

std::uint64_t count_bits(std::span<const std::uint64_t> words);

}  // namespace sightline::cli
