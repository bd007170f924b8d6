#include "host/cuda/device/pool.hpp"

#include "host/cuda/device/memory.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

/// As of a workspace. More is given back at the next synchronisation.
constexpr std::uint64_t most_kept_bytes = std::uint64_t{1} << 30;

bool has_pools(int device) {
  int supported = 0;
  check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device),
        "cudaDeviceGetAttribute");
  return supported != 0;
}

cudaMemPool_t make_pool(int device) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate");
  std::uint64_t threshold = most_kept_bytes;
  const cudaError_t error =
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  if (error != cudaSuccess) {
    ignore(cudaMemPoolDestroy(pool));
    fail(error, "cudaMemPoolSetAttribute", 0, Where::here());
  }
  return pool;
}

}  // namespace

MemoryPool::MemoryPool(int device) : device_(device), is_ordered_(has_pools(device)) {}

MemoryPool::~MemoryPool() {
  if (pool_ != nullptr) ignore(cudaMemPoolDestroy(pool_));
}

cudaMemPool_t MemoryPool::made() const {
  const std::lock_guard lock(making_);
  if (pool_ == nullptr) pool_ = make_pool(device_);
  return pool_;
}

void* MemoryPool::allocate(std::uint64_t bytes, cudaStream_t stream) const {
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (!is_ordered_) return allocate_on_device(bytes, Where::here());
  void* memory = nullptr;
  const cudaError_t error = cudaMallocFromPoolAsync(&memory, bytes, made(), stream);
  if (error != cudaSuccess) fail(error, "cudaMallocFromPoolAsync", bytes, Where::here());
  return memory;
}

void MemoryPool::release(void* memory, cudaStream_t stream) const noexcept {
  if (is_ordered_) {
    ignore(cudaFreeAsync(memory, stream));
  } else {
    ignore(cudaStreamSynchronize(stream));
    release_on_device(memory);
  }
}

void MemoryPool::trim() const noexcept {
  if (pool_ != nullptr) ignore(cudaMemPoolTrimTo(pool_, 0));
}

std::uint64_t MemoryPool::bytes() const noexcept {
  std::uint64_t bytes = 0;
  if (pool_ != nullptr) {
    ignore(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &bytes));
  }
  return bytes;
}

kernels::Scratch StreamMemory::allocator() {
  return {
      this,
      [](void* me, std::size_t bytes) { return static_cast<StreamMemory*>(me)->allocate(bytes); },
      [](void* me, void* memory, std::size_t) { static_cast<StreamMemory*>(me)->release(memory); }};
}

}  // namespace sightline::cuda
