// Vectors and rotations as plain numbers, and vectors in formulas of host code.
#pragma once

#include <sightline/detail/macros.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace sightline {

/// A vector of three components, of floats or of lanes.
template <class F>
struct Vec3T {
  F x, y, z;  ///< components
};
using Vec3 = Vec3T<float>;

/// A rotation as a quaternion x, y, z, w (w last, as in files).
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;  ///< by default no rotation
};

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float largest_float = std::numeric_limits<float>::max();

/// Which way is up.
enum class UpAxis : std::uint8_t { z, y };

/// Converts a point to a world with z up: where y is up, swaps y and z. Its own inverse; a
/// reflection, which preserves distances.
template <class F>
SIGHTLINE_HD Vec3T<F> upright(const Vec3T<F>& p, UpAxis up) {
  return up == UpAxis::z ? p : Vec3T<F>{p.x, p.z, p.y};
}

// The library's own arithmetic names each operation instead (geometry/base/lane.hpp), because every
// rounding of it is part of an answer. Each user has these by the user's own flags: always inlined,
// so that the linker cannot take one's for another's.

SIGHTLINE_USERS_OWN Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SIGHTLINE_USERS_OWN Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SIGHTLINE_USERS_OWN Vec3 operator*(const Vec3& v, float s) { return {v.x * s, v.y * s, v.z * s}; }
SIGHTLINE_USERS_OWN Vec3 operator*(float s, const Vec3& v) { return v * s; }
SIGHTLINE_USERS_OWN Vec3 operator/(const Vec3& v, float s) { return {v.x / s, v.y / s, v.z / s}; }
SIGHTLINE_USERS_OWN Vec3& operator+=(Vec3& a, const Vec3& b) { return a = a + b; }
SIGHTLINE_USERS_OWN Vec3& operator-=(Vec3& a, const Vec3& b) { return a = a - b; }
SIGHTLINE_USERS_OWN Vec3& operator*=(Vec3& v, float s) { return v = v * s; }
SIGHTLINE_USERS_OWN bool operator==(const Vec3& a, const Vec3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// v / |v|, whatever the size of v; 0 for 0.
SIGHTLINE_USERS_OWN Vec3 normalize(const Vec3& v) {
  const double x = v.x, y = v.y, z = v.z, size = std::sqrt(x * x + y * y + z * z);
  if (size == 0) return v;
  return {static_cast<float>(x / size), static_cast<float>(y / size), static_cast<float>(z / size)};
}

}  // namespace sightline
