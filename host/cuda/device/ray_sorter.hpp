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

/// Sorts rays for one scene, where its caster's options say `always`.
class RaySorter {
 public:
  /// `around`: the bounds of the tree; null: the queries read no wide tree, and ignore an order.
  RaySorter(SortRays how, const Aabb* around) {
    if (how == SortRays::always && around != nullptr) around_ = *around;
  }

  bool sorts(std::uint64_t rays) const;
  /// Sorts in the memory's stream.
  DeviceRayOrder order(const RaysView& rays, const StreamMemory& memory) const;

 private:
  std::optional<Aabb> around_;  ///< none: rays stay as they come
};

/// Throws Error{device} for `always` where the memory is not in the order of streams, so that a
/// sort would wait.
void check_sorting(const MemoryPool& memory, SortRays how);

}  // namespace sightline::cuda
