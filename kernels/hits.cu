// Launchers of all hits: see launch.hpp.
#include "kernels/grid.hpp"
#include "kernels/hits.cuh"
#include "kernels/tuning.hpp"

#include <cuda_runtime_api.h>

namespace sightline::kernels {
namespace {

__global__ void __launch_bounds__(block_size, all_hits_blocks)
    count_hits_kernel(const __grid_constant__ CountHitsJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x; i < job.rays.count;
       i += step) {
    count_hits_of(job, i);
  }
}

__global__ void __launch_bounds__(block_size, all_hits_blocks)
    fill_hits_kernel(const __grid_constant__ FillHitsJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x; i < job.rays.count;
       i += step) {
    fill_hits_of(job, i);
  }
}

}  // namespace

void count_hits(Stream stream, const CountHitsJob& job) {
  if (job.rays.count == 0) return;
  const unsigned blocks = grid_size(pieces(job.rays.count, block_size));
  count_hits_kernel<<<blocks, block_size, 0, stream>>>(job);
}

void fill_hits(Stream stream, const FillHitsJob& job) {
  if (job.rays.count == 0) return;
  const unsigned blocks = grid_size(pieces(job.rays.count, block_size));
  fill_hits_kernel<<<blocks, block_size, 0, stream>>>(job);
}

}  // namespace sightline::kernels
