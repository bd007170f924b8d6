// The kernel of every job in a wide tree: blocks of one warp, which the device gives to any
// multiprocessor with room, so that batches of different length need no shared counter.
#pragma once

#include "kernels/launch/grid.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/tuning.hpp"
#include "kernels/traverse/wide_search.cuh"

namespace sightline::kernels {

template <int blocks, class Job>
__global__ void __launch_bounds__(warp_size, blocks < most_blocks ? blocks : most_blocks)
    wide_kernel(const __grid_constant__ Job job, const Batches batches) {
  __shared__ typename MemoryOf<DeviceWarp, Job>::Type memory;
  for (std::uint64_t k = blockIdx.x; k < batches.count; k += gridDim.x) {
    run_batch(DeviceWarp{}, job, batches.size, k, memory);
  }
}

/// `blocks`: how many a multiprocessor should hold at once.
template <int blocks, class Job>
void launch_wide(Stream stream, const Job& job) {
  const Batches batches = batches_of(job);
  wide_kernel<blocks><<<grid_size(batches.count), warp_size, 0, stream>>>(job, batches);
}

}  // namespace sightline::kernels
