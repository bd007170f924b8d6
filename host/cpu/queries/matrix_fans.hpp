// The targets of a viewpoint as a fan, where what blocks one is tried on its neighbours first.
#pragma once

#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {

/// The targets of a tile as fans from one viewpoint after the other.
class Fans {
 public:
  explicit Fans(const PointsView& targets)
      : count_(static_cast<std::uint32_t>(targets.count)), targets_(count_ + more) {
    for (std::uint32_t k = 0; k < count_; ++k) {
      const Vec3 p = targets.position[k];
      targets_[k] = {{p.x, p.y, p.z, 0}};
      for (int i = 0; i < fan_box_levels; ++i) add_to_boxes(boxes_[i], i, k, p);
    }
    leaf_.assign(targets_.size(), none);
    for (auto* room : {&around_, &up_}) room->resize(targets_.size());
    for (auto* room : {&clear_, &left_, &open_, &cell_, &order_}) room->resize(targets_.size());
    next_.resize(fan_cells + more);
  }

  /// Of targets from `first` on.
  FanCounts trace(const CpuScene& scene, const Vec3& viewpoint, std::uint64_t first,
                  const SightOptions& options) {
    return scene.simd.trace_fan(scene.traced,
                                {viewpoint,
                                 targets_.data(),
                                 static_cast<std::uint32_t>(first),
                                 count_,
                                 options,
                                 {boxes_[0].data(), boxes_[1].data(), boxes_[2].data()},
                                 leaf_.data(),
                                 clear_.data(),
                                 left_.data(),
                                 open_.data(),
                                 cell_.data(),
                                 order_.data(),
                                 around_.data(),
                                 up_.data(),
                                 next_.data()});
  }
  const std::uint32_t* clear() const { return clear_.data(); }
  const std::uint32_t* left() const { return left_.data(); }

 private:
  static constexpr std::uint32_t more = 16;

  const std::uint32_t count_;
  std::vector<FanTarget> targets_;
  std::vector<FanBox> boxes_[fan_box_levels];
  std::vector<std::uint32_t> leaf_, clear_, left_, open_, cell_, order_, next_;
  std::vector<float> around_, up_;
};

}  // namespace sightline::detail
