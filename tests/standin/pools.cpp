// Memory pools: memory in the order of streams, of which a pool keeps what is not in use.
//
// Pieces have no places within a pool: its bytes alone are counted.
#include "tests/standin/machine.hpp"

#include <algorithm>
#include <cstring>

namespace sightline::standin {
namespace {

constexpr int given_back = 0xDD;

CUmemPoolHandle_st* find_pool(cudaMemPool_t handle) {
  const auto it = machine().pools.find(handle);
  return it == machine().pools.end() || it->second->destroyed ? nullptr : it->second.get();
}

/// What is in use, as work in a stream sees it that comes next: what was given back before it there
/// is free. Null: as the host sees it.
std::uint64_t used_of(const CUmemPoolHandle_st& pool, const CUstream_st* stream) {
  std::uint64_t used = 0;
  for (const auto& [begin, a] : machine().allocations) {
    if (a.pool != &pool) continue;
    const bool is_free = a.released != nullptr && a.released->stream == stream;
    if (stream == nullptr || !is_free) used += a.bytes;
  }
  return used;
}

/// Gives back what is neither in use nor among the first `least` bytes.
void keep(CUmemPoolHandle_st& pool, std::uint64_t least) {
  const std::uint64_t kept = std::min(pool.reserved, std::max(used_of(pool, nullptr), least));
  machine().used_bytes[pool.device] -= pool.reserved - kept;
  pool.reserved = kept;
}

cudaError_t allocate(CUmemPoolHandle_st& pool, CUstream_st& stream, void** memory,
                     std::size_t bytes) {
  free_released();
  const std::uint64_t used = used_of(pool, &stream) + bytes;
  if (used > pool.reserved) {
    if (!take_bytes(pool.device, used - pool.reserved)) return cudaErrorMemoryAllocation;
    pool.reserved = used;
  }
  *memory = make_memory({nullptr, bytes, pool.device, false, &pool, nullptr});
  return cudaSuccess;
}

}  // namespace

void forget_destroyed_pools() {
  free_released();
  std::erase_if(machine().pools, [](const auto& entry) {
    CUmemPoolHandle_st& pool = *entry.second;
    if (pool.destroyed) keep(pool, 0);
    return pool.destroyed && pool.reserved == 0;
  });
}

void keep_to_thresholds() {
  forget_destroyed_pools();
  for (const auto& [handle, pool] : machine().pools) keep(*pool, pool->threshold);
}

}  // namespace sightline::standin

using namespace sightline::standin;

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  Machine& m = machine();
  if (!m.plan.memory_pools) return call.end(cudaErrorNotSupported);
  if (pool == nullptr || properties == nullptr ||
      properties->allocType != cudaMemAllocationTypePinned ||
      properties->location.type != cudaMemLocationTypeDevice || properties->location.id < 0 ||
      properties->location.id >= m.plan.devices) {
    return call.end(cudaErrorInvalidValue);
  }
  auto made = std::make_unique<CUmemPoolHandle_st>();
  made->device = properties->location.id;
  *pool = made.get();
  m.pools.emplace(*pool, std::move(made));
  return call.end(cudaSuccess);
}

// Does not wait: what is in use stays until it is given back.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const Call call;
  CUmemPoolHandle_st* const found = find_pool(pool);
  if (found == nullptr) return call.end(cudaErrorInvalidValue);
  found->destroyed = true;
  forget_destroyed_pools();
  return call.end(call.error());
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  const CUmemPoolHandle_st* const found = find_pool(pool);
  if (found == nullptr || value == nullptr) return call.end(cudaErrorInvalidValue);
  *static_cast<std::uint64_t*>(value) =
      attribute == cudaMemPoolAttrReleaseThreshold ? found->threshold : found->reserved;
  return call.end(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUmemPoolHandle_st* const found = find_pool(pool);
  if (found == nullptr || attribute != cudaMemPoolAttrReleaseThreshold) {
    return call.end(cudaErrorInvalidValue);
  }
  found->threshold = *static_cast<const std::uint64_t*>(value);
  return call.end(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t least) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUmemPoolHandle_st* const found = find_pool(pool);
  if (found == nullptr) return call.end(cudaErrorInvalidValue);
  free_released();
  keep(*found, least);
  return call.end(cudaSuccess);
}

// At once, but for the stream's work alone. Memory that streams have yet to come to the end of is
// waited for where there is no other.
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUmemPoolHandle_st* const found = find_pool(pool);
  CUstream_st* const its_stream = find_stream(stream);
  if (its_stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (found == nullptr || memory == nullptr || bytes == 0) return call.end(cudaErrorInvalidValue);
  *memory = nullptr;
  cudaError_t result = allocate(*found, *its_stream, memory, bytes);
  if (result == cudaErrorMemoryAllocation) {
    finish_all(call.lock());
    result = allocate(*found, *its_stream, memory, bytes);
  }
  return call.end(result);
}

// When the stream comes to it; what still reads it then reads rubbish.
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  const Call call(true);
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (memory == nullptr) return call.end(call.error());
  auto& allocations = machine().allocations;
  const auto it = allocations.find(static_cast<std::byte*>(memory));
  if (it == allocations.end() || it->second.pool == nullptr || it->second.released != nullptr) {
    return call.end(cudaErrorInvalidValue);
  }
  const std::size_t bytes = it->second.bytes;
  it->second.released = enqueue(
      *found, [memory, bytes] { std::memset(memory, given_back, bytes); }, call.fails_later());
  return call.end(call.error());
}
