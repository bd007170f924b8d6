// Numbers of other types, read as binary32 where floats are wanted.
#pragma once

#include "host/files/core/file.hpp"
#include "host/files/core/tensor.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace sightline::io {

/// What is told of a file that was read otherwise than as it stands; a sentence each.
using Notes = std::vector<std::string>;

/// Whether numbers are what they are in the file, or F64 and signed integers (of .npy all integers)
/// as if they were F32, rounded as they are read.
enum class Numbers : std::uint8_t { kept, as_floats };

bool is_integer(Dtype dtype);

/// Reads numbers [first, first + count) of an array that begins at byte `begin`; number i goes to
/// to[i * stride]. F64 and integers are rounded to the nearest T, ties to even, F64 beyond the
/// range of float to an infinity.
template <class T>
void read_numbers(const File& file, Dtype dtype, std::uint64_t begin, std::uint64_t first,
                  std::uint64_t count, T* to, std::uint64_t stride = 1);
extern template void read_numbers(const File&, Dtype, std::uint64_t, std::uint64_t, std::uint64_t,
                                  float*, std::uint64_t);
extern template void read_numbers(const File&, Dtype, std::uint64_t, std::uint64_t, std::uint64_t,
                                  double*, std::uint64_t);

/// Calls use(index, row) for each of n rows of `width` numbers in binary64, which read(first
/// number, how many, to) reads, in bounded memory.
template <class Read, class Use>
void for_each_row(std::uint64_t n, std::uint64_t width, const Read& read, const Use& use) {
  constexpr std::uint64_t step = 1 << 12;
  std::vector<double> piece;
  for (std::uint64_t first = 0; first < n; first += step) {
    const std::uint64_t count = std::min(step, n - first);
    piece.resize(count * width);
    read(first * width, piece.size(), piece.data());
    for (std::uint64_t i = 0; i < count; ++i) {
      use(first + i, std::span<const double>(piece).subspan(i * width, width));
    }
  }
}

/// Integers that rounding to F32 changes.
struct ChangedIntegers {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  ///< its place
  std::string value;
};
/// Looks through `count` of them from byte `begin` on, in bounded memory.
ChangedIntegers changed_integers(const File& file, Dtype dtype, std::uint64_t begin,
                                 std::uint64_t count);

}  // namespace sightline::io
