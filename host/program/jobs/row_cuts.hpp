// Where rows of unlike length are cut, so that those that are computed at a time fit in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sightline::cli {

/// How many elements the rows of a result have, summed over blocks of rows: a pass that counts
/// fills it, and the pass that writes is cut by it. 2 bytes for 1,000 rows.
class RowSums {
 public:
  static constexpr std::uint64_t block = 4096;  ///< rows

  explicit RowSums(std::uint64_t rows);

  /// Rows [first, first + counts.size()) have so many elements, or `most` where they have more.
  void add(std::uint64_t first, std::span<const std::uint32_t> counts, std::uint32_t most);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t elements() const { return elements_; }
  /// Of the rows from b * block on, to the next block or the end.
  std::uint64_t of_block(std::uint64_t b) const { return sums_[b]; }

 private:
  std::uint64_t rows_;
  std::uint64_t elements_ = 0;
  std::vector<std::uint64_t> sums_;
};

/// What may be computed at a time.
struct RowLimits {
  std::uint64_t rows = 1;
  std::uint64_t elements = 1;
};

/// Gives the lengths of rows [first, first + n), n <= limits.rows.
using CountRows =
    std::function<std::span<const std::uint32_t>(std::uint64_t first, std::uint64_t n)>;
/// Takes rows [first, first + n), which have at most so many elements.
using UseRows =
    std::function<void(std::uint64_t first, std::uint64_t n, std::uint64_t most_elements)>;

/// Calls use for consecutive ranges that keep to the limits, all rows from `first` on in order.
/// Only a row that by itself has more elements comes too, alone. Rows are counted again, and only
/// there, where a block of them has more elements than are allowed.
void for_each_cut(const RowSums& sums, const RowLimits& limits, const CountRows& count,
                  const UseRows& use, std::uint64_t first = 0);

}  // namespace sightline::cli
