// Binning of boxes by their centres, along three axes at once.
#pragma once

#include "host/common/fp_environment.hpp"
#include "host/tree/sah.hpp"

#include <span>

namespace sightline::detail {

inline constexpr int most_bins = 64;

/// The number of bins of an axis, for a range of so many shapes.
constexpr int bins_for(std::size_t shapes) {
  return shapes < 512 ? 16 : shapes < 32768 ? 32 : most_bins;
}

/// Maps centres to bins. On an axis on which centres differ, the first and the last bin are not
/// empty; on others all are in the first.
class Binning {
 public:
  /// `centers` is the union of the centres as boxes.
  Binning(const Box8& centers, int bins) : low_(low_half(centers)), last_(Int4{} + (bins - 1)) {
    for (int axis = 0; axis < 3; ++axis) {
      const float width = -high_half(centers)[axis] - low_[axis];
      const float scale = static_cast<float>(bins) / width;
      scale_[axis] = width > 0 && scale <= largest_float ? scale : 0;
    }
  }
  int bins() const { return last_[0] + 1; }

  /// The bins of the three axes.
  Int4 operator()(const Box8& box) const {
    const Int4 bin = __builtin_convertvector((doubled_center(box) - low_) * scale_, Int4);
    return bin < last_ ? bin : last_;
  }
  int operator()(const Box8& box, int axis) const {
    const int bin = static_cast<int>((box[axis] - box[axis + 4] - low_[axis]) * scale_[axis]);
    return bin < last_[0] ? bin : last_[0];
  }

 private:
  Float4 low_, scale_ = {};
  Int4 last_;
};

class Bins {
 public:
  Bins() = default;
  explicit Bins(int count) { clear(count); }
  void clear(int count) {
    count_ = count;
    for (int bin = 0; bin < count; ++bin) {
      for (auto& boxes : box_) boxes[bin] = empty_box8();
      for (std::int32_t& n : shapes_[bin]) n = 0;
    }
  }
  SIGHTLINE_NOINLINE void add(std::span<const BuildItem> items, const Binning& binning) {
    for (const BuildItem& item : items) {
      const Int4 bin = binning(item.box);
      for (int axis = 0; axis < 3; ++axis) {
        Box8& box = box_[axis][bin[axis]];
        box = minimum(box, item.box);
        ++shapes_[bin[axis]][axis];
      }
    }
  }
  void add(const Bins& other) {
    for (int bin = 0; bin < count_; ++bin) {
      for (int axis = 0; axis < 3; ++axis) {
        box_[axis][bin] = minimum(box_[axis][bin], other.box_[axis][bin]);
      }
      for (int axis = 0; axis < 3; ++axis) shapes_[bin][axis] += other.shapes_[bin][axis];
    }
  }
  /// The cheapest cut between bins.
  SahChoice cheapest() const;

  /// The box of the bins [first, last) of an axis.
  Box8 box_of(int axis, int first, int last) const {
    Box8 box = empty_box8();
    for (int bin = first; bin < last; ++bin) box = minimum(box, box_[axis][bin]);
    return box;
  }
  std::uint32_t shapes_of(int axis, int first, int last) const {
    std::uint32_t sum = 0;
    for (int bin = first; bin < last; ++bin) sum += static_cast<std::uint32_t>(shapes_[bin][axis]);
    return sum;
  }

 private:
  Int4 shapes_in(int bin) const {
    Int4 shapes;
    std::memcpy(&shapes, shapes_[bin], sizeof(shapes));
    return shapes;
  }

  int count_;
  Box8 box_[3][most_bins];
  std::int32_t shapes_[most_bins][4];  ///< by axis; the fourth is 0
};

inline SahChoice Bins::cheapest() const {
  Float4 right_cost[most_bins];
  Box8 box[3] = {empty_box8(), empty_box8(), empty_box8()};
  Int4 total = {};
  for (int bin = count_ - 1; bin > 0; --bin) {
    for (int axis = 0; axis < 3; ++axis) box[axis] = minimum(box[axis], box_[axis][bin]);
    total += shapes_in(bin);
    right_cost[bin] = half_areas(box[0], box[1], box[2]) * sah_weight(total);
  }
  total += shapes_in(0);
  SahBest best;
  Int4 left = {};
  for (Box8& b : box) b = empty_box8();
  for (int bin = 0; bin + 1 < count_; ++bin) {
    for (int axis = 0; axis < 3; ++axis) box[axis] = minimum(box[axis], box_[axis][bin]);
    left += shapes_in(bin);
    const Float4 left_cost = half_areas(box[0], box[1], box[2]) * sah_weight(left);
    best.offer(left_cost + right_cost[bin + 1], left, total - left, bin + 1);
  }
  return best.choice();
}

}  // namespace sightline::detail
