// A batch of rays in the order in which a rival casts them.
#pragma once

#include "bench/rivals/ray_columns.hpp"

namespace sightline::rivals {

/// Rays [n]; position p of the batch is ray order[p].
struct RayBatch {
  const RaysView* rays;
  const std::uint32_t* order;  ///< null: as they come
};

/// The rays of a batch by position, up to `end`.
class BatchReader {
 public:
  BatchReader(const RayBatch& batch, std::uint64_t end)
      : columns_(*batch.rays), order_(batch.order), end_(end) {}

  const RayColumns& columns() const { return columns_; }
  std::uint64_t index(std::uint64_t position) const {
    return order_ == nullptr ? position : order_[position];
  }
  /// For rays that are not visited in the order in which they lie.
  void prefetch(std::uint64_t position) const {
    if (order_ == nullptr || position + rays_ahead >= end_) return;
    const std::uint64_t i = order_[position + rays_ahead];
    columns_.ox.prefetch(i);
    columns_.dx.prefetch(i);
  }

 private:
  static constexpr std::uint64_t rays_ahead = 16;

  RayColumns columns_;
  const std::uint32_t* order_;
  std::uint64_t end_;
};

}  // namespace sightline::rivals
