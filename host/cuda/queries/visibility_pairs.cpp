#include "host/cuda/device/chunks.hpp"
#include "host/cuda/queries/queries.hpp"

namespace sightline::cuda {

VisibilityReport visibility_pairs(const QueryContext& context, const PointsView& from,
                                  const PointsView& to, std::uint64_t* bits,
                                  const SightOptions& options) {
  std::uint64_t visible = 0;
  kernels::PointCounts of_from, of_to;
  run_query(context.pool, from.count, {context.most, 64}, [&](Chunk& chunk) {
    kernels::SightPairsJob pairs = {context.scene, from, to, options, nullptr, &visible};
    kernels::PointCounts *from_counts = &of_from, *to_counts = &of_to;
    chunk.in(pairs.from);
    chunk.in(pairs.to);
    chunk.sum(pairs.visible);
    chunk.sum(from_counts);
    chunk.sum(to_counts);
    chunk.out_bits(pairs.bits, bits);
    chunk.launch([&](cudaStream_t stream) {
      kernels::sight_pairs(stream, pairs);
      check_launch("sight_pairs");
      kernels::count_points(stream, {context.scene, pairs.from, from_counts});
      check_launch("count_points");
      kernels::count_points(stream, {context.scene, pairs.to, to_counts});
      check_launch("count_points");
    });
  });
  return {from.count, visible, of_from.bad, of_to.bad, of_from.touching, of_to.touching};
}

}  // namespace sightline::cuda
