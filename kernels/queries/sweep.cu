// Launcher of thick rays and sweeps: see launch.hpp.
#include "kernels/launch/tuning.hpp"
#include "kernels/queries/sweep.cuh"
#include "kernels/traverse/grid_loops.cuh"

namespace sightline::kernels {
namespace {

template <class Mover>
__global__ void __launch_bounds__(block_size, sweep_blocks)
    sweep_kernel(const __grid_constant__ SweepJob job) {
  for_each_block(job.sweeps.rays.count, [&](const DeviceBlock& block, std::uint64_t i) {
    sweeps_of<Mover>(block, job, i);
  });
}

}  // namespace

void sweep(Stream stream, const SweepJob& job) {
  with_mover(job.sweeps, [&](auto mover) {
    launch_threads(stream, job.sweeps.rays.count, sweep_kernel<decltype(mover)>, job);
  });
}

}  // namespace sightline::kernels
