// Vectors of doubles, in which overlap, distance and 2D are decided: differences of floats are
// exact in them, and so are lattices (docs/accuracy.md, "Doubles").
#pragma once

#include <sightline/vec.hpp>

namespace sightline {

using WideVec3 = Vec3T<double>;

SIGHTLINE_HD WideVec3 widened(const Vec3& v) { return {v.x, v.y, v.z}; }
SIGHTLINE_HD Vec3 narrowed(const WideVec3& v) {
  return {narrowed(v.x), narrowed(v.y), narrowed(v.z)};
}

SIGHTLINE_HD WideVec3 operator+(const WideVec3& a, const WideVec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SIGHTLINE_HD WideVec3 operator-(const WideVec3& a, const WideVec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SIGHTLINE_HD WideVec3 operator*(const WideVec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }

SIGHTLINE_HD double dot(const WideVec3& a, const WideVec3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
SIGHTLINE_HD double square(const WideVec3& v) { return dot(v, v); }
SIGHTLINE_HD WideVec3 cross(const WideVec3& a, const WideVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// to - from, of stored floats.
SIGHTLINE_HD WideVec3 wide_diff(const Vec3& to, const Vec3& from) {
  return widened(to) - widened(from);
}

}  // namespace sightline
