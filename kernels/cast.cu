// Launchers of closest hit, any hit, and ray i against shape i: see launch.hpp.
#include "kernels/cast.cuh"
#include "kernels/cast_batch.cuh"
#include "kernels/wide_kernel.cuh"

#include <cuda_runtime_api.h>

namespace sightline::kernels {
namespace {

using Tree = TeamTreeSearch<DeviceBlock>;
using Brute = TeamBruteSearch<DeviceBlock>;

template <class Search>
__global__ void __launch_bounds__(block_size, closest_hit_blocks)
    closest_hit_kernel(const __grid_constant__ ClosestHitJob job) {
  __shared__ typename Search::Memory memory;
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size; i < job.rays.count; i += step) {
    closest_hits(DeviceBlock{}, Search(job.scene, memory), job, i);
  }
}

template <class Search>
__global__ void __launch_bounds__(block_size, any_hit_blocks)
    any_hit_kernel(const __grid_constant__ AnyHitJob job) {
  __shared__ typename Search::Memory memory;
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size; i < job.rays.count; i += step) {
    any_hits(DeviceBlock{}, Search(job.scene, memory), job, i);
  }
}

__global__ void __launch_bounds__(block_size, cast_each_blocks)
    cast_each_kernel(const __grid_constant__ CastEachJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size; i < job.rays.count; i += step) {
    cast_pairs(DeviceBlock{}, job, i);
  }
}

/// Blocks for n rays, one ray a thread.
unsigned blocks_for(std::uint64_t n) { return grid_size(pieces(n, block_size)); }

}  // namespace

void closest_hit(Stream stream, const ClosestHitJob& job) {
  if (job.rays.count == 0) return;
  const unsigned blocks = blocks_for(job.rays.count);
  if (job.scene.is_wide()) {
    launch_wide<wide_closest_blocks>(stream, job);
  } else if (job.scene.has_tree) {
    closest_hit_kernel<Tree><<<blocks, block_size, 0, stream>>>(job);
  } else {
    closest_hit_kernel<Brute><<<blocks, block_size, 0, stream>>>(job);
  }
}

void any_hit(Stream stream, const AnyHitJob& job) {
  if (job.rays.count == 0) return;
  const unsigned blocks = blocks_for(job.rays.count);
  if (job.scene.is_wide()) {
    if (job.order != nullptr) {
      const std::uint64_t words = bit_words32(job.rays.count);
      cudaMemsetAsync(job.blocked, 0, words * sizeof(std::uint32_t), stream);
    }
    launch_wide<wide_any_blocks>(stream, job);
  } else if (job.scene.has_tree) {
    any_hit_kernel<Tree><<<blocks, block_size, 0, stream>>>(job);
  } else {
    any_hit_kernel<Brute><<<blocks, block_size, 0, stream>>>(job);
  }
}

void cast_each(Stream stream, const CastEachJob& job) {
  if (job.rays.count == 0) return;
  cast_each_kernel<<<blocks_for(job.rays.count), block_size, 0, stream>>>(job);
}

}  // namespace sightline::kernels
