// Launcher of thick rays and sweeps: see launch.hpp.
#include "kernels/sweep.cuh"
#include "kernels/tuning.hpp"

#include <cuda_runtime_api.h>

namespace sightline::kernels {
namespace {

template <class Mover>
__global__ void __launch_bounds__(block_size, sweep_blocks)
    sweep_kernel(const __grid_constant__ SweepJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  const std::uint64_t n = job.sweeps.rays.count;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size; i < n; i += step) {
    sweeps_of<Mover>(DeviceBlock{}, job, i);
  }
}

}  // namespace

void sweep(Stream stream, const SweepJob& job) {
  if (job.sweeps.rays.count == 0) return;
  const unsigned blocks = grid_size(pieces(job.sweeps.rays.count, block_size));
  with_mover(job.sweeps, [&](auto mover) {
    sweep_kernel<decltype(mover)><<<blocks, block_size, 0, stream>>>(job);
  });
}

}  // namespace sightline::kernels
