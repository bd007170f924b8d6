#include "host/cuda/device/scratch.hpp"

#include "host/cuda/device/check.hpp"

#include <algorithm>
#include <new>

namespace sightline::cuda {

void* ScratchPool::allocate(void* pool, std::size_t bytes) {
  return static_cast<ScratchPool*>(pool)->take(bytes);
}

void ScratchPool::release(void* pool, void* memory, std::size_t) {
  ScratchPool& me = *static_cast<ScratchPool*>(pool);
  const auto at = me.used_.find(memory);
  if (at == me.used_.end()) return;
  const std::uint64_t size = at->second.bytes();
  try {
    me.idle_.emplace(size, std::move(at->second));
  } catch (const std::bad_alloc&) {
    me.bytes_ -= size;  // no host memory to remember it: released
  }
  me.used_.erase(at);
}

void* ScratchPool::take(std::uint64_t bytes) {
  const std::uint64_t rounded = (std::max<std::uint64_t>(bytes, 1) + BumpLayout::alignment - 1) /
                                BumpLayout::alignment * BumpLayout::alignment;
  DeviceMemory memory;
  const auto fit = idle_.lower_bound(rounded);
  // A block of more than twice the size is kept for a larger request.
  if (fit != idle_.end() && fit->first / 2 <= rounded) {
    memory = std::move(fit->second);
    idle_.erase(fit);
  } else {
    try {
      memory = DeviceMemory(rounded);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory || idle_.empty()) throw;
      clear();
      memory = DeviceMemory(rounded);
    }
    bytes_ += rounded;
  }
  void* const data = memory.data();
  used_.emplace(data, std::move(memory));
  return data;
}

void ScratchPool::clear() noexcept {
  ignore(cudaStreamSynchronize(stream_.get()));
  for (const auto& [size, memory] : idle_) bytes_ -= size;
  idle_.clear();
}

}  // namespace sightline::cuda
