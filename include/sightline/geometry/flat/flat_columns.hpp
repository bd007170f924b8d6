// Query circles and segments as columns.
#pragma once

#include <sightline/column.hpp>
#include <sightline/flat_shapes.hpp>

#include <span>

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
    const Column<float> x = column_of_rows(xyr, 0, 3);
    return {x.count, {x, column_of_rows(xyr, 1, 3)}, column_of_rows(xyr, 2, 3)};
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
    const Column<float> x = column_of_rows(ab, 0, 4);
    return {x.count,
            {x, column_of_rows(ab, 1, 4)},
            {column_of_rows(ab, 2, 4), column_of_rows(ab, 3, 4)}};
  }

  SIGHTLINE_HD Segment2 operator[](std::uint64_t i) const { return {a[i], b[i]}; }
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("a", v.a...), f("b", v.b...), f("mask", v.mask...);
  }
};

}  // namespace sightline
