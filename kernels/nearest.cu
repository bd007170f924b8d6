// Launcher of the nearest shapes: see launch.hpp.
#include "kernels/grid.hpp"
#include "kernels/nearest.cuh"
#include "kernels/tuning.hpp"

#include <cuda_runtime_api.h>

namespace sightline::kernels {
namespace {

__global__ void __launch_bounds__(block_size, nearest_blocks)
    nearest_kernel(const __grid_constant__ NearestJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x; i < job.points.count;
       i += step) {
    nearest_of(job, i);
  }
}

}  // namespace

void nearest(Stream stream, const NearestJob& job) {
  if (job.points.count == 0) return;
  const unsigned blocks = grid_size(pieces(job.points.count, block_size));
  nearest_kernel<<<blocks, block_size, 0, stream>>>(job);
}

}  // namespace sightline::kernels
