// Temporary device memory for the builders, kept between their steps.
#pragma once

#include "host/cuda/device/handles.hpp"
#include "host/cuda/device/memory.hpp"
#include "kernels/launch.hpp"

#include <map>

namespace sightline::cuda {

/// Reuses released blocks, since each new one makes the runtime wait for the whole device. For one
/// stream, whose order makes that safe.
class ScratchPool {
 public:
  /// The stream must outlive it.
  explicit ScratchPool(const OwnStream& stream) : stream_(stream) {}
  ~ScratchPool() { clear(); }
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;

  /// For kernels/launch.hpp; the pool must outlive it.
  kernels::Scratch allocator() { return {this, allocate, release}; }
  /// Waits for the stream and releases what is not in use.
  void clear() noexcept;
  /// Bytes held.
  std::uint64_t bytes() const { return bytes_; }

 private:
  static void* allocate(void* pool, std::size_t bytes);
  static void release(void* pool, void* memory, std::size_t bytes);
  void* take(std::uint64_t bytes);

  const OwnStream& stream_;
  std::multimap<std::uint64_t, DeviceMemory> idle_;  ///< by size
  std::map<void*, DeviceMemory> used_;
  std::uint64_t bytes_ = 0;
};

}  // namespace sightline::cuda
