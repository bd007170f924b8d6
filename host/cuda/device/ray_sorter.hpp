// Whether rays are sorted before they are cast, and their order while they are.
#pragma once

#include "host/cuda/device/handles.hpp"
#include "kernels/launch.hpp"

#include <sightline/caster.hpp>

namespace sightline::cuda {

/// Memory in the order of a stream's work: nobody waits, neither for it nor at its end. For devices
/// that have memory pools.
class StreamMemory {
 public:
  explicit StreamMemory(cudaStream_t stream) : stream_(stream) {}

  /// Throws Error{out_of_memory} naming the bytes.
  void* allocate(std::uint64_t bytes) const;
  void release(void* memory) const noexcept;
  /// The door that kernels/launch.hpp takes; this must outlive it.
  kernels::Scratch door();

 private:
  cudaStream_t stream_;
};

/// The order of some rays while it lives: what was launched in its stream before its end may read
/// it.
class DeviceRayOrder {
 public:
  /// None: rays are taken as they come.
  DeviceRayOrder() : memory_(nullptr) {}
  /// Puts the sorting into the stream; does not wait. Throws Error{out_of_memory}, Error{device}.
  DeviceRayOrder(const RaysView& rays, const Aabb& around, cudaStream_t stream);
  ~DeviceRayOrder() {
    if (order_ != nullptr) memory_.release(order_);
  }
  DeviceRayOrder(const DeviceRayOrder&) = delete;
  DeviceRayOrder& operator=(const DeviceRayOrder&) = delete;

  const std::uint32_t* get() const { return order_; }

 private:
  StreamMemory memory_;
  std::uint32_t* order_ = nullptr;
};

/// Where the rays lie when they are given to the caster.
enum class RaysAre { on_host, on_device };

/// Sorts for one scene as its caster was told to.
class RaySorter {
 public:
  /// `around`: what the tree holds; null: the queries read no wide tree, and take rays as they
  /// come.
  RaySorter(SortRays how, std::uint64_t shapes, const Aabb* around)
      : how_(around == nullptr ? SortRays::never : how),
        shapes_(shapes),
        around_(around == nullptr ? empty_aabb() : *around) {}

  bool sorts(std::uint64_t rays, RaysAre where) const;
  /// In a stream of the current device. Where `automatic` finds no memory, none.
  DeviceRayOrder order(const RaysView& rays, RaysAre where, cudaStream_t stream) const;

 private:
  SortRays how_;
  std::uint64_t shapes_;
  Aabb around_;
};

/// Throws Error{device} where rays are to be sorted on a device that cannot: `automatic` is then
/// `never`.
SortRays sorting_on(int device, SortRays how);

}  // namespace sightline::cuda
