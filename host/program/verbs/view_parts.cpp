// view: what a page holds of navigation maps, and of matrices that are too large for it.
#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/jobs/memory.hpp"
#include "host/program/verbs/view.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

/// Rows and columns of a matrix of bits.
struct MatrixSize {
  std::uint64_t rows, columns;
  std::uint64_t words() const { return bit_words(columns); }
};
MatrixSize size_of(const ResultFile& result) {
  const bool areas = result.result().names().kind == "visible sets";
  return {result.number(areas ? "areas.count" : "from.count"),
          result.number(areas ? "areas.count" : "to.count")};
}

/// The sums of a matrix's rows and columns, and a sample of its rows.
struct MatrixSums {
  std::vector<std::uint32_t> from, to, index;
  std::vector<std::uint64_t> sample;
};

constexpr std::uint64_t words_at_a_time = 1 << 19;

void sum_up(const ResultFile& result, const MatrixSize& m, MatrixSums& sums) {
  const std::uint64_t words = m.words(), last = m.columns % 64;
  const std::uint64_t most = std::max<std::uint64_t>(words_at_a_time / (words + 1) / 64 * 64, 64);
  std::vector<std::uint64_t> transposed;
  for (std::uint64_t first = 0; first < m.rows; first += most) {
    poll_interrupt();
    const std::uint64_t n = std::min(most, m.rows - first);
    std::vector<std::uint64_t> rows = result.read<std::uint64_t>("bits", first * words, n * words);
    for (std::uint64_t i = 0; i < n && words > 0; ++i) {
      // Padding is 0, but of a damaged file.
      if (last != 0) rows[(i + 1) * words - 1] &= (std::uint64_t{1} << last) - 1;
      const auto row = std::span(rows).subspan(i * words, words);
      sums.from[first + i] = static_cast<std::uint32_t>(count_bits(row));
    }
    transpose_bits(rows, n, m.columns, transposed);
    const std::uint64_t each = bit_words(n);
    for (std::uint64_t j = 0; j < m.columns; ++j) {
      sums.to[j] +=
          static_cast<std::uint32_t>(count_bits(std::span(transposed).subspan(j * each, each)));
    }
  }
}

/// The walkable floors of a map, and its jumps.
struct WalkableFloors {
  std::vector<std::uint32_t> column, region;
  std::vector<float> top, border;
  NavJumps jumps;
};

}  // namespace

bool is_matrix(const ResultFile& result) {
  const std::string_view kind = result.result().names().kind;
  return kind == "visibility" || kind == "visible sets";
}

io::PageData sums_of(Job& job, const ViewArguments& a, const ResultFile& result) {
  const MatrixSize m = size_of(result);
  const std::uint64_t words = m.words(), k = std::min(a.rows, m.rows);
  // Rows as they are read, and turned.
  const std::uint64_t buffers = std::max<std::uint64_t>(words * 64, words_at_a_time) * 16;
  require_memory(job.common().max_memory, (m.rows + m.columns + k) * 4 + k * words * 8 + buffers,
                 fmt::format("the sums of {}", result.name()));
  const auto sums = std::make_shared<MatrixSums>();
  io::PageData data = {result.name(), result.container().metadata(), {}, sums};
  data.metadata["view.rows"] = k == 0 ? "columns" : "sample";
  sums->from.resize(m.rows), sums->to.resize(m.columns);
  for (std::uint64_t i = 0; i < k; ++i) {
    const std::uint64_t row = i * m.rows / k;
    sums->index.push_back(static_cast<std::uint32_t>(row));
    std::ranges::copy(result.read<std::uint64_t>("bits", row * words, words),
                      std::back_inserter(sums->sample));
  }
  if (!job.common().dry_run) job.timed("sums", [&] { sum_up(result, m, *sums); });
  data.tensors = {io::stored("counts.from", {m.rows}, sums->from.data()),
                  io::stored("counts.to", {m.columns}, sums->to.data())};
  if (k > 0) {
    data.tensors.push_back(io::stored("rows.index", {k}, sums->index.data()));
    data.tensors.push_back(
        io::stored("rows.bits", io::Dtype::u8, {k, words * 8}, sums->sample.data()));
  }
  job.say("sums    {}: larger than --max-embedded {}, so the page has sums of rows and columns{}",
          result.name(), a.most, k == 0 ? "" : fmt::format(" and {}", plural(k, "rows")));
  return data;
}

io::PageData floors_of(const std::string& file, NavMap map, io::Metadata metadata) {
  const auto f = std::make_shared<WalkableFloors>();
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
      if ((map.flags[i] & nav_flags::walkable) == 0) continue;
      f->column.push_back(static_cast<std::uint32_t>(c));
      f->region.push_back(map.region[i]);
      f->top.push_back(map.top[i]);
      f->border.push_back(map.border[i]);
    }
  }
  f->jumps = std::move(map.jumps);
  const std::uint64_t n = f->top.size(), m = f->jumps.size();
  return {file,
          std::move(metadata),
          {io::stored("floor.column", {n}, f->column.data()),
           io::stored("floor.region", {n}, f->region.data()),
           io::stored("floor.top", {n}, f->top.data()),
           io::stored("floor.border", {n}, f->border.data()),
           io::stored("jump.from", {m, 3}, f->jumps.from.data()),
           io::stored("jump.to", {m, 3}, f->jumps.to.data()),
           io::stored("jump.both_ways", {m}, f->jumps.both_ways.data())},
          f};
}

}  // namespace sightline::cli
