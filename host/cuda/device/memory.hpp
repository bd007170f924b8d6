// Memory of the device and pinned memory of the host, owned.
#pragma once

#include "host/cuda/device/check.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sightline::cuda {

/// Throws Error{out_of_memory} naming the bytes.
inline void* allocate_on_device(std::uint64_t bytes, Where where) {
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, bytes);
  if (error != cudaSuccess) fail(error, "cudaMalloc", bytes, where);
  return memory;
}

inline void release_on_device(void* memory) noexcept { ignore(cudaFree(memory)); }

inline void* allocate_pinned(std::uint64_t bytes, Where where) {
  void* memory = nullptr;
  const cudaError_t error = cudaHostAlloc(&memory, bytes, cudaHostAllocDefault);
  if (error != cudaSuccess) fail(error, "cudaHostAlloc", bytes, where);
  return memory;
}

inline void release_pinned(void* memory) noexcept { ignore(cudaFreeHost(memory)); }

/// Bytes from one of the two allocators. Must not be destroyed while a stream uses them.
template <void* (*allocate)(std::uint64_t, Where), void (*release)(void*) noexcept>
class OwnedMemory {
 public:
  OwnedMemory() = default;
  explicit OwnedMemory(std::uint64_t bytes, Where where = Where::here())
      : data_(bytes == 0 ? nullptr : static_cast<std::byte*>(allocate(bytes, where))),
        bytes_(bytes) {}
  OwnedMemory(OwnedMemory&& other) noexcept { swap(other); }
  OwnedMemory& operator=(OwnedMemory&& other) noexcept {
    OwnedMemory old(std::move(*this));
    swap(other);
    return *this;
  }
  ~OwnedMemory() {
    if (data_ != nullptr) release(data_);
  }

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }

  /// Holds at least so many bytes; the old contents are lost. Holds none after an exception.
  void reserve(std::uint64_t bytes, Where where = Where::here()) {
    if (bytes <= bytes_) return;
    *this = OwnedMemory();  // released first, to make room
    *this = OwnedMemory(bytes, where);
  }

 private:
  void swap(OwnedMemory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

using DeviceMemory = OwnedMemory<allocate_on_device, release_on_device>;
using PinnedMemory = OwnedMemory<allocate_pinned, release_pinned>;

/// Lays out arrays one after the other. The same calls on another base give the same offsets there;
/// without a base it only measures.
class BumpLayout {
 public:
  /// Every device access is aligned, and no two arrays share a sector.
  static constexpr std::uint64_t alignment = 256;

  explicit BumpLayout(std::byte* base = nullptr) : base_(reinterpret_cast<std::uintptr_t>(base)) {}

  template <class T>
  T* take(std::uint64_t n) {
    const std::uint64_t at = next();
    end_ = at + n * sizeof(T);
    return reinterpret_cast<T*>(base_ + at);
  }
  /// Bytes up to the end of the last array.
  std::uint64_t end() const { return end_; }
  /// Whether there is no base.
  bool measures() const { return base_ == 0; }
  /// Where the next array begins.
  std::uint64_t next() const { return (end_ + alignment - 1) / alignment * alignment; }

 private:
  std::uintptr_t base_;
  std::uint64_t end_ = 0;
};

/// Lays out arrays by f(BumpLayout&), in memory that is made large enough; its old contents are
/// lost.
template <class F>
void lay_out_in(DeviceMemory& memory, F&& f) {
  BumpLayout size;
  f(size);
  memory.reserve(size.end());
  BumpLayout arrays(memory.data());
  f(arrays);
}

}  // namespace sightline::cuda
