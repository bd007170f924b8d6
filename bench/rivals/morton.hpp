// Morton codes of points on a grid.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>

#include <immintrin.h>

#include <algorithm>

namespace sightline::rivals {

/// A box in 512 cells per axis.
struct MortonGrid {
  static constexpr int cell_bits = 9;
  Vec3 low, scale;

  explicit MortonGrid(const Aabb& box) : low(box.min) {
    const auto cells = [](float a, float b) {
      return b > a ? static_cast<float>(1 << cell_bits) / (b - a) : 0.0f;
    };
    scale = {cells(box.min.x, box.max.x), cells(box.min.y, box.max.y), cells(box.min.z, box.max.z)};
  }

  /// 27 bits; for points of the box.
  std::uint32_t code(const Vec3& p) const {
    return spread(cell((p.x - low.x) * scale.x)) | spread(cell((p.y - low.y) * scale.y)) << 1 |
           spread(cell((p.z - low.z) * scale.z)) << 2;
  }

 private:
  static std::uint32_t cell(float v) {
    return static_cast<std::uint32_t>(std::min(static_cast<int>(v), (1 << cell_bits) - 1));
  }
  /// The bits of a cell's number, two zeros between them.
  static std::uint32_t spread(std::uint32_t v) { return _pdep_u32(v, 0x09249249u); }
};

}  // namespace sightline::rivals
