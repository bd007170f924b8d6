// What one query needs on the device beside the scene: streams and chunk buffers, kept for reuse.
#pragma once

#include "host/cuda/device/handles.hpp"
#include "host/cuda/device/memory.hpp"
#include "host/cuda/device/pool.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace sightline::cuda {

/// The buffers of a chunk on both sides, and the stream that carries it.
struct ChunkSlot {
  PinnedMemory pinned;
  DeviceMemory device;
  std::uint64_t first = 0, count = 0;  ///< the chunk in flight; count 0: none
  OwnStream stream;                    ///< destroyed first, with its work
};

/// Streams and buffers of one query at a time.
class Workspace {
 public:
  /// One whose chunk is packed, one whose chunk is unpacked, and three in flight: a chunk on its
  /// way up, one in the kernel and one on its way down.
  static constexpr std::size_t slots = 5;

  ChunkSlot& slot(std::size_t i) { return slots_[i]; }
  /// The stream of work that is not done in chunks.
  OwnStream& stream() { return slots_[0].stream; }
  /// Reserves these bytes in the first `count` slots. After Error{out_of_memory} no slot holds any.
  /// No chunk may be in flight.
  void reserve(std::size_t count, std::uint64_t pinned_bytes, std::uint64_t device_bytes);
  /// Memory that stays on the device between the chunks of a query: of its targets, and of its
  /// viewpoints where they are sorted.
  DeviceMemory& resident() { return resident_; }
  DeviceMemory& resident_rows() { return resident_rows_; }
  /// Waits for all work and releases all memory; never throws.
  void clear() noexcept;
  std::uint64_t device_bytes() const;
  std::uint64_t pinned_bytes() const;

 private:
  DeviceMemory resident_, resident_rows_;
  std::array<ChunkSlot, slots> slots_;
};

/// Workspaces for any number of threads; a few are kept for later queries. With the memory of
/// builds and sorts it is all that a caster has on the device beside its scene.
class WorkspacePool {
 public:
  /// The device must be current.
  explicit WorkspacePool(int device) : memory_(device) {}

  const MemoryPool& memory() const { return memory_; }
  std::unique_ptr<Workspace> take();
  /// Keeps the workspace if it is small and few are kept.
  void give_back(std::unique_ptr<Workspace> workspace) noexcept;
  /// Releases the kept workspaces, and what the memory of builds and sorts keeps.
  void trim() noexcept;
  /// Of the kept workspaces and the memory of builds and sorts.
  std::uint64_t device_bytes() const;

 private:
  MemoryPool memory_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> kept_;
};

/// A workspace for one query. It is given back by done() only: after an error it is destroyed.
class Lease {
 public:
  explicit Lease(WorkspacePool& pool) : pool_(pool), workspace_(pool.take()) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Workspace* operator->() const { return workspace_.get(); }
  WorkspacePool& pool() const { return pool_; }
  void done() noexcept { pool_.give_back(std::move(workspace_)); }

 private:
  WorkspacePool& pool_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace sightline::cuda
