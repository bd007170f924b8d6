// Query circles and segments as columns.
#pragma once

#include <sightline/detail/column.hpp>
#include <sightline/flat/shapes.hpp>

namespace sightline {

/// Two float columns.
struct Vec2Column {
  Column<float> x, y;

  Vec2Column() = default;
  SIGHTLINE_HD Vec2Column(const Column<float>& of_x, const Column<float>& of_y)
      : x(of_x), y(of_y) {}
  template <ArrayOf<Vec2> Array>
  Vec2Column(const Array& array) : x(array, &Vec2::x), y(array, &Vec2::y) {}
  /// n rows, `stride` in bytes from row to row.
  static Vec2Column strided(const float* xy, std::uint64_t n, std::ptrdiff_t stride) {
    return {Column<float>(xy, n, stride), Column<float>(xy == nullptr ? xy : xy + 1, n, stride)};
  }

  SIGHTLINE_HD Vec2 operator[](std::uint64_t i) const { return {x[i], y[i]}; }
  SIGHTLINE_HD Vec2Column slice(std::uint64_t first, std::uint64_t n) const {
    return {x.slice(first, n), y.slice(first, n)};
  }
};

/// Circles [n]; a column with null data gives every circle its common value.
struct CirclesView {
  std::uint64_t count = 0;
  Vec2Column center;
  Column<float> radius;
  Column<std::uint32_t> mask = 0xFFFFFFFFu;

  /// Rows [n,3]: x, y, radius.
  static CirclesView rows(std::span<const float> xyr) {
    constexpr std::ptrdiff_t stride = 3 * sizeof(float);
    const std::uint64_t n = xyr.size() / 3;
    if (n == 0) return {};
    return {n, Vec2Column::strided(xyr.data(), n, stride), {xyr.data() + 2, n, stride}};
  }

  SIGHTLINE_HD Circle operator[](std::uint64_t i) const { return {center[i], radius[i]}; }
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("center", v.center...), f("radius", v.radius...), f("mask", v.mask...);
  }
};

/// Segments [n]; a column with null data gives every segment its common value.
struct SegmentsView {
  std::uint64_t count = 0;
  Vec2Column a, b;
  Column<std::uint32_t> mask = 0xFFFFFFFFu;

  /// Rows [n,4]: the ends a and b.
  static SegmentsView rows(std::span<const float> ab) {
    constexpr std::ptrdiff_t stride = 4 * sizeof(float);
    const std::uint64_t n = ab.size() / 4;
    if (n == 0) return {};
    return {n, Vec2Column::strided(ab.data(), n, stride),
            Vec2Column::strided(ab.data() + 2, n, stride)};
  }

  SIGHTLINE_HD Segment2 operator[](std::uint64_t i) const { return {a[i], b[i]}; }
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("a", v.a...), f("b", v.b...), f("mask", v.mask...);
  }
};

}  // namespace sightline
