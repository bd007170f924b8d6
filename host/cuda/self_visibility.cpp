#include "host/cuda/chunks.hpp"
#include "host/cuda/target_set.hpp"
#include "host/cuda/visibility.hpp"

namespace sightline::cuda {
namespace {

using detail::words_for;

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
                            const SightOptions& options, std::uint64_t most) {
  Lease lease(pool);
  const std::uint64_t n = points.count, words = words_for(n);
  const TargetSet set = bring_targets(lease, scene, points, matrix_words(n), most);
  kernels::self_sight(lease->stream().get(),
                      {scene, set.points, set.order, options, set.matrix, 2 * words});
  check_launch("self_sight");
  lease->stream().synchronize();
  // From the order of the set into the caller's.
  std::uint64_t visible = 0;
  run_chunks(lease, n, {most, 1}, [&](Chunk& chunk) {
    kernels::ReorderBitsJob job = {set.matrix, nullptr,   chunk.elements().count,
                                   n,          2 * words, chunk.elements().first,
                                   set.rank,   set.rank,  &visible};
    chunk.sum(job.visible);
    chunk.out(job.out, BitRows{bits, words, words});
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
