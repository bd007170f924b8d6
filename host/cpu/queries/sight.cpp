// Visibility on the cpu backend: pairs of points are segments, traced in batches like rays.
#include "host/backend/report_sums.hpp"
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/lanes/packets.hpp"
#include "host/cpu/queries/fields.hpp"

#include <algorithm>
#include <atomic>

namespace sightline::detail {
namespace {

constexpr int column_bits = 19;
// A part has at most so many columns, and so many rows where each row is one word.
static_assert(CpuScene::largest_part <= 1u << column_bits);
static_assert(CpuScene::largest_part / 64 << column_bits <= std::uint64_t{1} << 32);

// After a row without packets, the next attempt is so many rows later.
constexpr std::uint64_t rows_between_tries = 32;

std::uint64_t bit(std::uint64_t i) { return std::uint64_t{1} << i % 64; }

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

/// The grid that orders the segments, by their midpoints.
RayGrid grid_of(const PointsView& points) {
  RaysView rays;
  rays.count = points.count;
  rays.origin = points.position;
  RayGrid grid = grid_over(rays, false);
  grid.by_midpoint = true;
  return grid;
}

/// Reports the points as viewpoints: bad ones, and good ones that lie in or touch a shape that
/// their mask and exclusions admit.
VisibilityReport count_points(const CpuScene& scene, const PointsView& points) {
  ReportSum<VisibilityReport> sum;
  scene.threads.for_each_part(
      points.count, scene.part_of(points.count),
      [&] { return scene.batches(RayQuery::any, Inside::solid); },
      [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
        RaysView rays;  // see touch_query()
        rays.count = end - begin;
        const PointsView here = points.slice(begin, end - begin);
        rays.origin = here.position;
        rays.mask = here.mask;
        rays.exclude[0] = here.exclude;
        rays.exclude_group[0] = here.exclude_group;
        batches.set_grid(grid_over(rays, false));
        VisibilityReport seen;
        const std::vector<RayRun> all = {{0, static_cast<std::uint32_t>(rays.count)}};
        batches.trace_runs(rays, all, [&](std::uint32_t, const RayRecord& r) {
          seen.bad_viewpoints += (r.flags & record_flags::bad) != 0;
          seen.touching_viewpoints += r.best != none;
        });
        sum += seen;
      });
  return sum.total();
}

/// Combines the reports of pairs, viewpoints and targets.
VisibilityReport report_of(std::uint64_t pairs, VisibilityReport report,
                           const VisibilityReport& viewpoints, const VisibilityReport& targets) {
  report.pairs = pairs;
  report.bad_viewpoints = viewpoints.bad_viewpoints;
  report.bad_targets = targets.bad_viewpoints;
  report.touching_viewpoints = viewpoints.touching_viewpoints;
  report.touching_targets = targets.touching_viewpoints;
  return report;
}

bool sees(const RayRecord& r) { return (r.flags & record_flags::bad) == 0 && r.best == none; }

auto sight_batches(const CpuScene& scene, const SightOptions& options) {
  return [&] { return scene.batches(RayQuery::sight, options.inside); };
}

/// Traces the packets among the segments: writes their bits, adds the clear ones to `clear`, and
/// returns the other segments.
std::vector<RayRun> sight_packets(const CpuScene& scene, const Sights& sights, std::uint64_t* bits,
                                  std::uint64_t& clear) {
  const int size = scene.tracer.packet_size;
  std::atomic<std::uint64_t> seen{0};
  auto others = trace_packets(
      scene.traced, scene.tracer, sights, RayQuery::sight, sights.options.inside,
      [&](std::uint32_t first) {
        return PacketAnswers{{}, bits + first / 64};
      },
      [&](std::uint32_t first, int blocked) {
        for (int w = 0; w < size / 64; ++w)
          bits[first / 64 + static_cast<std::uint32_t>(w)] ^= ~std::uint64_t{0};
        seen += static_cast<std::uint64_t>(size - blocked);
      });
  clear += seen;
  return others;
}

/// Traces the rays of a part of the matrix, row by row.
class MatrixRows {
 public:
  /// `bits`: the part's; rows are `words` apart and 0 when they are added.
  MatrixRows(const CpuScene& scene, RayBatches& batches, std::uint64_t* bits, std::uint64_t words)
      : scene_(scene), batches_(batches), bits_(bits), words_(words) {}

  /// Adds row `row` of the part: segments to its first columns, or to those in `columns`.
  void add(const Sights& sights, std::uint64_t row, const FieldTargets* columns) {
    if (sights.count == 0) return;
    report_.in_field += sights.count;
    std::vector<RayRun> others = {{0, static_cast<std::uint32_t>(sights.count)}};
    if (has_packets_ || row % rows_between_tries == 0) {
      others = trace_packets_of(sights, bits_ + row * words_, columns);
      has_packets_ = others.empty() || others[0].count < sights.count;
    }
    const auto place = static_cast<std::uint32_t>(row << column_bits);
    for (const RayRun& run : others) {
      batches_.add(sights.slice(run.first, run.count));
      const std::size_t first = places_.size();
      places_.resize(first + run.count);
      std::uint32_t* const to = places_.data() + first;
      for (std::uint32_t k = 0; k < run.count; ++k) {
        to[k] = place + (columns == nullptr ? run.first + k : (*columns)[run.first + k]);
      }
    }
    if (batches_.room() == 0) trace();
  }

  void trace() {
    batches_.trace([&](std::uint32_t k, const RayRecord& r) {
      if (!sees(r)) return;
      const std::uint64_t column = places_[k] & ((1u << column_bits) - 1);
      bits_[(places_[k] >> column_bits) * words_ + column / 64] |= bit(column);
      ++report_.visible;
    });
    places_.clear();
  }

  const VisibilityReport& report() const { return report_; }

 private:
  std::vector<RayRun> trace_packets_of(const Sights& sights, std::uint64_t* out,
                                       const FieldTargets* columns) {
    if (columns == nullptr) return sight_packets(scene_, sights, out, report_.visible);
    packet_bits_.assign(bit_words(sights.count), 0);
    auto others = sight_packets(scene_, sights, packet_bits_.data(), report_.visible);
    columns->scatter(packet_bits_, out);
    return others;
  }

  const CpuScene& scene_;
  RayBatches& batches_;
  std::uint64_t* const bits_;
  const std::uint64_t words_;
  std::vector<std::uint32_t> places_;       ///< row and column of each ray in the batches
  std::vector<std::uint64_t> packet_bits_;  ///< of the targets in a field
  bool has_packets_ = true;
  VisibilityReport report_;
};

}  // namespace

// A part of the matrix is some rows by some words of columns.
VisibilityReport answer(const CpuScene& scene, const VisibilityMatrix& asked) {
  const PointsView &viewpoints = asked.viewpoints, &targets = asked.targets;
  const FieldsView* const fields = asked.fields;
  std::uint64_t* const bits = asked.bits;
  const SightOptions& options = asked.options;
  const std::uint64_t words = bit_words(targets.count);
  const std::uint64_t pairs = viewpoints.count * targets.count;
  const std::uint64_t part = scene.part_of(pairs);
  const std::uint64_t tile_words = std::min(words, part / 64);
  const std::uint64_t tiles = tile_words == 0 ? 0 : (words + tile_words - 1) / tile_words;
  const std::uint64_t rows =
      tile_words == 0 ? 1 : std::max<std::uint64_t>(part / 64 / tile_words, 1);
  const std::uint64_t bands = (viewpoints.count + rows - 1) / rows;
  const RayGrid grid = grid_of(targets);
  ReportSum<VisibilityReport> sum;
  scene.threads.for_each_part(
      bands * tiles, 1, sight_batches(scene, options),
      [&](RayBatches& batches, std::uint64_t tile, std::uint64_t) {
        const std::uint64_t row = tile / tiles * rows, word = tile % tiles * tile_words;
        const std::uint64_t row_end = std::min(row + rows, viewpoints.count);
        const std::uint64_t word_end = std::min(word + tile_words, words);
        const std::uint64_t width = std::min(word_end * 64, targets.count) - word * 64;
        batches.set_grid(grid);
        const PointsView here = targets.slice(word * 64, width);
        FieldTargets in_field(fields == nullptr ? PointsView{} : here);
        MatrixRows part_rows(scene, batches, bits + row * words + word, words);
        for (std::uint64_t i = row; i < row_end; ++i) {
          std::uint64_t* const out = bits + i * words + word;
          std::fill(out, out + (word_end - word), 0);
          if (fields == nullptr) {
            part_rows.add({width, repeated(viewpoints, i, width), here, options}, i - row, nullptr);
            continue;
          }
          const PointsView some =
              in_field.select(field_test((*fields)[i], fields->shape), viewpoints[i]);
          part_rows.add({some.count, repeated(viewpoints, i, some.count), some, options}, i - row,
                        &in_field);
        }
        part_rows.trace();
        sum += part_rows.report();
      });
  return report_of(pairs, sum.total(), count_points(scene, viewpoints),
                   count_points(scene, targets));
}

// Blocks of 64 x 64 pairs on and above the diagonal are traced and mirrored, so that every word of
// the matrix belongs to exactly one block.
VisibilityReport answer(const CpuScene& scene, const SelfVisibility& asked) {
  const PointsView& points = asked.points;
  std::uint64_t* const bits = asked.bits;
  const SightOptions& options = asked.options;
  const std::uint64_t words = bit_words(points.count);
  const RayGrid grid = grid_of(points);
  const std::uint64_t blocks = words * words;
  const std::uint64_t part = std::clamp<std::uint64_t>(
      blocks / 2 / (static_cast<std::uint64_t>(scene.threads.count()) * 8), 1,
      CpuScene::largest_part / 4096);
  ReportSum<VisibilityReport> sum;
  scene.threads.for_each_part(
      blocks, part, sight_batches(scene, options),
      [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
        batches.set_grid(grid);
        struct Pair {
          std::uint64_t row, column;
        };
        std::vector<Pair> pairs;
        VisibilityReport seen;
        const auto trace = [&] {
          batches.trace([&](std::uint32_t k, const RayRecord& r) {
            if (!sees(r)) return;
            const auto [i, j] = pairs[k];
            bits[i * words + j / 64] |= bit(j);
            bits[j * words + i / 64] |= bit(i);
            seen.visible += i == j ? 1 : 2;
          });
          pairs.clear();
        };
        for (std::uint64_t k = begin; k < end; ++k) {
          const std::uint64_t bi = k / words, bj = k % words;
          if (bj < bi) continue;
          const std::uint64_t row_end = std::min(bi * 64 + 64, points.count);
          const std::uint64_t column_end = std::min(bj * 64 + 64, points.count);
          for (std::uint64_t i = bi * 64; i < row_end; ++i) {
            const std::uint64_t first = bi == bj ? i : bj * 64;
            bits[i * words + bj] = 0;
            const std::uint64_t n = column_end - first;
            batches.add(Sights{n, repeated(points, i, n), points.slice(first, n), options});
            for (std::uint64_t j = first; j < column_end; ++j) pairs.push_back({i, j});
          }
          for (std::uint64_t j = bj * 64; j < column_end; ++j) bits[j * words + bi] = 0;
          if (batches.room() == 0) trace();
        }
        trace();
        sum += seen;
      });
  const VisibilityReport both = count_points(scene, points);
  return report_of(points.count * points.count, sum.total(), both, both);
}

VisibilityReport answer(const CpuScene& scene, const VisibilityPairs& asked) {
  const PointsView &from = asked.from, &to = asked.to;
  std::uint64_t* const bits = asked.bits;
  const SightOptions& options = asked.options;
  const RayGrid grid = grid_of(from);
  ReportSum<VisibilityReport> sum;
  scene.threads.for_each_part(
      from.count, scene.part_of(from.count), sight_batches(scene, options),
      [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
        batches.set_grid(grid);
        const Sights sights = {end - begin, from.slice(begin, end - begin),
                               to.slice(begin, end - begin), options};
        std::fill(bits + begin / 64, bits + bit_words(end), 0);
        VisibilityReport seen;
        const auto others = sight_packets(scene, sights, bits + begin / 64, seen.visible);
        batches.trace_runs(sights, others, [&](std::uint32_t k, const RayRecord& r) {
          if (!sees(r)) return;
          const std::uint64_t i = begin + k;
          bits[i / 64] |= bit(i);
          ++seen.visible;
        });
        sum += seen;
      });
  return report_of(from.count, sum.total(), count_points(scene, from), count_points(scene, to));
}

}  // namespace sightline::detail
