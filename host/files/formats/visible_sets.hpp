// Sets of cells as lists of differences: neighbours see almost the same.
#pragma once

#include <sightline/ray.hpp>

#include <span>
#include <vector>

namespace sightline::io {

/// How many rows before a row are tried as its reference.
inline constexpr std::uint32_t reference_window = 64;

/// The cells, ascending, in which a row differs from row `reference`, or from the empty set where
/// that is none.
struct RowDifferences {
  std::uint32_t reference = none;
  std::vector<std::uint32_t> id;
};

/// Rows [ceil(n/64)] of bits, fed in order, as differences from the row among the last
/// reference_window, or from the empty set, that leaves the fewest; of equals the empty set, then
/// the latest. Keeps those rows only.
class RowEncoder {
 public:
  explicit RowEncoder(std::uint64_t words) : words_(words) {}
  RowDifferences next(std::span<const std::uint64_t> row);

 private:
  std::span<const std::uint64_t> kept(std::uint64_t row) const {
    return std::span(window_).subspan(row % reference_window * words_, words_);
  }
  std::uint64_t words_, rows_ = 0;
  std::vector<std::uint64_t> window_;
};

/// The rows again, from their differences fed in order; keeps the last reference_window.
class RowDecoder {
 public:
  /// Of n cells.
  explicit RowDecoder(std::uint64_t n) : cells_(n), words_((n + 63) / 64) {}
  /// Valid until the next call. Throws Error{bad_input} for a reference that is no earlier row of
  /// the window, and for ids that do not ascend or are no cell's.
  std::span<const std::uint64_t> next(const RowDifferences& differences);

 private:
  std::uint64_t cells_, words_, rows_ = 0;
  std::vector<std::uint64_t> window_;
};

}  // namespace sightline::io
