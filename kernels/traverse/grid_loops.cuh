// Kernels of one lane, block or warp for each item of a job: the loops of their grids, and their
// launches.
#pragma once

#include "kernels/launch/grid.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/traverse/team.cuh"

#include <cuda_runtime_api.h>

namespace sightline::kernels {

inline constexpr int warps_of_block = block_size / warp_size;

/// Calls body(i) for every i < n, in the threads of the grid.
template <class Body>
__device__ void for_each_item(std::uint64_t n, Body&& body) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x; i < n; i += step) {
    body(i);
  }
}

/// Calls body(block, i) for i = 0, block_size, ... below n, in the blocks of the grid: items from i
/// on, one a thread.
template <class Body>
__device__ void for_each_block(std::uint64_t n, Body&& body) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size; i < n; i += step) {
    body(DeviceBlock{}, i);
  }
}

/// Calls body(warp, k) for every k < n, in the warps of the grid.
template <class Body>
__device__ void for_each_warp(std::uint64_t n, Body&& body) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * warps_of_block;
  for (std::uint64_t k = std::uint64_t{blockIdx.x} * warps_of_block + threadIdx.x / warp_size;
       k < n; k += step) {
    body(DeviceWarp{}, k);
  }
}

/// Starts the kernel with a thread for each of n items, if there are any.
template <class Job>
void launch_threads(Stream stream, std::uint64_t n, void (*kernel)(Job), const Job& job) {
  if (n != 0) kernel<<<grid_size(pieces(n, block_size)), block_size, 0, stream>>>(job);
}

/// The same with a warp for each.
template <class Job>
void launch_warps(Stream stream, std::uint64_t n, void (*kernel)(Job), const Job& job) {
  if (n != 0) kernel<<<grid_size(pieces(n, warps_of_block)), block_size, 0, stream>>>(job);
}

}  // namespace sightline::kernels
