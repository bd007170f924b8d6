// Launchers of 2D: see launch.hpp.
#include "kernels/launch/tuning.hpp"
#include "kernels/queries/flat.cuh"
#include "kernels/traverse/grid_loops.cuh"

namespace sightline::kernels {
namespace {

__global__ void __launch_bounds__(block_size, flat_overlap_blocks)
    count_flat_kernel(const __grid_constant__ CountFlatJob job) {
  for_each_item(job.circles.count, [&](std::uint64_t i) { count_flat_of(job, i); });
}

__global__ void __launch_bounds__(block_size, flat_overlap_blocks)
    fill_flat_kernel(const __grid_constant__ FillFlatJob job) {
  for_each_item(job.circles.count, [&](std::uint64_t i) { fill_flat_of(job, i); });
}

__global__ void __launch_bounds__(block_size, flat_cast_blocks)
    cast_flat_kernel(const __grid_constant__ CastFlatJob job) {
  for_each_item(job.segments.count, [&](std::uint64_t i) { cast_flat_of(job, i); });
}

}  // namespace

void count_flat(Stream stream, const CountFlatJob& job) {
  launch_threads(stream, job.circles.count, count_flat_kernel, job);
}

void fill_flat(Stream stream, const FillFlatJob& job) {
  launch_threads(stream, job.circles.count, fill_flat_kernel, job);
}

void cast_flat(Stream stream, const CastFlatJob& job) {
  launch_threads(stream, job.segments.count, cast_flat_kernel, job);
}

}  // namespace sightline::kernels
