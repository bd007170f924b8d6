#include "host/cuda/queries/visibility.hpp"

#include "host/cuda/queries/bit_rows.hpp"
#include "host/cuda/queries/points_jobs.hpp"
#include "host/cuda/queries/target_set.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

using detail::words_for;

// A row of a tile is then at most 2 MiB, so that a chunk holds many rows.
constexpr std::uint64_t most_targets = std::uint64_t{1} << 24;

struct SightCounts {
  std::uint64_t visible = 0, in_field = 0;
};

/// Chunks of viewpoints that look at one tile of targets; null fields: all around.
class SightRowsJob final : public ChunkJob {
 public:
  SightRowsJob(const kernels::DeviceScene& scene, const PointsView& viewpoints,
               const FieldsView* fields, const TargetSet& targets, const SightOptions& options,
               const BitRows& rows)
      : scene_(scene),
        viewpoints_(viewpoints),
        has_fields_(fields != nullptr),
        fields_(fields != nullptr ? *fields : FieldsView{}),
        targets_(targets),
        options_(options),
        rows_(rows) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    const Places at = places(n, host);
    cuda::pack(viewpoints_.slice(first, n), at.viewpoints);
    cuda::pack(fields_.from(first), at.fields, n);
    *at.counts = {};
  }

  void launch(cudaStream_t stream, std::uint64_t, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    const std::uint64_t row_words = 2 * rows_.words;
    if (has_fields_) {
      kernels::fields_of_view(stream, {at.viewpoints, targets_.points, at.fields, targets_.order,
                                       at.sorted, row_words, &at.counts->in_field});
      check_launch("fields_of_view");
    }
    kernels::sight(stream, {scene_, at.viewpoints, targets_.points, targets_.order, options_,
                            at.sorted, row_words, has_fields_ ? at.sorted : nullptr});
    check_launch("sight");
    kernels::reorder_bits(stream, {at.sorted, at.bits, n, targets_.points.count, row_words, 0,
                                   nullptr, targets_.rank, &at.counts->visible});
    check_launch("reorder_bits");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    store_rows(rows_, first, n, at.bits);
    total_.visible += at.counts->visible;
    total_.in_field += at.counts->in_field;
  }

  SightCounts total() const { return total_; }

 private:
  struct Places {
    PointsView viewpoints;
    FieldsView fields;
    SightCounts* counts;
    std::uint32_t* bits;    ///< [n, row_words]
    std::uint32_t* sorted;  ///< [n, row_words], columns in the targets' order
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.viewpoints = cut_points(viewpoints_, n, memory);
    at.fields = cut_fields(fields_, n, memory);
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<SightCounts>(1);
    at.bytes.in_end = memory.end();
    at.bits = memory.take<std::uint32_t>(n * 2 * rows_.words);
    at.bytes.out_end = memory.end();
    at.sorted = memory.take<std::uint32_t>(n * 2 * rows_.words);
    at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  PointsView viewpoints_;
  bool has_fields_;
  FieldsView fields_;
  TargetSet targets_;
  SightOptions options_;
  BitRows rows_;
  SightCounts total_;
};

struct TileReport {
  SightCounts sight;
  kernels::PointCounts targets;
};

TileReport see_tile(const Lease& lease, const kernels::DeviceScene& scene,
                    const PointsView& viewpoints, const FieldsView* fields, const PointsView& tile,
                    const SightOptions& options, const BitRows& rows, std::uint64_t chunk) {
  const TargetSet targets = bring_targets(lease, scene, tile, 0, chunk);
  SightRowsJob job(scene, viewpoints, fields, targets, options, rows);
  run_chunks(lease, job, viewpoints.count, {chunk, 1});
  return {job.total(), targets.counts};
}

/// All tiles, smaller ones where memory is short.
TileReport see_all(const Lease& lease, const kernels::DeviceScene& scene,
                   const PointsView& viewpoints, const FieldsView* fields,
                   const PointsView& targets, std::uint64_t* bits, const SightOptions& options,
                   std::uint64_t chunk) {
  const std::uint64_t words = words_for(targets.count);
  std::uint64_t tile = chunk == 0 ? most_targets : std::min(most_targets, words_for(chunk) * 64);
  TileReport all;
  for (std::uint64_t first = 0; first < targets.count;) {
    const std::uint64_t n = std::min(tile, targets.count - first);
    const BitRows rows = {bits + first / 64, words, words_for(n)};
    TileReport part;
    try {
      part =
          see_tile(lease, scene, viewpoints, fields, targets.slice(first, n), options, rows, chunk);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory || n <= 64) throw;
      lease->clear();
      if (lease.pool().trim()) continue;
      tile = std::max<std::uint64_t>(64, n / 2 / 64 * 64);
      continue;
    }
    all.sight.visible += part.sight.visible;
    all.sight.in_field += part.sight.in_field;
    all.targets.bad += part.targets.bad;
    all.targets.touching += part.targets.touching;
    first += n;
  }
  return all;
}

}  // namespace

VisibilityReport visibility(WorkspacePool& pool, const kernels::DeviceScene& scene,
                            const PointsView& viewpoints, const FieldsView* fields,
                            const PointsView& targets, std::uint64_t* bits,
                            const SightOptions& options, std::uint64_t chunk) {
  Lease lease(pool);
  const kernels::PointCounts from = bring_points(lease, scene, viewpoints, nullptr, chunk);
  TileReport all;
  if (viewpoints.count > 0) {
    all = see_all(lease, scene, viewpoints, fields, targets, bits, options, chunk);
  } else {
    all.targets = bring_points(lease, scene, targets, nullptr, chunk);
  }
  lease.done();
  return {viewpoints.count * targets.count,
          all.sight.visible,
          from.bad,
          all.targets.bad,
          from.touching,
          all.targets.touching,
          all.sight.in_field,
          0};
}

}  // namespace sightline::cuda
