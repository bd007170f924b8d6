// Visibility matrices on the cpu backend. Neighbours among rows and columns follow each other, and
// the targets of a viewpoint are taken as a fan, where what blocks one is tried on its neighbours
// first: docs/performance.md.
#include "host/cpu/queries/fields.hpp"
#include "host/cpu/queries/ordered_points.hpp"
#include "host/cpu/queries/sight.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace sightline::detail {
namespace {

// Row and column of a ray in a tile are one word.
constexpr int column_bits = 20;
constexpr std::uint64_t most_tile_rows = std::uint64_t{1} << (32 - column_bits);
static_assert(CpuScene::largest_part <= 1u << column_bits);

// After a row without packets the next attempt is so many rows later.
constexpr std::uint64_t rows_between_tries = 32;

/// Point i, `count` times.
PointsView repeated(const PointsView& points, std::uint64_t i, std::uint64_t count) {
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
  bool in_fans;     ///< see Tracer::trace_fan()

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

/// Columns of a tile in fans: they and their targets stay in the cache.
constexpr std::uint64_t fan_columns = 4096;

/// The targets of a tile as fans from one viewpoint after the other.
class Fans {
 public:
  explicit Fans(const PointsView& targets)
      : count_(static_cast<std::uint32_t>(targets.count)), targets_(count_ + more) {
    for (std::uint32_t k = 0; k < count_; ++k) {
      const Vec3 p = targets.position[k];
      targets_[k] = {{p.x, p.y, p.z, 0}};
      for (int i = 0; i < fan_box_levels; ++i) add_to_boxes(boxes_[i], i, k, p);
    }
    leaf_.assign(targets_.size(), none);
    for (auto* room : {&around_, &up_}) room->resize(targets_.size());
    for (auto* room : {&clear_, &left_, &open_, &cell_, &order_}) room->resize(targets_.size());
    next_.resize(fan_cells + more);
  }

  /// Of targets from `first` on.
  FanCounts trace(const CpuScene& scene, const Vec3& viewpoint, std::uint64_t first,
                  const SightOptions& options) {
    return scene.tracer.trace_fan(scene.traced,
                                  {viewpoint,
                                   targets_.data(),
                                   static_cast<std::uint32_t>(first),
                                   count_,
                                   options,
                                   {boxes_[0].data(), boxes_[1].data(), boxes_[2].data()},
                                   leaf_.data(),
                                   clear_.data(),
                                   left_.data(),
                                   open_.data(),
                                   cell_.data(),
                                   order_.data(),
                                   around_.data(),
                                   up_.data(),
                                   next_.data()});
  }
  const std::uint32_t* clear() const { return clear_.data(); }
  const std::uint32_t* left() const { return left_.data(); }

 private:
  static constexpr std::uint32_t more = 16;

  const std::uint32_t count_;
  std::vector<FanTarget> targets_;
  std::vector<FanBox> boxes_[fan_box_levels];
  std::vector<std::uint32_t> leaf_, clear_, left_, open_, cell_, order_, next_;
  std::vector<float> around_, up_;
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
        in_field_(matrix.fields == nullptr ? PointsView{} : targets_) {
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

/// Traces tiles of some rows and columns.
VisibilityReport trace_part(const CpuScene& scene, RayBatches& batches, const Matrix& matrix,
                            Range rows, Range columns) {
  VisibilityReport report;
  const std::uint64_t step = matrix.in_fans ? fan_columns : std::uint64_t{1} << column_bits;
  // Of an upper half the columns are all from 0 on, and those before the rows belong to others.
  const std::uint64_t begin = matrix.upper_half ? rows.begin : columns.begin;
  for (std::uint64_t first = begin; first < columns.end; first += step) {
    const Range some = {first, std::min(first + step, columns.end)};
    const std::uint64_t row_end = matrix.upper_half ? std::min(rows.end, some.end) : rows.end;
    add(report, MatrixTile(scene, batches, matrix, {rows.begin, row_end}, some).trace());
  }
  return report;
}

/// Whether the matrix is traced in fans: there are rows enough for each thread, targets enough for
/// neighbours, pairs enough for sorted points (32 bytes each while they are sorted: less than the
/// bits, or 2 MB), and no masks or exclusions, which are a shape's and a pair's.
bool suits_fans(const CpuScene& scene, const PointsView& viewpoints, const PointsView& targets,
                const SightOptions& options) {
  constexpr std::uint64_t least_rows = 32, least_columns = 64;
  constexpr std::uint64_t few_points = 1u << 16, pairs_a_point = 256;
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 29;  // leaves are numbered in 32 bits
  const auto threads = static_cast<std::uint64_t>(scene.threads.count());
  if (viewpoints.count < least_rows * threads || targets.count < least_columns) return false;
  const std::uint64_t points = viewpoints.count + targets.count;
  const std::uint64_t pairs = viewpoints.count * targets.count;
  if (points > few_points && pairs / pairs_a_point < points) return false;
  if (viewpoints.count >= none || targets.count >= none) return false;
  if (scene.shapes.bounded() == 0 || scene.traced.node_count >= most_nodes) return false;
  return !is_filtered(scene.traced, Sights{viewpoints.count, viewpoints, viewpoints, options}) &&
         !is_filtered(scene.traced, Sights{targets.count, targets, targets, options});
}

/// Traces the matrix in bands of rows, whose bits are 0 before, each on one thread.
VisibilityReport trace_bands(const CpuScene& scene, const Matrix& matrix) {
  constexpr std::uint64_t most_rows = 128, least_pairs = 1u << 13, bands_a_thread = 8;
  const std::uint64_t bands = bands_a_thread * static_cast<std::uint64_t>(scene.threads.count());
  const std::uint64_t least_rows =
      std::clamp<std::uint64_t>(least_pairs / (matrix.targets.count + 1), 1, most_rows);
  const std::uint64_t rows = std::clamp(matrix.viewpoints.count / bands, least_rows, most_rows);
  ReportSum<VisibilityReport> sum;
  scene.threads.for_each_part(
      matrix.viewpoints.count, rows, sight_batches(scene, matrix.options),
      [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
        batches.set_grid(grid_of(matrix.targets));
        sum += trace_part(scene, batches, matrix, {begin, end}, {0, matrix.targets.count});
      });
  return sum.total();
}

/// Traces the matrix in the caller's order, in parts of some rows by some words of columns.
VisibilityReport trace_parts(const CpuScene& scene, const Matrix& matrix) {
  const std::uint64_t words = matrix.words(), rows_in_all = matrix.viewpoints.count;
  const std::uint64_t part = scene.part_of(rows_in_all * matrix.targets.count);
  const std::uint64_t width = std::min(words, part / 64);
  if (width == 0) return {};
  const std::uint64_t across = (words + width - 1) / width;
  const std::uint64_t rows = std::clamp<std::uint64_t>(part / 64 / width, 1, most_tile_rows);
  const RayGrid grid = grid_of(matrix.targets);
  ReportSum<VisibilityReport> sum;
  scene.threads.for_each_part(
      (rows_in_all + rows - 1) / rows * across, 1, sight_batches(scene, matrix.options),
      [&](RayBatches& batches, std::uint64_t tile, std::uint64_t) {
        const std::uint64_t row = tile / across * rows, word = tile % across * width;
        batches.set_grid(grid);
        sum += trace_part(scene, batches, matrix, {row, std::min(row + rows, rows_in_all)},
                          {word * 64, std::min((word + width) * 64, matrix.targets.count)});
      });
  return sum.total();
}

void clear(const CpuScene& scene, std::uint64_t* bits, std::uint64_t words) {
  scene.threads.for_each_part(
      words, std::uint64_t{1} << 16, [] { return 0; },
      [&](int, std::uint64_t begin, std::uint64_t end) { std::fill(bits + begin, bits + end, 0); });
}

/// Of 64 rows of 64 bits.
void transpose(std::uint64_t* block) {
  std::uint64_t mask = 0x00000000FFFFFFFFu;
  for (int step = 32; step != 0; step /= 2, mask ^= mask << step) {
    for (int k = 0; k < 64; k = (k + step + 1) & ~step) {
      const std::uint64_t moved = (block[k] >> step ^ block[k + step]) & mask;
      block[k] ^= moved << step;
      block[k + step] ^= moved;
    }
  }
}

/// Sets bit (i, j) where (j, i) is set.
void mirror(const CpuScene& scene, std::uint64_t* bits, std::uint64_t n) {
  const std::uint64_t words = bit_words(n);
  scene.threads.for_each_part(
      words, 1, [] { return 0; },
      [&](int, std::uint64_t upper, std::uint64_t) {
        const auto load = [&](std::uint64_t row, std::uint64_t word, std::uint64_t* block) {
          for (std::uint64_t k = 0; k < 64; ++k) {
            block[k] = row * 64 + k < n ? bits[(row * 64 + k) * words + word] : 0;
          }
        };
        const auto unite = [&](std::uint64_t row, std::uint64_t word, const std::uint64_t* block) {
          for (std::uint64_t k = 0; k < 64 && row * 64 + k < n; ++k) {
            bits[(row * 64 + k) * words + word] |= block[k];
          }
        };
        for (std::uint64_t lower = upper; lower < words; ++lower) {
          std::uint64_t above[64], below[64];
          load(upper, lower, above);
          load(lower, upper, below);
          transpose(above);
          transpose(below);
          unite(upper, lower, below);
          unite(lower, upper, above);
        }
      });
}

}  // namespace

VisibilityReport answer(const CpuScene& scene, const VisibilityMatrix& asked) {
  const PointsView &viewpoints = asked.viewpoints, &targets = asked.targets;
  Matrix matrix = {viewpoints,    targets,    nullptr, nullptr, asked.fields,
                   asked.options, asked.bits, false,   false};
  clear(scene, asked.bits, viewpoints.count * matrix.words());
  VisibilityReport report;
  if (asked.fields == nullptr && suits_fans(scene, viewpoints, targets, asked.options)) {
    const OrderedPoints rows(viewpoints), columns(targets);
    matrix.viewpoints = rows.view, matrix.row_of = rows.index.data();
    matrix.targets = columns.view, matrix.column_of = columns.index.data();
    matrix.in_fans = true;
    report = trace_bands(scene, matrix);
  } else {
    report = trace_parts(scene, matrix);
  }
  return report_of(viewpoints.count * targets.count, report, count_points(scene, viewpoints),
                   count_points(scene, targets));
}

// Every pair is traced once, and its bit is mirrored.
VisibilityReport answer(const CpuScene& scene, const SelfVisibility& asked) {
  const PointsView& points = asked.points;
  const OrderedPoints ordered(points);
  const Matrix matrix = {
      ordered.view,         ordered.view, ordered.index.data(),
      ordered.index.data(), nullptr,      asked.options,
      asked.bits,           true,         suits_fans(scene, points, points, asked.options)};
  clear(scene, asked.bits, points.count * matrix.words());
  VisibilityReport report = trace_bands(scene, matrix);
  report.visible *= 2;
  for (std::uint64_t i = 0; i < points.count; ++i) {
    report.visible -= asked.bits[i * matrix.words() + i / 64] >> i % 64 & 1;
  }
  mirror(scene, asked.bits, points.count);
  const VisibilityReport both = count_points(scene, points);
  return report_of(points.count * points.count, report, both, both);
}

}  // namespace sightline::detail
