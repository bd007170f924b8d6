#include "host/cuda/device/memory.hpp"

namespace sightline::cuda {

void* allocate_on_device(std::uint64_t bytes, Where where) {
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, bytes);
  if (error != cudaSuccess) fail(error, "cudaMalloc", bytes, where);
  return memory;
}

void release_on_device(void* memory) noexcept { ignore(cudaFree(memory)); }

void* allocate_pinned(std::uint64_t bytes, Where where) {
  void* memory = nullptr;
  const cudaError_t error = cudaHostAlloc(&memory, bytes, cudaHostAllocDefault);
  if (error != cudaSuccess) fail(error, "cudaHostAlloc", bytes, where);
  return memory;
}

void release_pinned(void* memory) noexcept { ignore(cudaFreeHost(memory)); }

}  // namespace sightline::cuda
