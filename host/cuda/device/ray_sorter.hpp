// Whether rays are sorted before they are cast, and their order.
#pragma once

#include "host/cuda/device/handles.hpp"
#include "kernels/launch.hpp"

#include <sightline/caster.hpp>

namespace sightline::cuda {

/// Stream-ordered memory: neither allocation nor release waits. For devices that have memory pools.
class StreamMemory {
 public:
  explicit StreamMemory(cudaStream_t stream) : stream_(stream) {}

  /// Throws Error{out_of_memory} naming the bytes.
  void* allocate(std::uint64_t bytes) const;
  void release(void* memory) const noexcept;
  /// For kernels/launch.hpp; this must outlive it.
  kernels::Scratch allocator();

 private:
  cudaStream_t stream_;
};

/// The order of some rays. Work that was launched in its stream before its destruction may read it.
class DeviceRayOrder {
 public:
  /// No order: by index.
  DeviceRayOrder() : memory_(nullptr) {}
  /// Enqueues the sort in the stream; does not wait. Throws Error{out_of_memory}, Error{device}.
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

/// Where the caller's rays are.
enum class RayLocation { on_host, on_device };

/// Sorts rays for one scene, as its caster's options say.
class RaySorter {
 public:
  /// `around`: the bounds of the tree; null: the queries read no wide tree, and ignore an order.
  RaySorter(SortRays how, std::uint64_t shapes, const Aabb* around)
      : how_(around == nullptr ? SortRays::never : how),
        shapes_(shapes),
        around_(around == nullptr ? empty_aabb() : *around) {}

  bool sorts(std::uint64_t rays, RayLocation location) const;
  /// Sorts in a stream of the current device. Where `automatic` finds no memory, there is no order.
  DeviceRayOrder order(const RaysView& rays, RayLocation location, cudaStream_t stream) const;

 private:
  SortRays how_;
  std::uint64_t shapes_;
  Aabb around_;
};

/// Throws Error{device} for `always` on a device that cannot sort; there `automatic` becomes
/// `never`.
SortRays sorting_on(int device, SortRays how);

}  // namespace sightline::cuda
