#include "host/cuda/queries/target_set.hpp"

#include "host/cuda/queries/points_jobs.hpp"

namespace sightline::cuda {
namespace {

TargetSet cut_targets(const PointsView& points, std::uint64_t matrix_words, Cutter& memory) {
  TargetSet set;
  set.points = cut_points(points, points.count, memory);
  set.order = memory.take<std::uint32_t>(points.count);
  set.rank = memory.take<std::uint32_t>(points.count);
  set.matrix = memory.take<std::uint32_t>(matrix_words);
  return set;
}

}  // namespace

std::uint64_t bytes_of_targets(const PointsView& points, std::uint64_t matrix_words) {
  Cutter size;
  cut_targets(points, matrix_words, size);
  return size.end();
}

TargetSet bring_targets(const Lease& lease, const kernels::DeviceScene& scene,
                        const PointsView& points, std::uint64_t matrix_words, std::uint64_t chunk) {
  lease->resident().reserve(bytes_of_targets(points, matrix_words));
  Cutter memory(lease->resident().data());
  TargetSet set = cut_targets(points, matrix_words, memory);
  set.counts = bring_points(lease, scene, points, &set.points, chunk);
  const int error = kernels::morton_order(lease->stream().get(), set.points, set.order, set.rank,
                                          lease->scratch().door());
  check(static_cast<cudaError_t>(error), "morton_order");
  return set;
}

}  // namespace sightline::cuda
