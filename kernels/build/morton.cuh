// Morton codes: positions along a curve that keeps neighbours together.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>

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
    std::uint64_t mask[3] = {};
    for (int a = 0; a < 3; ++a) cell[a] = width[a] > 0x1p-96f ? width[a] : 0.0f;
    for (int length = 0; length < bits; ++length) {
      int widest = cell[1] > cell[0] ? 1 : 0;
      if (cell[2] > cell[widest]) widest = 2;
      if (!(cell[widest] > 0.0f)) break;
      for (std::uint64_t& m : mask) m <<= 1;
      mask[widest] |= 1;
      cell[widest] = ++dealt[widest] < bits_per_axis ? cell[widest] * 0.5f : 0.0f;
    }
    for (int a = 0; a < 3; ++a) {
      axes_[a].low = low[a];
      axes_[a].last = (std::uint32_t{1} << dealt[a]) - 1;
      axes_[a].scale =
          dealt[a] > 0 ? static_cast<float>(std::uint32_t{1} << dealt[a]) / width[a] : 0.0f;
      axes_[a].spread = Spread(mask[a]);
    }
  }

  SIGHTLINE_HD std::uint64_t code(const Vec3& p) const {
    return axes_[0].bits(p.x) | axes_[1].bits(p.y) | axes_[2].bits(p.z);
  }

 private:
  /// Moves the low bits of a word to the places that are set in a mask, the lowest first.
  ///
  /// Source: Warren, "Hacker's Delight" (2012), sections 7-4 and 7-5.
  class Spread {
   public:
    Spread() = default;
    explicit Spread(std::uint64_t mask) : mask_(mask) {
      std::uint64_t zeros_below = ~mask << 1;
      for (int s = 0; s < steps; ++s) {
        std::uint64_t odd = zeros_below;  // where the number of zeros below is odd
        for (int shift = 1; shift < 64; shift *= 2) odd ^= odd << shift;
        moved_[s] = odd & mask;
        mask = (mask ^ moved_[s]) | moved_[s] >> (1 << s);
        zeros_below &= ~odd;
      }
    }
    SIGHTLINE_HD std::uint64_t operator()(std::uint64_t x) const {
      for (int s = steps - 1; s >= 0; --s) x = (x & ~moved_[s]) | (x << (1 << s) & moved_[s]);
      return x & mask_;
    }

   private:
    static constexpr int steps = 6;
    std::uint64_t mask_ = 0;
    std::uint64_t moved_[steps] = {};  ///< the places that bits reach by 2^s to the left
  };

  struct Axis {
    float low, scale;
    std::uint32_t last;  ///< cell
    Spread spread;
    SIGHTLINE_HD std::uint64_t bits(float v) const {
      const auto n = static_cast<std::uint32_t>((v - low) * scale);
      return spread(n < last ? n : last);
    }
  };

  Axis axes_[3];
};

}  // namespace sightline::kernels
