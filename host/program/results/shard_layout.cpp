#include "host/program/results/shard_layout.hpp"

#include "host/gen/random.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

// Enough that a shard with one more than others takes 3 % longer at most.
constexpr std::uint64_t units_per_shard = 32;
// Of tiles of bits no larger than a cpu answers at once fewer do: each halving of the side makes
// lines of sight a sixth slower, because the points of a tile lie further apart.
constexpr std::uint64_t small_side = 2048, small_units_per_shard = 6;
// Of rows the most that a chunk has, of tiles the side of a CUDA device's.
constexpr std::uint64_t most_rows = 1 << 20, most_side = 1 << 14, least_side = 8;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

bool has_bits(const std::vector<Column>& columns) {
  return std::ranges::any_of(columns, [](const Column& c) { return c.layout == Layout::bits; });
}

bool before(const io::GridPart& a, const io::GridPart& b) {
  return std::pair(a.row, a.column) < std::pair(b.row, b.column);
}

/// How many tiles are above the diagonal in the rows of tiles before this one, of n.
std::uint64_t above_before(std::uint64_t row, std::uint64_t n) {
  return row == 0 ? 0 : row * (n - 1) - row * (row - 1) / 2;
}

}  // namespace

ShardLayout::ShardLayout(const Grid& grid, const std::vector<Column>& columns,
                         const std::optional<Shard>& shard)
    : whole_(grid), file_(grid), shard_(shard) {
  if (!shard) {
    rows_ = std::max<std::uint64_t>(1, grid.rows);
    columns_ = std::max<std::uint64_t>(1, grid.columns);
    units_ = {{0, grid.rows, 0, grid.columns}};
    rows_before_ = {0};
    cells_ = grid.cells();
    return;
  }
  file_.rows = 0;
  file_.mirrored = false;
  cut(columns);
  if (grid.cells() == 0) return;
  grid.pairs ? deal_tiles() : deal_rows();
}

void ShardLayout::cut(const std::vector<Column>& columns) {
  // Rows of bits begin with a word.
  const bool bits = has_bits(columns);
  const std::uint64_t least = bits ? 64 : 1;
  const auto wanted = [&](std::uint64_t side) {
    if (shard_->count == 1) return std::uint64_t{1};
    return (bits && side <= small_side ? small_units_per_shard : units_per_shard) * shard_->count;
  };
  if (!whole_.pairs) {
    const std::uint64_t rows =
        std::clamp<std::uint64_t>(whole_.rows / wanted(most_rows), 1, most_rows);
    rows_ = ceil_div(rows, least) * least;
    return;
  }
  const auto tiles = [&](std::uint64_t side) {
    const double all = static_cast<double>(ceil_div(whole_.rows, side)) *
                       static_cast<double>(ceil_div(whole_.columns, side));
    return whole_.mirrored ? (all + static_cast<double>(ceil_div(whole_.rows, side))) / 2 : all;
  };
  std::uint64_t side = most_side;
  while (side > std::max(least, least_side) && tiles(side) < static_cast<double>(wanted(side))) {
    side /= 2;
  }
  rows_ = columns_ = side;
  file_.columns = std::min(side, whole_.columns);
}

template <class Take>
void ShardLayout::deal(std::uint64_t first, std::uint64_t end, const Take& take) const {
  const std::uint64_t n = shard_->count;
  for (std::uint64_t round = first / n; round * n < end; ++round) {
    const std::uint64_t turn = shard_->index + gen::mix_bits((round + 1) * gen::random_step);
    const std::uint64_t k = round * n + turn % n;
    if (first <= k && k < end) take(k);
  }
}

void ShardLayout::add(const io::GridPart& unit) {
  units_.push_back(unit);
  const bool image = whole_.mirrored && unit.row != unit.column;
  cells_ += unit.rows * unit.columns * (image ? 2 : 1);
}

void ShardLayout::deal_rows() {
  deal(0, ceil_div(whole_.rows, rows_), [&](std::uint64_t k) {
    add({k * rows_, std::min(rows_, whole_.rows - k * rows_), 0, 1});
  });
  for (const io::GridPart& unit : units_) {
    rows_before_.push_back(file_.rows);
    file_.rows += unit.rows;
  }
}

void ShardLayout::deal_tiles() {
  const std::uint64_t side = rows_, down = ceil_div(whole_.rows, side),
                      across = ceil_div(whole_.columns, side);
  const auto add_tile = [&](std::uint64_t i, std::uint64_t j) {
    add({i * side, std::min(side, whole_.rows - i * side), j * side,
         std::min(side, whole_.columns - j * side)});
  };
  if (!whole_.mirrored) {
    deal(0, down * across, [&](std::uint64_t k) { add_tile(k / across, k % across); });
  } else {
    // Those on the diagonal are half the work, and come last.
    const std::uint64_t above = above_before(down, down);
    std::uint64_t row = 0;
    deal(0, above, [&](std::uint64_t k) {
      while (above_before(row + 1, down) <= k) ++row;
      add_tile(row, row + 1 + k - above_before(row, down));
    });
    deal(above, above + down, [&](std::uint64_t k) { add_tile(k - above, k - above); });
  }
  std::ranges::sort(units_, before);
  for (const io::GridPart& unit : units_) {
    rows_before_.push_back(file_.rows);
    file_.rows += unit.rows;
  }
}

std::vector<Column> ShardLayout::columns(std::vector<Column> columns) const {
  if (!shard_) return columns;
  for (Column& c : columns) {
    if (c.layout == Layout::cells) {
      c.shape[0] = file_.rows;
      if (file_.pairs) c.shape[1] = file_.columns;
    } else if (c.layout == Layout::bits) {
      if (file_.pairs) {
        c.shape = {file_.rows, bit_words(file_.columns)};
      } else {
        c.shape = {bit_words(file_.rows)};
      }
    } else if (c.layout == Layout::offsets) {
      c.shape = {file_.rows + 1};
    }
  }
  return columns;
}

io::Metadata ShardLayout::metadata(io::Metadata metadata) const {
  if (!shard_) return metadata;
  metadata[shard_of_key] = metadata[io::kind_key];
  metadata[io::kind_key] = shard_kind;
  metadata[shard_index_key] = std::to_string(shard_->index);
  metadata[shard_count_key] = std::to_string(shard_->count);
  metadata[shard_cut_key] = shard_cut;
  metadata[shard_all_key] = std::to_string(whole_.cells());
  metadata[io::cells_key] = std::to_string(cells_);
  return metadata;
}

std::optional<io::GridPart> ShardLayout::place(const io::GridPart& part) const {
  const io::GridPart corner = {part.row - part.row % rows_, 0, part.column - part.column % columns_,
                               0};
  const auto unit = std::ranges::lower_bound(units_, corner, before);
  if (unit == units_.end() || !unit->holds(part)) return std::nullopt;
  const std::uint64_t above = rows_before_[static_cast<std::size_t>(unit - units_.begin())];
  return io::GridPart{above + part.row - unit->row, part.rows, part.column - unit->column,
                      part.columns};
}

std::vector<io::TensorSpec> ShardLayout::tensors(const Result& whole) const {
  std::vector<io::TensorSpec> tensors = tensors_of(columns(whole.columns()));
  if (shard_) tensors.push_back({shard_counts, io::Dtype::u64, {shard_counts_size}});
  return tensors;
}

std::array<std::uint64_t, shard_counts_size> numbers_of(const io::JobCounts& counts) {
  std::array<std::uint64_t, shard_counts_size> numbers{};
  std::ranges::copy(counts.sum, numbers.begin());
  numbers.back() = counts.first_bad;
  return numbers;
}

io::JobCounts counts_from(const std::array<std::uint64_t, shard_counts_size>& numbers) {
  io::JobCounts counts;
  std::copy_n(numbers.begin(), counts.sum.size(), counts.sum.begin());
  counts.first_bad = numbers.back();
  return counts;
}

void ShardLayout::for_each_run(std::uint64_t first, std::uint64_t n, const UseRun& use) const {
  auto above = std::ranges::upper_bound(rows_before_, first);
  for (std::uint64_t done = 0; done < n; ++above) {
    const std::size_t u = static_cast<std::size_t>(above - rows_before_.begin()) - 1;
    const std::uint64_t in = first + done - rows_before_[u];
    const std::uint64_t rows = std::min(n - done, units_[u].rows - in);
    use({units_[u].row + in, rows, 0, 1}, done);
    done += rows;
  }
}

}  // namespace sightline::cli
