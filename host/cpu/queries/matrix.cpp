// Visibility matrices on the cpu backend. Neighbours among rows and columns follow each other, and
// the targets of a viewpoint are taken as a fan: docs/concepts/inside-cpu.md.
#include "host/cpu/queries/matrix_mirror.hpp"
#include "host/cpu/queries/matrix_tile.hpp"
#include "host/cpu/queries/ordered_points.hpp"

namespace sightline::detail {
namespace {

/// Columns of a tile in fans: they and their targets stay in the cache.
constexpr std::uint64_t fan_columns = 4096;

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

}  // namespace

VisibilityReport answer_query(const CpuScene& scene, const VisibilityMatrix& asked) {
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
VisibilityReport answer_query(const CpuScene& scene, const SelfVisibility& asked) {
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
