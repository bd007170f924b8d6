// Launchers of 2D: see launch.hpp.
#include "kernels/flat.cuh"
#include "kernels/grid.hpp"
#include "kernels/tuning.hpp"

#include <cuda_runtime_api.h>

namespace sightline::kernels {
namespace {

__global__ void __launch_bounds__(block_size, flat_overlap_blocks)
    count_flat_kernel(const __grid_constant__ CountFlatJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
       i < job.circles.count; i += step) {
    count_flat_of(job, i);
  }
}

__global__ void __launch_bounds__(block_size, flat_overlap_blocks)
    fill_flat_kernel(const __grid_constant__ FillFlatJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
       i < job.circles.count; i += step) {
    fill_flat_of(job, i);
  }
}

__global__ void __launch_bounds__(block_size, flat_cast_blocks)
    cast_flat_kernel(const __grid_constant__ CastFlatJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
       i < job.segments.count; i += step) {
    cast_flat_of(job, i);
  }
}

}  // namespace

void count_flat(Stream stream, const CountFlatJob& job) {
  if (job.circles.count == 0) return;
  count_flat_kernel<<<grid_size(pieces(job.circles.count, block_size)), block_size, 0, stream>>>(
      job);
}

void fill_flat(Stream stream, const FillFlatJob& job) {
  if (job.circles.count == 0) return;
  fill_flat_kernel<<<grid_size(pieces(job.circles.count, block_size)), block_size, 0, stream>>>(
      job);
}

void cast_flat(Stream stream, const CastFlatJob& job) {
  if (job.segments.count == 0) return;
  cast_flat_kernel<<<grid_size(pieces(job.segments.count, block_size)), block_size, 0, stream>>>(
      job);
}

}  // namespace sightline::kernels
