// Morton codes: positions along a curve that keeps neighbours together.
#pragma once

#include <sightline/shapes/aabb.hpp>

#include <cstdint>

namespace sightline::kernels {

/// How the 63 bits of a code are distributed over the axes: each halves the cells along their
/// widest axis, so that cells stay as cubic as possible in flat and long scenes too.
///
/// An axis narrower than 2^-96 counts as flat and gets no bits; no axis gets more than 31.
class MortonFrame {
 public:
  static constexpr int bits = 63;
  static constexpr int bits_per_axis = 31;

  /// For points within this box; empty: no point has a code.
  explicit MortonFrame(const Aabb& box) {
    const float low[3] = {box.min.x, box.min.y, box.min.z};
    const float width[3] = {box.max.x - low[0], box.max.y - low[1], box.max.z - low[2]};
    float cell[3];
    int dealt[3] = {};
    for (int a = 0; a < 3; ++a) cell[a] = width[a] > 0x1p-96f ? width[a] : 0.0f;
    for (length_ = 0; length_ < bits; ++length_) {
      int widest = cell[1] > cell[0] ? 1 : 0;
      if (cell[2] > cell[widest]) widest = 2;
      if (!(cell[widest] > 0.0f)) break;
      axes_[length_ / 32] |= static_cast<std::uint64_t>(widest) << (2 * (length_ % 32));
      cell[widest] = ++dealt[widest] < bits_per_axis ? cell[widest] * 0.5f : 0.0f;
    }
    for (int a = 0; a < 3; ++a) {
      low_[a] = low[a];
      shift_[a] = 32 - dealt[a];
      scale_[a] = dealt[a] > 0 ? static_cast<float>(std::uint32_t{1} << dealt[a]) / width[a] : 0.0f;
    }
  }

  /// The first `most` bits, or all of them where there are fewer.
  SIGHTLINE_HD std::uint64_t code(const Vec3& p, int most = bits) const {
    std::uint32_t x = cell(0, p.x), y = cell(1, p.y), z = cell(2, p.z);
    std::uint64_t code = 0;
    for (int k = 0; k < length_ && k < most; ++k) {
      // Selected rather than indexed, so that the frame stays in registers.
      const auto axis = (k < 32 ? axes_[0] : axes_[1]) >> (2 * (k % 32)) & 3;
      code = code << 1 | (axis == 0 ? x : axis == 1 ? y : z) >> 31;
      x <<= axis == 0;
      y <<= axis == 1;
      z <<= axis == 2;
    }
    return code;
  }

 private:
  /// The cell's index along an axis, left-aligned.
  SIGHTLINE_HD std::uint32_t cell(int axis, float v) const {
    if (shift_[axis] == 32) return 0;
    const auto n = static_cast<std::uint32_t>((v - low_[axis]) * scale_[axis]);
    const std::uint32_t last = 0xFFFFFFFFu >> shift_[axis];
    return (n < last ? n : last) << shift_[axis];
  }

  float low_[3], scale_[3];
  int shift_[3], length_;
  /// The axis of each bit of the code, two bits each, the first lowest.
  std::uint64_t axes_[2] = {};
};

}  // namespace sightline::kernels
