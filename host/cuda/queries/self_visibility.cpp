#include "host/cuda/chunks/to_device_and_back.hpp"
#include "host/cuda/queries/queries.hpp"
#include "host/cuda/queries/target_set.hpp"

namespace sightline::cuda {
namespace {

/// 32-bit words of the whole matrix, its rows rounded up to 32.
std::uint64_t matrix_words(std::uint64_t n) { return (n + 31) / 32 * 32 * 2 * bit_words(n); }

SetRoom room_of(const QueryContext& context, const PointsView& points,
                const SightOptions& options) {
  const std::uint64_t n = points.count;
  const bool has_boxes = uses_boxes(context, points, points, options);
  return {climbs(context), matrix_words(n),
          has_boxes ? kernels::box_words_of(n, 2 * bit_words(n)) : 0};
}

/// Whether the set takes at most half of the free memory: the rest is for the sort, the chunks and
/// other queries.
bool fits(const PointsView& points, const SetRoom& room) {
  constexpr std::uint64_t most_points = std::uint64_t{1} << 24;  // a matrix of 2^45 bytes
  if (points.count > most_points) return false;
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return bytes_of_targets(points, room) <= free / 2;
}

VisibilityReport trace_whole_matrix(const QueryContext& context, const PointsView& points,
                                    std::uint64_t* bits, const SightOptions& options) {
  Lease lease(context.pool);
  const std::uint64_t n = points.count, words = bit_words(n);
  const TargetSet set =
      upload_points(lease, lease->resident(), context, points, room_of(context, points, options));
  kernels::self_sight(lease->stream().get(), {context.scene, set.points, set.order, options,
                                              set.matrix, 2 * words, set.boxes, set.nodes});
  check_launch("self_sight");
  lease->stream().synchronize();
  // From Morton order back to the caller's.
  std::uint64_t visible = 0;
  run_chunks(lease, n, {context.most, 1}, [&](Chunk& chunk) {
    kernels::ReorderBitsJob job = {set.matrix,    nullptr,  chunk.count(), n,       2 * words,
                                   chunk.first(), set.rank, set.rank,      &visible};
    chunk.sum(job.visible);
    chunk.out_rows(job.out, {bits, words, words});
    chunk.launch([&](cudaStream_t stream) {
      kernels::reorder_bits(stream, job);
      check_launch("reorder_bits");
    });
  });
  lease.done();
  const kernels::PointCounts both = set.counts;
  return {n * n, visible, both.bad, both.bad, both.touching, both.touching};
}

}  // namespace

/// Each pair is traced once where the whole matrix fits in half of the device's free memory; else
/// twice, as a matrix of the points and the points.
VisibilityReport answer_query(const QueryContext& context, const detail::SelfVisibility& asked) {
  const auto& [points, bits, options] = asked;
  if (points.count == 0) return {};
  if (fits(points, room_of(context, points, options))) {
    try {
      return trace_whole_matrix(context, points, bits, options);
    } catch (const Error& error) {
      // The memory has been taken meanwhile; the matrix in tiles needs less.
      if (error.kind() != ErrorKind::out_of_memory) throw;
    }
  }
  return answer_query(context, detail::VisibilityMatrix{points, nullptr, points, bits, options});
}

}  // namespace sightline::cuda
