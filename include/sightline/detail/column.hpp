// Strided columns, so that rows (n,3), separate x/y/z columns and common values are used uncopied.
#pragma once

#include <sightline/math/vec.hpp>

#include <cstddef>

namespace sightline {

/// One value per element, or one common value when `data` is null.
/// `stride` is in bytes. The caller owns the memory and keeps it alive for the call.
template <class T>
struct Column {
  const T* data = nullptr;
  std::ptrdiff_t stride = sizeof(T);
  T common{};

  SIGHTLINE_HD T operator[](std::uint64_t i) const {
    if (data == nullptr) return common;
    const auto* byte = reinterpret_cast<const unsigned char*>(data);
    return *reinterpret_cast<const T*>(byte + static_cast<std::ptrdiff_t>(i) * stride);
  }
  /// The column without its first `first` elements.
  SIGHTLINE_HD Column from(std::uint64_t first) const {
    Column c = *this;
    if (data != nullptr) {
      const auto* byte = reinterpret_cast<const unsigned char*>(data);
      c.data = reinterpret_cast<const T*>(byte + static_cast<std::ptrdiff_t>(first) * stride);
    }
    return c;
  }
};

/// Three float columns.
struct Vec3Column {
  Column<float> x, y, z;

  /// Rows [n,3]: x0 y0 z0 x1 y1 z1 ...; `stride` in bytes from row to row. Null, as from an empty
  /// vector, makes every element 0.
  static Vec3Column rows(const float* xyz, std::ptrdiff_t stride = 3 * sizeof(float)) {
    if (xyz == nullptr) return {};
    return {{xyz, stride}, {xyz + 1, stride}, {xyz + 2, stride}};
  }
  static Vec3Column rows(const Vec3* v) { return rows(v == nullptr ? nullptr : &v->x); }
  /// Separate columns [n].
  static Vec3Column columns(const float* x, const float* y, const float* z) {
    return {{x}, {y}, {z}};
  }

  SIGHTLINE_HD Vec3 operator[](std::uint64_t i) const { return {x[i], y[i], z[i]}; }
  SIGHTLINE_HD Vec3Column from(std::uint64_t first) const {
    return {x.from(first), y.from(first), z.from(first)};
  }
};

}  // namespace sightline
