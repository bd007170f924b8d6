// Two components in doubles, for decisions (wide_vec.hpp says why).
#pragma once

#include <sightline/flat_shapes.hpp>
#include <sightline/geometry/base/lane.hpp>

namespace sightline {

using WideVec2 = Vec2T<double>;

SIGHTLINE_HD WideVec2 widened(const Vec2& v) { return {v.x, v.y}; }

SIGHTLINE_HD WideVec2 operator-(const WideVec2& v) { return {-v.x, -v.y}; }
SIGHTLINE_HD WideVec2 operator+(const WideVec2& a, const WideVec2& b) {
  return {a.x + b.x, a.y + b.y};
}
SIGHTLINE_HD WideVec2 operator-(const WideVec2& a, const WideVec2& b) {
  return {a.x - b.x, a.y - b.y};
}
SIGHTLINE_HD WideVec2 operator*(const WideVec2& a, double s) { return {a.x * s, a.y * s}; }

SIGHTLINE_HD double dot(const WideVec2& a, const WideVec2& b) { return a.x * b.x + a.y * b.y; }
SIGHTLINE_HD double square(const WideVec2& v) { return dot(v, v); }
/// Positive where b is to the left of a.
SIGHTLINE_HD double cross(const WideVec2& a, const WideVec2& b) { return a.x * b.y - a.y * b.x; }
/// v rotated counterclockwise by 90 degrees.
SIGHTLINE_HD WideVec2 left_of(const WideVec2& v) { return {-v.y, v.x}; }
SIGHTLINE_HD bool is_zero(const WideVec2& v) { return v.x == 0 && v.y == 0; }

/// to - from, of stored floats.
SIGHTLINE_HD WideVec2 wide_diff(const Vec2& to, const Vec2& from) {
  return widened(to) - widened(from);
}

}  // namespace sightline
