/// @file
/// Vectors and rotations as plain numbers, and operators on vectors for host code.
#pragma once

#include <sightline/detail/macros.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace sightline {

/// Vector of three components.
/// @tparam F  float, or a type of lanes in the library's own arithmetic
template <class F>
struct Vec3T {
  F x,    ///< first component
      y,  ///< second component
      z;  ///< third component
};
/// Vector of three floats.
using Vec3 = Vec3T<float>;

/// Rotation as a quaternion in the order x, y, z, w. The default does not rotate.
struct Quat {
  float x = 0,  ///< first imaginary component
      y = 0,    ///< second imaginary component
      z = 0,    ///< third imaginary component
      w = 1;    ///< real component
};

/// Positive infinity.
inline constexpr float infinity = std::numeric_limits<float>::infinity();
/// The largest finite float.
inline constexpr float largest_float = std::numeric_limits<float>::max();

/// The axis that points up.
enum class UpAxis : std::uint8_t {
  z,  ///< z points up
  y,  ///< y points up
};

/// Returns a point in axes with z up: swaps y and z if y is up. The function is its own inverse, a
/// reflection that preserves distances.
template <class F>
SIGHTLINE_HD Vec3T<F> upright(const Vec3T<F>& p, UpAxis up) {
  return up == UpAxis::z ? p : Vec3T<F>{p.x, p.z, p.y};
}

// The library's own arithmetic names each operation instead (geometry/base/lane.hpp), because every
// rounding of it is part of an answer. Each user has these by the user's own flags: always inlined,
// so that the linker cannot take one's for another's.

/// Returns the sum, component by component.
SIGHTLINE_USERS_OWN Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
/// Returns the difference, component by component.
SIGHTLINE_USERS_OWN Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
/// Returns the vector times a number.
SIGHTLINE_USERS_OWN Vec3 operator*(const Vec3& v, float s) { return {v.x * s, v.y * s, v.z * s}; }
/// Returns the vector times a number.
SIGHTLINE_USERS_OWN Vec3 operator*(float s, const Vec3& v) { return v * s; }
/// Returns the vector divided by a number.
SIGHTLINE_USERS_OWN Vec3 operator/(const Vec3& v, float s) { return {v.x / s, v.y / s, v.z / s}; }
/// Adds b to a.
SIGHTLINE_USERS_OWN Vec3& operator+=(Vec3& a, const Vec3& b) { return a = a + b; }
/// Subtracts b from a.
SIGHTLINE_USERS_OWN Vec3& operator-=(Vec3& a, const Vec3& b) { return a = a - b; }
/// Multiplies the vector by a number.
SIGHTLINE_USERS_OWN Vec3& operator*=(Vec3& v, float s) { return v = v * s; }
/// Returns whether all components are equal.
SIGHTLINE_USERS_OWN bool operator==(const Vec3& a, const Vec3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Returns `v / |v|` for vectors of any finite length, and 0 for 0.
SIGHTLINE_USERS_OWN Vec3 normalize(const Vec3& v) {
  const double x = v.x, y = v.y, z = v.z, size = std::sqrt(x * x + y * y + z * z);
  if (size == 0) return v;
  return {static_cast<float>(x / size), static_cast<float>(y / size), static_cast<float>(z / size)};
}

}  // namespace sightline
