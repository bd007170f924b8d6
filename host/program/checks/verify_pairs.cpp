// verify: bits of visibility, whole tiles of rows or single pairs.
#include "host/program/checks/verify.hpp"
#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/parallel.hpp"

#include <sightline/queries/field_of_view.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_pairs_per_piece = 1 << 16;

VisibilityOptions options_of(const io::ResultParameters& p) {
  return {p.range, p.margin, p.inside};
}

void add_bit(std::uint64_t index, std::uint64_t targets, std::uint64_t in_file,
             Differences& differences) {
  differences.add(index, fmt::format("viewpoint {}, target {}: the file has visible {}, the "
                                     "reference {}",
                                     index / targets, index % targets, in_file, in_file ^ 1));
}

/// Points gathered from a set, with all they carry.
struct Gathered {
  std::vector<SightPoint> points;

  void add(const PointsView& from, std::uint64_t i) {
    points.push_back({from.position[i], from.mask[i], from.exclude[i], from.exclude_group[i]});
  }
  PointsView view() const {
    constexpr auto stride = static_cast<std::ptrdiff_t>(sizeof(SightPoint));
    const SightPoint& first = points.front();
    return {points.size(),
            Vec3Column::rows(&first.position.x, stride),
            {&first.mask, stride, 0},
            {&first.exclude, stride, none},
            {&first.exclude_group, stride, none}};
  }
};

/// Pairs [begin, end) of the sample.
void verify_sampled(const Verification& v, const PointsView& from,
                    const std::optional<FieldsView>& fields, const PointsView& to,
                    const Sample& sample, std::uint64_t begin, std::uint64_t end,
                    Differences& differences) {
  Gathered a, b;
  for (std::uint64_t k = begin; k < end; ++k) {
    a.add(from, sample[k] / to.count);
    b.add(to, sample[k] % to.count);
  }
  std::vector<std::uint64_t> truth(words_for(end - begin));
  v.judge.visibility_pairs(a.view(), b.view(), truth, options_of(v.result.parameters()));
  for (std::uint64_t k = begin; k < end; ++k) {
    const std::uint64_t index = sample[k], row = index / to.count, column = index % to.count;
    std::uint64_t word = 0;
    v.result.read_bits(row, 1, column / 64, 1, &word, 1);
    const std::uint64_t in_file = word >> (column % 64) & 1;
    std::uint64_t expected = truth[(k - begin) / 64] >> ((k - begin) % 64) & 1;
    if (fields) {
      const FieldTest field = field_test((*fields)[row], fields->shape);
      expected &= in_field(field, from[row], to[column]) ? 1 : 0;
    }
    if (in_file != expected) add_bit(index, to.count, in_file, differences);
  }
}

/// Rows [row, row + rows) against columns [column, column + columns), padding included.
void verify_tile(const Verification& v, const PointsView& from,
                 const std::optional<FieldsView>& fields, const PointsView& to, std::uint64_t row,
                 std::uint64_t rows, std::uint64_t column, std::uint64_t columns,
                 Differences& differences) {
  const std::uint64_t words = words_for(columns);
  std::vector<std::uint64_t> truth(rows * words), in_file(rows * words);
  const VisibilityOptions options = options_of(v.result.parameters());
  const PointsView viewpoints = from.slice(row, rows), targets = to.slice(column, columns);
  if (fields) {
    v.judge.visibility(viewpoints, fields->from(row), targets, truth, options);
  } else {
    v.judge.visibility(viewpoints, targets, truth, options);
  }
  v.result.read_bits(row, rows, column / 64, words, in_file.data(), words);
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < 64 * words; ++j) {
      const std::uint64_t place = i * words + j / 64;
      const std::uint64_t bit = in_file[place] >> (j % 64) & 1;
      if (bit == (truth[place] >> (j % 64) & 1)) continue;
      const std::uint64_t index = (row + i) * to.count + column + j;
      if (j < columns) {
        add_bit(index, to.count, bit, differences);
      } else {
        differences.add(index, fmt::format("the padding of row {} is not 0", row + i));
      }
    }
  }
}

void verify_all(const Verification& v, const PointsView& from,
                const std::optional<FieldsView>& fields, const PointsView& to,
                Differences& differences) {
  const std::uint64_t pairs = chunk_size(v.judge, most_pairs_per_piece);
  const std::uint64_t columns = std::min(words_for(to.count) * 64, pairs);
  const std::uint64_t rows = std::max<std::uint64_t>(1, pairs / columns);
  const std::uint64_t across = (to.count + columns - 1) / columns;
  const std::uint64_t down = (from.count + rows - 1) / rows;
  Progress progress("verify", "pairs", from.count * to.count, v.job.common().quiet);
  for_each_piece(across * down, v.job.common().threads, progress, [&](std::uint64_t piece) {
    const std::uint64_t row = piece / across * rows, column = piece % across * columns;
    const std::uint64_t n = std::min(rows, from.count - row);
    const std::uint64_t m = std::min(columns, to.count - column);
    verify_tile(v, from, fields, to, row, n, column, m, differences);
    differences.add_checked(n * m);
    return n * m;
  });
}

}  // namespace

void verify_pairs(const Verification& v, const io::Points& from,
                  const std::optional<FieldsView>& fields, const io::Points& to,
                  Differences& differences) {
  const Sample sample = sample_of(v.arguments, from.count() * to.count());
  if (sample.total == 0) return;
  if (sample.is_full()) return verify_all(v, from.view(), fields, to.view(), differences);
  const std::uint64_t size = chunk_size(v.judge, most_pairs_per_piece / 16);
  Progress progress("verify", "pairs", sample.count, v.job.common().quiet);
  for_each_piece(
      (sample.count + size - 1) / size, v.job.common().threads, progress, [&](std::uint64_t piece) {
        const std::uint64_t begin = piece * size;
        const std::uint64_t end = std::min(begin + size, sample.count);
        verify_sampled(v, from.view(), fields, to.view(), sample, begin, end, differences);
        differences.add_checked(end - begin);
        return end - begin;
      });
}

}  // namespace sightline::cli
