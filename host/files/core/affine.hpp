// Affine maps in binary64, as files of nested transforms compose them.
#pragma once

#include <sightline/vec.hpp>

#include <array>
#include <cmath>

namespace sightline::io {

using Double3 = std::array<double, 3>;

inline double dot(const Double3& a, const Double3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double length(const Double3& a) { return std::sqrt(dot(a, a)); }
inline Double3 times(const Double3& a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
inline Double3 cross(const Double3& a, const Double3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vec3 rounded(const Double3& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// p -> column[0] p.x + column[1] p.y + column[2] p.z + origin.
struct Affine {
  std::array<Double3, 3> column{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Double3 origin{0, 0, 0};

  /// Without the origin.
  Double3 turn(const Double3& v) const {
    Double3 out{};
    for (std::size_t k = 0; k < 3; ++k) {
      out[k] = column[0][k] * v[0] + column[1][k] * v[1] + column[2][k] * v[2];
    }
    return out;
  }
  Double3 move(const Double3& p) const {
    const Double3 v = turn(p);
    return {v[0] + origin[0], v[1] + origin[1], v[2] + origin[2]};
  }
  double determinant() const { return dot(column[0], cross(column[1], column[2])); }
};

/// First b, then a.
inline Affine operator*(const Affine& a, const Affine& b) {
  return {{a.turn(b.column[0]), a.turn(b.column[1]), a.turn(b.column[2])}, a.move(b.origin)};
}

}  // namespace sightline::io
