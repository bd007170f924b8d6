#include "host/cuda/queries/queries.hpp"

#include "host/cuda/chunks/to_device_and_back.hpp"
#include "host/cuda/queries/target_set.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace sightline::cuda {
namespace {

// A row of a tile is at most 2 MiB, so that a chunk holds many rows.
constexpr std::uint64_t most_targets = std::uint64_t{1} << 24;

struct TileReport {
  std::uint64_t visible = 0, in_field = 0;
  kernels::PointCounts targets;
};

/// All viewpoints on the device, in an order in which neighbours see the same nodes.
struct SortedRows {
  std::vector<std::uint32_t> order;  ///< the set's, on the host
  TargetSet set;
};

/// What is asked of every tile. Null fields: all around; null sorted: rows in the caller's order.
struct Rows {
  PointsView viewpoints;
  const FieldsView* fields;
  SightOptions options;
  const SortedRows* sorted;
};

/// Visibility of one tile of targets.
TileReport trace_tile(const Lease& lease, const QueryContext& context, const Rows& asked,
                      const PointsView& tile, const BitRows& rows) {
  const PointsView& viewpoints = asked.viewpoints;
  const FieldsView* const fields = asked.fields;
  const SortedRows* const sorted = asked.sorted;
  const TargetSet targets = upload_points(lease, lease->resident(), context, tile,
                                          {sorted != nullptr && climbs(context)});
  TileReport report;
  report.targets = targets.counts;
  const std::uint64_t row_words = 2 * rows.words;
  const bool has_boxes =
      sorted != nullptr && uses_boxes(context, sorted->set.points, targets.points, asked.options);
  run_chunks(lease, viewpoints.count, {context.most, 1, WaitsFor::kernels}, [&](Chunk& chunk) {
    const std::uint64_t n = chunk.count();
    kernels::FieldsJob look = {
        viewpoints,      targets.points, fields == nullptr ? FieldsView{} : *fields,
        targets.order,   nullptr,        row_words,
        &report.in_field};
    const std::uint32_t *row_order = nullptr, *row_nodes = nullptr;
    kernels::ReorderBitsJob reorder = {
        nullptr, nullptr, n, tile.count, row_words, 0, nullptr, targets.rank, &report.visible};
    if (sorted == nullptr) {
      chunk.in(look.viewpoints);
    } else {
      look.viewpoints = sorted->set.points;
      look.viewpoints.count = n;
      row_order = sorted->set.order + chunk.first();
      if (sorted->set.nodes != nullptr) row_nodes = sorted->set.nodes + chunk.first();
    }
    chunk.in(look.fields);
    chunk.sum(look.in_field);
    chunk.sum(reorder.visible);
    chunk.out_rows(reorder.out, rows);
    // In Morton order: what is in the field, then what of it is visible.
    reorder.in = look.bits = chunk.temporary<std::uint32_t>(n * row_words);
    std::uint32_t* const box_words =
        has_boxes ? chunk.temporary<std::uint32_t>(kernels::box_words_of(n, row_words)) : nullptr;
    chunk.launch([&](cudaStream_t stream) {
      if (fields != nullptr) {
        kernels::fields_of_view(stream, look);
        check_launch("fields_of_view");
      }
      kernels::sight(
          stream, {context.scene, look.viewpoints, targets.points, targets.order, asked.options,
                   look.bits, row_words, fields == nullptr ? nullptr : look.bits, row_order, false,
                   box_words, targets.nodes, row_nodes});
      check_launch("sight");
      kernels::reorder_bits(stream, reorder);
      check_launch("reorder_bits");
    });
  });
  return report;
}

/// All tiles, smaller ones where memory is short.
TileReport trace_tiles(const Lease& lease, const QueryContext& context, Rows rows,
                       const PointsView& targets, std::uint64_t* bits) {
  const std::uint64_t words = bit_words(targets.count);
  std::uint64_t tile =
      context.most == 0 ? most_targets : std::min(most_targets, bit_words(context.most) * 64);
  TileReport all;
  bool trimmed = false;
  for (std::uint64_t first = 0; first < targets.count;) {
    const std::uint64_t n = std::min(tile, targets.count - first);
    const BitRows out = {bits + first / 64, words, bit_words(n),
                         rows.sorted == nullptr ? nullptr : rows.sorted->order.data()};
    TileReport part;
    try {
      part = trace_tile(lease, context, rows, targets.slice(first, n), out);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory || (n <= 64 && rows.sorted == nullptr)) throw;
      lease->clear();
      lease.pool().trim();
      // The sorted rows are gone: from here on the caller's, in chunks.
      const bool were_sorted = std::exchange(rows.sorted, nullptr) != nullptr;
      if (!std::exchange(trimmed, true) || were_sorted) continue;
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

/// Whether the rows go up once, sorted, and stay on the device, so that neighbours share blockers
/// (docs/concepts/inside-gpu.md), or in chunks with each tile: in trees, for rows enough, and where
/// the points, 20 to 36 bytes each and 20 more while they are sorted, take less than the bits of
/// the matrix, or 4 MB.
bool sorts_rows(const kernels::DeviceScene& scene, const PointsView& viewpoints,
                const PointsView& targets) {
  constexpr std::uint64_t least_rows = 32, few_points = 1u << 16, columns_a_point = 512;
  if (!scene.has_tree || scene.shapes.bounded() == 0) return false;
  if (viewpoints.count < least_rows || viewpoints.count >= none) return false;
  return viewpoints.count <= few_points || targets.count >= columns_a_point;
}

/// Uploads and sorts them. Nothing where memory is short: then they stay the caller's.
bool sort_rows(const Lease& lease, const QueryContext& context, const PointsView& viewpoints,
               SortedRows& sorted) {
  try {
    sorted.set =
        upload_points(lease, lease->resident_rows(), context, viewpoints, {climbs(context)});
    sorted.order.resize(viewpoints.count);
    check(cudaMemcpyAsync(sorted.order.data(), sorted.set.order,
                          viewpoints.count * sizeof(std::uint32_t), cudaMemcpyDeviceToHost,
                          lease->stream().get()),
          "cudaMemcpyAsync");
    lease->stream().synchronize();
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::out_of_memory) throw;
    lease->clear();
    return false;
  }
}

}  // namespace

/// Targets are uploaded in tiles, as many as fit and at most `most`, in Morton order; viewpoints in
/// chunks, or once and for all in Morton order.
VisibilityReport answer_query(const QueryContext& context, const detail::VisibilityMatrix& asked) {
  const auto& [viewpoints, fields, targets, bits, options] = asked;
  SortedRows sorted;  // outlives the lease, whose stream copies to it
  Lease lease(context.pool);
  Rows rows = {viewpoints, fields, options, nullptr};
  if (fields == nullptr && sorts_rows(context.scene, viewpoints, targets) &&
      sort_rows(lease, context, viewpoints, sorted)) {
    rows.sorted = &sorted;
  }
  const kernels::PointCounts from =
      rows.sorted != nullptr ? sorted.set.counts : scan_points(lease, context, viewpoints, nullptr);
  TileReport all;
  if (viewpoints.count > 0) {
    all = trace_tiles(lease, context, rows, targets, bits);
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

VisibilityReport answer_query(const QueryContext& context, const detail::VisibilityPairs& asked) {
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
