#include "host/cuda/queries/queries.hpp"

#include "host/cuda/chunks/to_device_and_back.hpp"
#include "host/cuda/queries/target_set.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

// A row of a tile is at most 2 MiB, so that a chunk holds many rows.
constexpr std::uint64_t most_targets = std::uint64_t{1} << 24;

struct TileReport {
  std::uint64_t visible = 0, in_field = 0;
  kernels::PointCounts targets;
};

/// Visibility of one tile of targets; null fields: all around.
TileReport trace_tile(const Lease& lease, const QueryContext& context, const PointsView& viewpoints,
                      const FieldsView* fields, const PointsView& tile, const SightOptions& options,
                      const BitRows& rows) {
  const TargetSet targets = upload_targets(lease, context, tile, 0);
  TileReport report;
  report.targets = targets.counts;
  const std::uint64_t row_words = 2 * rows.words;
  run_chunks(lease, viewpoints.count, {context.most, 1}, [&](Chunk& chunk) {
    const std::uint64_t n = chunk.count();
    kernels::FieldsJob look = {
        viewpoints,      targets.points, fields == nullptr ? FieldsView{} : *fields,
        targets.order,   nullptr,        row_words,
        &report.in_field};
    kernels::ReorderBitsJob reorder = {
        nullptr, nullptr, n, tile.count, row_words, 0, nullptr, targets.rank, &report.visible};
    chunk.in(look.viewpoints);
    chunk.in(look.fields);
    chunk.sum(look.in_field);
    chunk.sum(reorder.visible);
    chunk.out_rows(reorder.out, rows);
    // In Morton order: what is in the field, then what of it is visible.
    reorder.in = look.bits = chunk.temporary<std::uint32_t>(n * row_words);
    chunk.launch([&](cudaStream_t stream) {
      if (fields != nullptr) {
        kernels::fields_of_view(stream, look);
        check_launch("fields_of_view");
      }
      kernels::sight(stream,
                     {context.scene, look.viewpoints, targets.points, targets.order, options,
                      look.bits, row_words, fields == nullptr ? nullptr : look.bits});
      check_launch("sight");
      kernels::reorder_bits(stream, reorder);
      check_launch("reorder_bits");
    });
  });
  return report;
}

/// All tiles, smaller ones where memory is short.
TileReport trace_tiles(const Lease& lease, const QueryContext& context,
                       const PointsView& viewpoints, const FieldsView* fields,
                       const PointsView& targets, std::uint64_t* bits,
                       const SightOptions& options) {
  const std::uint64_t words = bit_words(targets.count);
  std::uint64_t tile =
      context.most == 0 ? most_targets : std::min(most_targets, bit_words(context.most) * 64);
  TileReport all;
  for (std::uint64_t first = 0; first < targets.count;) {
    const std::uint64_t n = std::min(tile, targets.count - first);
    const BitRows rows = {bits + first / 64, words, bit_words(n)};
    TileReport part;
    try {
      part = trace_tile(lease, context, viewpoints, fields, targets.slice(first, n), options, rows);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory || n <= 64) throw;
      lease->clear();
      if (lease.pool().trim()) continue;
      tile = std::max<std::uint64_t>(64, n / 2 / 64 * 64);
      continue;
    }
    all.visible += part.visible;
    all.in_field += part.in_field;
    add(all.targets, part.targets);
    first += n;
  }
  return all;
}

}  // namespace

/// Targets are uploaded in tiles, as many as fit and at most `most`, in Morton order; viewpoints in
/// chunks.
VisibilityReport answer(const QueryContext& context, const detail::VisibilityMatrix& asked) {
  const auto& [viewpoints, fields, targets, bits, options] = asked;
  Lease lease(context.pool);
  const kernels::PointCounts from = scan_points(lease, context, viewpoints, nullptr);
  TileReport all;
  if (viewpoints.count > 0) {
    all = trace_tiles(lease, context, viewpoints, fields, targets, bits, options);
  } else {
    all.targets = scan_points(lease, context, targets, nullptr);
  }
  lease.done();
  return {viewpoints.count * targets.count,
          all.visible,
          from.bad,
          all.targets.bad,
          from.touching,
          all.targets.touching,
          all.in_field,
          0};
}

VisibilityReport answer(const QueryContext& context, const detail::VisibilityPairs& asked) {
  std::uint64_t visible = 0;
  kernels::PointCounts of_from, of_to;
  run_query(context.pool, asked.from.count, {context.most, 64}, [&](Chunk& chunk) {
    kernels::SightPairsJob pairs = {context.scene, asked.from, asked.to,
                                    asked.options, nullptr,    &visible};
    kernels::PointCounts *from_counts = &of_from, *to_counts = &of_to;
    chunk.in(pairs.from);
    chunk.in(pairs.to);
    chunk.sum(pairs.visible);
    chunk.sum(from_counts);
    chunk.sum(to_counts);
    chunk.out_bits(pairs.bits, asked.bits);
    chunk.launch([&](cudaStream_t stream) {
      kernels::sight_pairs(stream, pairs);
      check_launch("sight_pairs");
      kernels::count_points(stream, {context.scene, pairs.from, from_counts});
      check_launch("count_points");
      kernels::count_points(stream, {context.scene, pairs.to, to_counts});
      check_launch("count_points");
    });
  });
  return {asked.from.count, visible, of_from.bad, of_to.bad, of_from.touching, of_to.touching};
}

}  // namespace sightline::cuda
