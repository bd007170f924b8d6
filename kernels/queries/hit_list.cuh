// The first hits of a ray, kept in columns of memory while they are found.
#pragma once

#include <sightline/geometry/queries/all_hits.hpp>

namespace sightline::kernels {

/// Keeps the first `room` crossings that are offered. When full it is a heap with the last one on
/// top. Sorted in place without recursion, in n log n steps for n hits.
class HitList {
 public:
  /// room > 0; `t_out` may be null.
  SIGHTLINE_HD HitList(float* t, std::uint32_t* id, float* t_out, std::uint32_t room)
      : t_(t), id_(id), t_out_(t_out), room_(room) {}

  SIGHTLINE_HD void offer(const Crossing& c) {
    if (size_ < room_) {
      put(size_++, c);
      if (size_ == room_) make_heap();
    } else if (comes_before(c, at(0))) {
      sift_down(c, size_);
    }
  }

  SIGHTLINE_HD void sort() {
    if (size_ < room_) make_heap();
    for (std::uint32_t end = size_; end > 1; --end) {
      const Crossing last = at(end - 1);
      put(end - 1, at(0));
      sift_down(last, end - 1);
    }
  }

  SIGHTLINE_HD Crossing at(std::uint32_t i) const {
    return {t_[i], id_[i], t_out_ == nullptr ? 0.0f : t_out_[i], false};
  }
  SIGHTLINE_HD void put(std::uint32_t i, const Crossing& c) {
    t_[i] = c.t;
    id_[i] = c.id;
    if (t_out_ != nullptr) t_out_[i] = c.t_out;
  }

 private:
  SIGHTLINE_HD void make_heap() {
    for (std::uint32_t i = size_ / 2; i-- > 0;) sift_down(at(i), size_, i);
  }
  /// Puts c at `hole`, or below it as long as children come later; the heap has `size` elements.
  SIGHTLINE_HD void sift_down(const Crossing& c, std::uint32_t size, std::uint32_t hole = 0) {
    for (;;) {
      const std::uint64_t left = 2 * std::uint64_t{hole} + 1;
      if (left >= size) break;
      auto child = static_cast<std::uint32_t>(left);
      if (child + 1 < size && comes_before(at(child), at(child + 1))) ++child;
      if (!comes_before(c, at(child))) break;
      put(hole, at(child));
      hole = child;
    }
    put(hole, c);
  }

  float* t_;
  std::uint32_t* id_;
  float* t_out_;
  std::uint32_t room_, size_ = 0;
};

}  // namespace sightline::kernels
