// What one query needs of the device beside the scene: streams and chunk buffers, kept for reuse.
#pragma once

#include "host/cuda/device/handles.hpp"
#include "host/cuda/device/scratch.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace sightline::cuda {

/// One chunk on its way: its buffers on both sides and the stream that carries it.
struct Slot {
  PinnedMemory pinned;
  DeviceMemory device;
  std::uint64_t first = 0, count = 0;  ///< the chunk under way; count 0: none
  OwnStream stream;                    ///< ends first, and its work with it
};

/// Streams and buffers of one query at a time.
class Workspace {
 public:
  static constexpr std::size_t slots = 3;

  Slot& slot(std::size_t i) { return slots_[i]; }
  /// The stream of what is not done by chunks.
  OwnStream& stream() { return slots_[0].stream; }
  /// Holds at least these bytes in the first `count` slots. Where it throws Error{out_of_memory},
  /// no slot holds any. No chunk may be under way.
  void reserve(std::size_t count, std::uint64_t pinned_bytes, std::uint64_t device_bytes);
  /// What stays on the device between the chunks of a query.
  DeviceMemory& resident() { return resident_; }
  ScratchPool& scratch() { return scratch_; }
  /// Waits for all work and releases all memory; never throws.
  void clear() noexcept;
  std::uint64_t device_bytes() const;
  std::uint64_t pinned_bytes() const;

 private:
  DeviceMemory resident_;
  std::array<Slot, slots> slots_;
  ScratchPool scratch_{slots_[0].stream};
};

/// Workspaces for any number of threads; a few are kept for the next queries.
class WorkspacePool {
 public:
  std::unique_ptr<Workspace> take();
  /// Keeps the workspace where it is small and few are kept.
  void give_back(std::unique_ptr<Workspace> workspace) noexcept;
  /// Releases those that are kept; whether there were any.
  bool trim() noexcept;
  /// Of those that are kept.
  std::uint64_t device_bytes() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> kept_;
};

/// A workspace for one query. Only after done() does it go back: one that saw an error ends.
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
