// Which part of a grid a run works out, all of it or a shard, and how it lies in a file.
#pragma once

#include "host/program/jobs/shards.hpp"
#include "host/program/results/result.hpp"

#include <array>
#include <functional>
#include <optional>

namespace sightline::cli {

/// A grid is cut into units, bands of rows or square tiles, of a set against itself those on and
/// above the diagonal. Units are dealt out in rounds, one to each shard and in each round from
/// another one on, so that costly places and regular inputs spread evenly. Which unit is whose is a
/// function of the grid, the columns' layouts and the number of shards alone.
///
/// A shard's file has the units that are its own, one below the other: columns of as many rows as
/// these have together, of pairs as wide as a tile. Of a tile above the diagonal the image is left
/// out. A layout without a shard is all of the grid, as it lies in a result.
class ShardLayout {
 public:
  ShardLayout(const Grid& grid, const std::vector<Column>& columns,
              const std::optional<Shard>& shard);

  const std::optional<Shard>& shard() const { return shard_; }
  const Grid& whole() const { return whole_; }
  /// The units, in the whole grid, by row and column.
  const std::vector<io::GridPart>& units() const { return units_; }
  /// Cells of the whole grid that are done with them, images of tiles too.
  std::uint64_t cells() const { return cells_; }

  /// What the file has a place for.
  const Grid& grid() const { return file_; }
  std::vector<Column> columns(std::vector<Column> of_whole) const;
  std::vector<io::TensorSpec> tensors(const Result& whole) const;
  io::Metadata metadata(io::Metadata of_whole) const;
  /// Where a part of the whole grid, which lies in one unit, lies in the file; nothing for one of
  /// other units.
  std::optional<io::GridPart> place(const io::GridPart& part) const;

  /// Calls use(part of the whole grid, rows before it) for rows [first, first + n) of the file.
  using UseRun = std::function<void(const io::GridPart& part, std::uint64_t before)>;
  void for_each_run(std::uint64_t first, std::uint64_t n, const UseRun& use) const;

 private:
  void cut(const std::vector<Column>& columns);
  void deal_rows();
  void deal_tiles();
  /// Calls take(k) for those of units [first, end) that are this shard's.
  template <class Take>
  void deal(std::uint64_t first, std::uint64_t end, const Take& take) const;
  void add(const io::GridPart& unit);

  Grid whole_, file_;
  std::optional<Shard> shard_;
  std::uint64_t rows_ = 1, columns_ = 1;  ///< of a unit, where none is cut off by an edge
  std::vector<io::GridPart> units_;
  std::vector<std::uint64_t> rows_before_;  ///< units, in the file
  std::uint64_t cells_ = 0;
};

/// How grids are cut and dealt out; another number where that changes in any way.
inline constexpr char shard_cut_key[] = "shard.cut", shard_cut[] = "1";

/// A shard's counts as its file has them: its sums, and the first bad ray or shape.
inline constexpr char shard_counts[] = "shard.counts";
inline constexpr std::uint64_t shard_counts_size = 9;
std::array<std::uint64_t, shard_counts_size> numbers_of(const io::JobCounts& counts);
io::JobCounts counts_from(const std::array<std::uint64_t, shard_counts_size>& numbers);

}  // namespace sightline::cli
