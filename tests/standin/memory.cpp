// Memory of the device and pinned memory of the host, and what is copied between them.
#include "tests/standin/machine.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace sightline::standin {
namespace {

/// As the runtime aligns it.
constexpr std::size_t alignment = 256;
constexpr int unwritten = 0xCD;

enum class Place { unregistered, pinned, device, bad };

/// The allocation that holds the byte; null: none.
const Allocation* find_allocation(const void* pointer) {
  const auto& allocations = machine().allocations;
  const auto* byte = static_cast<const std::byte*>(pointer);
  auto it = allocations.upper_bound(byte);
  if (it == allocations.begin()) return nullptr;
  const Allocation& a = std::prev(it)->second;
  return byte < a.memory + a.bytes ? &a : nullptr;
}

/// Where [pointer, pointer + bytes) lies; bad: not in one place.
Place place_of(const void* pointer, std::size_t bytes) {
  if (pointer == nullptr) return Place::bad;
  const auto* begin = static_cast<const std::byte*>(pointer);
  const Allocation* const a = find_allocation(begin);
  if (a == nullptr) {
    const auto next = machine().allocations.lower_bound(begin);
    const bool runs_into = next != machine().allocations.end() && next->first < begin + bytes;
    return runs_into ? Place::bad : Place::unregistered;
  }
  if (bytes > static_cast<std::size_t>(a->memory + a->bytes - begin)) return Place::bad;
  return a->pinned ? Place::pinned : Place::device;
}

cudaError_t allocate(void** memory, std::size_t bytes, bool pinned) {
  if (memory == nullptr) return cudaErrorInvalidValue;
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  const int device = current_device();
  if (!pinned && !take_bytes(device, bytes)) return cudaErrorMemoryAllocation;
  *memory = make_memory({nullptr, bytes, device, pinned, nullptr, nullptr});
  return cudaSuccess;
}

void free_now(std::map<const std::byte*, Allocation>::iterator it) {
  Machine& m = machine();
  const Allocation& a = it->second;
  if (!a.pinned && a.pool == nullptr) m.used_bytes[a.device] -= a.bytes;
  std::free(it->second.memory);
  m.allocations.erase(it);
}

/// Waits for all work, as the runtime does.
cudaError_t release(void* memory, bool pinned, Call& call) {
  if (memory == nullptr) return call.end(call.error());
  Machine& m = machine();
  finish_all(call.lock());
  const auto it = m.allocations.find(static_cast<std::byte*>(memory));
  if (it == m.allocations.end() || it->second.pinned != pinned) {
    return call.end(cudaErrorInvalidValue);
  }
  if (it->second.released != nullptr) return call.end(cudaErrorInvalidValue);
  free_now(it);
  return call.end(call.error());
}

/// Whether memory of these places may be copied so.
bool fits(cudaMemcpyKind kind, Place to, Place from) {
  if (to == Place::bad || from == Place::bad) return false;
  const bool to_device = to == Place::device, from_device = from == Place::device;
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
      return to_device && !from_device;
    case cudaMemcpyDeviceToHost:
      return !to_device && from_device;
    case cudaMemcpyDeviceToDevice:
      return to_device && from_device;
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
  cudaMemcpyKind kind;
};

/// `waits`: for pinned memory too, not only until what is pageable was written.
cudaError_t copy(Call& call, const Copy& c, cudaStream_t stream, bool waits) {
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (c.bytes == 0) return call.end(cudaSuccess);
  const Place to = place_of(c.to, c.bytes), from = place_of(c.from, c.bytes);
  if (!fits(c.kind, to, from)) return call.end(cudaErrorInvalidValue);
  std::function<void()> work = [c] { std::memcpy(c.to, c.from, c.bytes); };
  if (from == Place::unregistered && to == Place::device) {
    // Staged: the source is read now and is the caller's again.
    const auto* const begin = static_cast<const std::byte*>(c.from);
    work = [c, staged = std::vector<std::byte>(begin, begin + c.bytes)] {
      std::memcpy(c.to, staged.data(), c.bytes);
    };
  }
  const auto operation = enqueue(*found, std::move(work), call.fails_later());
  const bool pinned = to == Place::pinned || from == Place::pinned;
  if (to == Place::unregistered || (waits && pinned)) finish(operation, call.lock());
  return call.end(cudaSuccess);
}

}  // namespace

void free_released() {
  auto& allocations = machine().allocations;
  for (auto it = allocations.begin(); it != allocations.end();) {
    const auto next = std::next(it);
    const auto& released = it->second.released;
    if (released != nullptr && released->done.raised()) free_now(it);
    it = next;
  }
}

bool take_bytes(int device, std::uint64_t bytes) {
  Machine& m = machine();
  free_released();
  std::uint64_t& used = m.used_bytes[device];
  if (bytes > m.plan.memory_bytes - std::min(m.plan.memory_bytes, used)) return false;
  used += bytes;
  std::uint64_t all = 0;
  for (const auto& [index, n] : m.used_bytes) all += n;
  m.peak_bytes = std::max(m.peak_bytes, all);
  return true;
}

std::byte* make_memory(const Allocation& kind) {
  void* made = nullptr;
  if (posix_memalign(&made, alignment, kind.bytes) != 0) std::abort();
  std::memset(made, unwritten, kind.bytes);
  auto* const begin = static_cast<std::byte*>(made);
  Allocation& a = machine().allocations[begin];
  a = kind;
  a.memory = begin;
  return begin;
}

}  // namespace sightline::standin

using namespace sightline::standin;

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  Machine& m = machine();
  *total = m.plan.memory_bytes;
  *free = *total - std::min(m.plan.memory_bytes, m.used_bytes[current_device()]);
  return call.end(cudaSuccess);
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  return call.end(allocate(memory, bytes, false));
}

cudaError_t cudaFree(void* memory) {
  Call call;
  return release(memory, false, call);
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  if (flags != cudaHostAllocDefault) return call.end(cudaErrorInvalidValue);
  return call.end(allocate(memory, bytes, true));
}

cudaError_t cudaFreeHost(void* memory) {
  Call call;
  return release(memory, true, call);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  void* const memory = const_cast<void*>(pointer);
  const Allocation* const a = find_allocation(pointer);
  if (a == nullptr) {
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, memory};
  } else if (a->pinned) {
    *attributes = {cudaMemoryTypeHost, a->device, memory, memory};
  } else {
    *attributes = {cudaMemoryTypeDevice, a->device, memory, nullptr};
  }
  return call.end(cudaSuccess);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  Call call(true);
  return copy(call, {to, from, bytes, kind}, stream, false);
}

// Waits for pinned memory too, but neither for what was staged nor within the device.
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  Call call(true);
  return copy(call, {to, from, bytes, kind}, nullptr, true);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  const Call call(true);
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (bytes == 0) return call.end(cudaSuccess);
  if (place_of(to, bytes) != Place::device) return call.end(cudaErrorInvalidValue);
  enqueue(
      *found, [to, value, bytes] { std::memset(to, value, bytes); }, call.fails_later());
  return call.end(cudaSuccess);
}
