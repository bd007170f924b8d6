// Query circles and segments as columns.
#pragma once

#include <sightline/detail/column.hpp>
#include <sightline/flat/shapes.hpp>

namespace sightline {

/// Two float columns.
struct Vec2Column {
  Column<float> x, y;

  /// Rows [n,2]: x0 y0 x1 y1 ...; `stride` in bytes from row to row.
  static Vec2Column rows(const float* xy, std::ptrdiff_t stride = 2 * sizeof(float)) {
    return {{xy, stride}, {xy + 1, stride}};
  }
  static Vec2Column rows(const Vec2* v) { return rows(&v->x); }

  SIGHTLINE_HD Vec2 operator[](std::uint64_t i) const { return {x[i], y[i]}; }
  SIGHTLINE_HD Vec2Column from(std::uint64_t first) const { return {x.from(first), y.from(first)}; }
};

/// Circles [n]; a column with null data gives every circle its common value.
struct CirclesView {
  std::uint64_t count = 0;
  Vec2Column center;
  Column<float> radius;
  Column<std::uint32_t> mask{nullptr, sizeof(std::uint32_t), 0xFFFFFFFFu};

  /// Rows [n,3]: x, y, radius.
  static CirclesView rows(std::uint64_t n, const float* xyr) {
    constexpr std::ptrdiff_t stride = 3 * sizeof(float);
    return {n, Vec2Column::rows(xyr, stride), {xyr + 2, stride}};
  }

  SIGHTLINE_HD Circle operator[](std::uint64_t i) const { return {center[i], radius[i]}; }
  CirclesView slice(std::uint64_t first, std::uint64_t n) const {
    return {n, center.from(first), radius.from(first), mask.from(first)};
  }
};

/// Segments [n]; a column with null data gives every segment its common value.
struct SegmentsView {
  std::uint64_t count = 0;
  Vec2Column a, b;
  Column<std::uint32_t> mask{nullptr, sizeof(std::uint32_t), 0xFFFFFFFFu};

  /// Rows [n,4]: the ends a and b.
  static SegmentsView rows(std::uint64_t n, const float* ab) {
    constexpr std::ptrdiff_t stride = 4 * sizeof(float);
    return {n, Vec2Column::rows(ab, stride), Vec2Column::rows(ab + 2, stride)};
  }

  SIGHTLINE_HD Segment2 operator[](std::uint64_t i) const { return {a[i], b[i]}; }
  SegmentsView slice(std::uint64_t first, std::uint64_t n) const {
    return {n, a.from(first), b.from(first), mask.from(first)};
  }
};

}  // namespace sightline
