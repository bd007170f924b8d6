// Vectors of doubles, in which overlap, distance and 2D are decided: differences of floats, and
// numbers of lattices, are exact in them
// (docs/project/proofs/overlap-distance-sweep.md, "Doubles").
#pragma once

#include <sightline/geometry/base/lane.hpp>

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

/// The upper 26 bits of each component: products of two such are exact, and so are those of the
/// remainders (Veltkamp 1968). Not by conversion to float, since g++ 12 drops that and its rounding
/// when it vectorises doubles.
SIGHTLINE_HD WideVec3 upper_half(const WideVec3& v) {
  const WideVec3 c = v * 0x8000001p0;
  return c - (c - v);
}

/// cross(a, b) with an error of only 2^-53 of itself and 2^-77 |a||b|, where cross() errs by 2^-53
/// |a||b|: for the common perpendicular of nearly parallel lines. sharp_cross(b, a) is its exact
/// negative.
SIGHTLINE_HD WideVec3 sharp_cross(const WideVec3& a, const WideVec3& b) {
  const WideVec3 ah = upper_half(a), bh = upper_half(b);
  const WideVec3 al = a - ah, bl = b - bh;
  return cross(ah, bh) + ((cross(ah, bl) + cross(al, bh)) + cross(al, bl));
}

/// to - from, of stored floats.
SIGHTLINE_HD WideVec3 wide_diff(const Vec3& to, const Vec3& from) {
  return widened(to) - widened(from);
}

}  // namespace sightline
