// Launchers of closest hit and any hit: see launch.hpp.
#include "kernels/queries/cast.cuh"
#include "kernels/queries/cast_batch.cuh"
#include "kernels/traverse/grid_loops.cuh"
#include "kernels/traverse/wide_kernel.cuh"

namespace sightline::kernels {
namespace {

__global__ void __launch_bounds__(block_size, closest_hit_blocks)
    closest_hit_kernel(const __grid_constant__ ClosestHitJob job) {
  for_each_block(job.rays.count,
                 [&](const DeviceBlock& block, std::uint64_t i) { closest_hits(block, job, i); });
}

__global__ void __launch_bounds__(block_size, any_hit_blocks)
    any_hit_kernel(const __grid_constant__ AnyHitJob job) {
  for_each_block(job.rays.count,
                 [&](const DeviceBlock& block, std::uint64_t i) { any_hits(block, job, i); });
}

}  // namespace

void closest_hit(Stream stream, const ClosestHitJob& job) {
  if (job.rays.count == 0) return;
  if (job.scene.has_tree) return launch_wide<wide_closest_blocks>(stream, job);
  launch_threads(stream, job.rays.count, closest_hit_kernel, job);
}

void any_hit(Stream stream, const AnyHitJob& job) {
  if (job.rays.count == 0) return;
  if (job.scene.has_tree) return launch_wide<wide_any_blocks>(stream, job);
  launch_threads(stream, job.rays.count, any_hit_kernel, job);
}

}  // namespace sightline::kernels
