// The first k of many offered shapes: what NearList keeps, without moving rows for each.
#pragma once

#include <sightline/geometry/queries/nearest.hpp>

#include <algorithm>
#include <vector>

namespace sightline::detail {

/// Once there are k, the last of them is on top of a heap; they are sorted when all were offered.
class NearestHeap {
 public:
  /// From so many shapes on, a heap is faster than a sorted list.
  static constexpr std::uint32_t least_k = 64;

  NearestHeap(std::uint32_t k, float range) : k_(k), range_(range) {}

  void clear() { kept_.clear(); }
  /// No shape beyond this distance can be kept.
  float limit() const { return kept_.size() < k_ ? range_ : kept_.front().distance; }

  void offer(const Near& found) {
    if (!(found.distance <= range_)) return;
    if (kept_.size() < k_) {
      kept_.push_back(found);
      if (kept_.size() == k_) std::make_heap(kept_.begin(), kept_.end(), before);
    } else if (comes_before(found, kept_.front())) {
      std::pop_heap(kept_.begin(), kept_.end(), before);
      kept_.back() = found;
      std::push_heap(kept_.begin(), kept_.end(), before);
    }
  }

  /// Writes the row in order. Nothing can be offered before it is cleared.
  void sort_into(const NearList& row) {
    std::sort(kept_.begin(), kept_.end(), before);
    row.clear();
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      row.distance[i] = kept_[i].distance;
      row.id[i] = kept_[i].id;
    }
  }

 private:
  // Not the function itself, which would be called through a pointer.
  static constexpr auto before = [](const Near& a, const Near& b) { return comes_before(a, b); };

  std::uint32_t k_;
  float range_;
  std::vector<Near> kept_;
};

}  // namespace sightline::detail
