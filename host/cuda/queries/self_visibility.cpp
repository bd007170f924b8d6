#include "host/cuda/queries/bit_rows.hpp"
#include "host/cuda/queries/target_set.hpp"
#include "host/cuda/queries/visibility.hpp"

namespace sightline::cuda {
namespace {

using detail::words_for;

/// Rows of a whole matrix in Morton order, brought into the caller's order and back.
class ReorderRowsJob final : public ChunkJob {
 public:
  ReorderRowsJob(const TargetSet& points, const BitRows& rows) : points_(points), rows_(rows) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t, std::uint64_t n, std::byte* host) const override {
    *places(n, host).visible = 0;
  }

  void launch(cudaStream_t stream, std::uint64_t first, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    kernels::reorder_bits(stream, {points_.matrix, at.bits, n, points_.points.count,
                                   2 * rows_.words, first, points_.rank, points_.rank, at.visible});
    check_launch("reorder_bits");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    store_rows(rows_, first, n, at.bits);
    visible_ += *at.visible;
  }

  std::uint64_t visible() const { return visible_; }

 private:
  struct Places {
    std::uint64_t* visible;
    std::uint32_t* bits;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.bytes.out_begin = memory.next();
    at.visible = memory.take<std::uint64_t>(1);
    at.bytes.in_end = memory.end();
    at.bits = memory.take<std::uint32_t>(n * 2 * rows_.words);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  TargetSet points_;
  BitRows rows_;
  std::uint64_t visible_ = 0;
};

/// 32-bit words of the whole matrix: rows to a multiple of 32.
std::uint64_t matrix_words(std::uint64_t n) { return (n + 31) / 32 * 32 * 2 * words_for(n); }

/// Whether the points and their matrix take at most half of the memory that is free: the rest is
/// for the sort, the chunks and other queries.
bool fits(const PointsView& points) {
  constexpr std::uint64_t most_points = std::uint64_t{1} << 24;  // 2^45 bytes of matrix
  if (points.count > most_points) return false;
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return bytes_of_targets(points, matrix_words(points.count)) <= free / 2;
}

VisibilityReport see_itself(WorkspacePool& pool, const kernels::DeviceScene& scene,
                            const PointsView& points, std::uint64_t* bits,
                            const SightOptions& options, std::uint64_t chunk) {
  Lease lease(pool);
  const std::uint64_t n = points.count, words = words_for(n);
  const TargetSet set = bring_targets(lease, scene, points, matrix_words(n), chunk);
  kernels::self_sight(lease->stream().get(),
                      {scene, set.points, set.order, options, set.matrix, 2 * words});
  check_launch("self_sight");
  lease->stream().synchronize();
  ReorderRowsJob job(set, {bits, words, words});
  run_chunks(lease, job, n, {chunk, 1});
  lease.done();
  const kernels::PointCounts both = set.counts;
  return {n * n, job.visible(), both.bad, both.bad, both.touching, both.touching};
}

}  // namespace

VisibilityReport self_visibility(WorkspacePool& pool, const kernels::DeviceScene& scene,
                                 const PointsView& points, std::uint64_t* bits,
                                 const SightOptions& options, std::uint64_t chunk) {
  if (points.count == 0) return {};
  if (fits(points)) {
    try {
      return see_itself(pool, scene, points, bits, options, chunk);
    } catch (const Error& error) {
      // What was free is taken meanwhile: less is enough.
      if (error.kind() != ErrorKind::out_of_memory) throw;
    }
  }
  return visibility(pool, scene, points, nullptr, points, bits, options, chunk);
}

}  // namespace sightline::cuda
