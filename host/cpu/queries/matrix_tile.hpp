// A tile of a visibility matrix: some rows and columns, traced by one thread.
#pragma once

#include "host/cpu/queries/fields.hpp"
#include "host/cpu/queries/matrix_fans.hpp"
#include "host/cpu/queries/point_copies.hpp"
#include "host/cpu/queries/sight.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace sightline::detail {

// Row and column of a ray in a tile are one word.
inline constexpr int column_bits = 20;
inline constexpr std::uint64_t most_tile_rows = std::uint64_t{1} << (32 - column_bits);
static_assert(CpuScene::largest_part <= 1u << column_bits);

/// Point i, `count` times.
inline PointsView repeated(const PointsView& points, std::uint64_t i, std::uint64_t count) {
  const SightPoint p = points[i];
  PointsView view;
  view.count = count;
  view.position.x.common = p.position.x;
  view.position.y.common = p.position.y;
  view.position.z.common = p.position.z;
  view.mask.common = p.mask;
  view.exclude.common = p.exclude;
  view.exclude_group.common = p.exclude_group;
  return view;
}

/// A matrix as it is worked on: rows and columns in an order in which neighbours share blockers,
/// bits in the caller's.
struct Matrix {
  PointsView viewpoints, targets;
  const std::uint32_t *row_of, *column_of;  ///< the caller's; null: the same
  const FieldsView* fields;                 ///< by the caller's rows; null: all around
  SightOptions options;
  std::uint64_t* bits;
  bool upper_half;  ///< a set against itself: columns from the row's own on
  bool in_fans;     ///< see SimdKernels::trace_fan()

  std::uint64_t words() const { return bit_words(targets.count); }
  std::uint64_t row(std::uint64_t i) const { return row_of == nullptr ? i : row_of[i]; }
  std::uint64_t column(std::uint64_t j) const { return column_of == nullptr ? j : column_of[j]; }
  void set(std::uint64_t i, std::uint64_t j, std::uint64_t value = 1) const {
    const std::uint64_t at = column(j);
    bits[row(i) * words() + at / 64] |= value << at % 64;
  }
};

struct Range {
  std::uint64_t begin, end;
};

/// Traces a tile of the matrix, row by row: as fans, or in packets what runs close together; what
/// these leave in batches, with that of other rows. After a fan that leaves most, some rows are
/// traced without.
class MatrixTile {
 public:
  MatrixTile(const CpuScene& scene, RayBatches& batches, const Matrix& matrix, Range rows,
             Range columns)
      : scene_(scene),
        batches_(batches),
        matrix_(matrix),
        rows_(rows),
        columns_(columns),
        targets_(matrix.targets.slice(columns.begin, columns.end - columns.begin)),
        in_field_(matrix.fields == nullptr ? targets_.slice(0, 0) : targets_) {
    if (matrix.in_fans) fans_.emplace(targets_);
  }

  VisibilityReport trace() {
    for (std::uint64_t i = rows_.begin; i < rows_.end; ++i) add_row(i);
    trace_added();
    return report_;
  }

 private:
  void add_row(std::uint64_t i) {
    const std::uint64_t first =
        matrix_.upper_half ? std::max(columns_.begin, i) - columns_.begin : std::uint64_t{0};
    const std::uint64_t width = targets_.count - first;
    if (matrix_.fields != nullptr) {
      const std::uint64_t row = matrix_.row(i);
      const PointsView some = in_field_.select(
          field_test((*matrix_.fields)[row], matrix_.fields->shape), matrix_.viewpoints[i]);
      report_.in_field += some.count;
      add({some.count, repeated(matrix_.viewpoints, i, some.count), some, matrix_.options}, i,
          [&](std::uint64_t k) { return in_field_[k]; });
      return;
    }
    report_.in_field += width;
    const Sights all = {width, repeated(matrix_.viewpoints, i, width), targets_.slice(first, width),
                        matrix_.options};
    if (!fans_ || i < next_fan_) return add(all, i, [&](std::uint64_t k) { return first + k; });
    const FanCounts counts =
        fans_->trace(scene_, matrix_.viewpoints.position[i], first, matrix_.options);
    for (std::uint32_t k = 0; k < counts.clear; ++k) {
      matrix_.set(i, columns_.begin + fans_->clear()[k]);
    }
    report_.visible += counts.clear;
    if (!counts.pays(width, scene_.traced.node_count)) {
      next_fan_ = i + rows_between_fans_;
      rows_between_fans_ *= 4;
    }
    trace_later({counts.left, repeated(matrix_.viewpoints, i, counts.left),
                 copies_.take(targets_, fans_->left(), counts.left), matrix_.options},
                i, [&](std::uint64_t k) { return fans_->left()[k]; });
  }

  /// Column `column(k)` of the tile is that of sights[k].
  template <class ColumnOf>
  void add(const Sights& sights, std::uint64_t i, const ColumnOf& column) {
    if (sights.count == 0) return;
    std::vector<RayRun> others = {{0, static_cast<std::uint32_t>(sights.count)}};
    if (has_packets_ || (i - rows_.begin) % rows_between_tries == 0) {
      packet_bits_.assign(bit_words(sights.count), 0);
      others = sight_packets(scene_, sights, packet_bits_.data(), report_.visible);
      for (std::uint64_t w = 0; w < packet_bits_.size(); ++w) {
        for (std::uint64_t word = packet_bits_[w]; word != 0; word &= word - 1) {
          const auto k = w * 64 + static_cast<std::uint64_t>(std::countr_zero(word));
          matrix_.set(i, columns_.begin + column(k));
        }
      }
      has_packets_ = others.empty() || others[0].count < sights.count;
    }
    for (const RayRun& run : others) {
      trace_later(sights.slice(run.first, run.count), i,
                  [&](std::uint64_t k) { return column(run.first + k); });
    }
  }
  template <class ColumnOf>
  void trace_later(const Sights& sights, std::uint64_t i, const ColumnOf& column) {
    if (sights.count == 0) return;
    batches_.add(sights);
    const auto place = static_cast<std::uint32_t>((i - rows_.begin) << column_bits);
    const std::size_t first = places_.size();
    places_.resize(first + sights.count);
    for (std::uint64_t k = 0; k < sights.count; ++k) {
      places_[first + k] = place + static_cast<std::uint32_t>(column(k));
    }
    if (batches_.room() == 0) trace_added();
  }

  void trace_added() {
    batches_.trace([&](RayAnswers rays) { take(rays, matrix_); });
    places_.clear();
  }

  /// By value, so that all stays in registers, and without branches: which pairs see each other is
  /// unpredictable.
  void take(RayAnswers rays, Matrix matrix) {
    const std::uint32_t* const places = places_.data();
    const Range rows = rows_, columns = columns_;
    std::uint64_t visible = 0;
    for (std::uint32_t k = 0; k < rays.count; ++k) {
      const std::uint64_t i = rows.begin + (places[k] >> column_bits);
      const std::uint64_t column = places[k] & ((1u << column_bits) - 1);
      const std::uint64_t j = columns.begin + column;
      const std::uint64_t is_seen = sees(rays[k]);
      matrix.set(i, j, is_seen);
      visible += is_seen;
    }
    report_.visible += visible;
  }

  // After a row without packets the next attempt is so many rows later.
  static constexpr std::uint64_t rows_between_tries = 32;

  const CpuScene& scene_;
  RayBatches& batches_;
  const Matrix& matrix_;
  const Range rows_, columns_;
  const PointsView targets_;
  FieldTargets in_field_;
  std::vector<std::uint32_t> places_;  ///< row and column of each ray in the batches
  std::vector<std::uint64_t> packet_bits_;
  bool has_packets_ = true;
  std::optional<Fans> fans_;
  PointCopies copies_;
  std::uint64_t next_fan_ = 0, rows_between_fans_ = 1;  ///< 1, 4, 16 ... after fans that do not pay
  VisibilityReport report_;
};

}  // namespace sightline::detail
