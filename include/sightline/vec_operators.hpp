// Vectors in formulas, for host code; the library's own arithmetic names each operation instead,
// because every rounding of it is part of an answer. Each user has these by the user's own flags:
// always inlined, so that the linker cannot take one's for another's.
#pragma once

#include <sightline/vec.hpp>

#include <cmath>

namespace sightline {

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
