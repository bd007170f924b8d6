// Whether rays are sorted before they are cast, and their order.
#pragma once

#include "host/cuda/device/pool.hpp"

#include <sightline/caster.hpp>

#include <optional>

namespace sightline::cuda {

/// The order of some rays. Work that was launched in its stream before its destruction may read it.
class DeviceRayOrder {
 public:
  /// No order: by index.
  DeviceRayOrder() = default;
  /// Enqueues the sort in the memory's stream; does not wait. Throws Error{out_of_memory},
  /// Error{device}.
  DeviceRayOrder(const RaysView& rays, const Aabb& around, const StreamMemory& memory);
  ~DeviceRayOrder() {
    if (order_ != nullptr) memory_->release(order_);
  }
  DeviceRayOrder(const DeviceRayOrder&) = delete;
  DeviceRayOrder& operator=(const DeviceRayOrder&) = delete;

  const std::uint32_t* get() const { return order_; }

 private:
  std::optional<StreamMemory> memory_;
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
  /// Sorts in the memory's stream. Where `automatic` finds no memory, there is no order.
  DeviceRayOrder order(const RaysView& rays, RayLocation location,
                       const StreamMemory& memory) const;

 private:
  SortRays how_;
  std::uint64_t shapes_;
  Aabb around_;
};

/// Throws Error{device} for `always` where the memory is not in the order of streams, so that a
/// sort would wait; there `automatic` becomes `never`.
SortRays sorting_in(const MemoryPool& memory, SortRays how);

}  // namespace sightline::cuda
