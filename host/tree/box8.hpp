// Boxes as vectors of eight floats, for the builder: their union is one minimum.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>

#include <cstdint>
#include <cstring>

namespace sightline::detail {

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Int8 = std::int32_t __attribute__((vector_size(32)));

/// min.x, min.y, min.z, unused, -max.x, -max.y, -max.z, unused: so that the union of boxes is their
/// minimum.
using Box8 = Float8;

inline Float8 minimum(const Float8& a, const Float8& b) { return a < b ? a : b; }
inline Float4 low_half(const Float8& v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
inline Float4 high_half(const Float8& v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

/// The empty box.
inline Box8 empty_box8() { return Float8{} + infinity; }

/// With positive zeros, so that the box of a node does not depend on the order in which the boxes
/// below it were united.
inline Aabb inner_box(const Aabb& b) {
  return {{b.min.x + 0.0f, b.min.y + 0.0f, b.min.z + 0.0f},
          {b.max.x + 0.0f, b.max.y + 0.0f, b.max.z + 0.0f}};
}
inline Aabb aabb_of_union(const Box8& b) {
  return inner_box({{b[0], b[1], b[2]}, {-b[4], -b[5], -b[6]}});
}

/// Twice the centre, in lanes 0 to 2.
inline Float4 doubled_center(const Box8& b) { return low_half(b) - high_half(b); }

/// A centre as a box, for unions of centres.
inline Box8 box8_of_point(const Float4& c) {
  return __builtin_shufflevector(c, -c, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Half the areas of three boxes, in lanes 0 to 2.
inline Float4 half_areas(const Box8& a, const Box8& b, const Box8& c) {
  // Negated extents; the signs cancel in products of two.
  const Float4 u = low_half(a) + high_half(a), v = low_half(b) + high_half(b),
               w = low_half(c) + high_half(c);
  const Float4 uv_xy = __builtin_shufflevector(u, v, 0, 4, 1, 5);
  const Float4 uv_z = __builtin_shufflevector(u, v, 2, 6, 2, 6);
  const Float4 x = __builtin_shufflevector(uv_xy, w, 0, 1, 4, 4);
  const Float4 y = __builtin_shufflevector(uv_xy, w, 2, 3, 5, 5);
  const Float4 z = __builtin_shufflevector(uv_z, w, 0, 1, 6, 6);
  return x * y + y * z + z * x;
}

/// A shape during the build: its box, with its id in the bits of lane 3.
struct BuildItem {
  Box8 box;

  BuildItem() = default;
  BuildItem(const Aabb& b, std::uint32_t id) {
    box = Float8{b.min.x, b.min.y, b.min.z, 0, -b.max.x, -b.max.y, -b.max.z, 0};
    std::memcpy(reinterpret_cast<char*>(&box) + 3 * sizeof(float), &id, sizeof(id));
  }
  std::uint32_t id() const {
    std::uint32_t value;
    std::memcpy(&value, reinterpret_cast<const char*>(&box) + 3 * sizeof(float), sizeof(value));
    return value;
  }
  /// The shape's own bounds, bit by bit.
  Aabb bounds() const { return {{box[0], box[1], box[2]}, {-box[4], -box[5], -box[6]}}; }
};
static_assert(sizeof(BuildItem) == 32);

}  // namespace sightline::detail
