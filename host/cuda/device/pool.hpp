// Memory for builds, in the order of streams.
#pragma once

#include "host/cuda/device/check.hpp"
#include "kernels/launch/launch.hpp"

#include <sightline/error.hpp>

#include <atomic>
#include <mutex>
#include <type_traits>

namespace sightline::cuda {

/// A caster's own memory pool, made when it is first used. What builds give back stays in it
/// for the next ones, up to a GiB: the device's default pool would give it back at each
/// synchronisation. Where the driver has no memory pools, each piece is an allocation of its own,
/// and its release waits.
class MemoryPool {
 public:
  /// The device must be current. Throws Error{device}.
  explicit MemoryPool(int device);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// For work in this stream. Throws Error{out_of_memory} naming the bytes, Error{device}.
  void* allocate(std::uint64_t bytes, cudaStream_t stream) const;
  /// What is in the stream may still use it.
  void release(void* memory, cudaStream_t stream) const noexcept;
  /// Gives back to the device what is not in use.
  void trim() const noexcept;
  /// Held, in use or not.
  std::uint64_t bytes() const noexcept;

 private:
  cudaMemPool_t made() const;

  int device_;
  bool is_ordered_;  ///< whether neither allocation nor release waits
  mutable std::mutex making_;
  mutable std::atomic<cudaMemPool_t> pool_ = nullptr;
};

/// Memory of a pool for the work in one stream. The pool must outlive it.
class StreamMemory {
 public:
  StreamMemory(const MemoryPool& pool, cudaStream_t stream) : pool_(&pool), stream_(stream) {}

  void* allocate(std::uint64_t bytes) const { return pool_->allocate(bytes, stream_); }
  void release(void* memory) const noexcept { pool_->release(memory, stream_); }
  cudaStream_t stream() const { return stream_; }
  /// For kernels/launch/launch.hpp; this must outlive it.
  kernels::Scratch allocator();

 private:
  const MemoryPool* pool_;
  cudaStream_t stream_;
};

/// Calls f(); where memory is short, once more after the pool has given back what it keeps.
template <class Pool, class F>
std::invoke_result_t<F> with_room(Pool& pool, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::out_of_memory) throw;
  }
  pool.trim();
  return f();
}

}  // namespace sightline::cuda
