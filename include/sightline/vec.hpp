// Vectors and rotations as plain numbers; their arithmetic is in geometry/base/lane.hpp.
#pragma once

#include <sightline/detail/macros.hpp>

#include <cstdint>
#include <limits>

namespace sightline {

template <class F>
struct Vec3T {
  F x, y, z;
};
using Vec3 = Vec3T<float>;

/// A rotation as a quaternion x, y, z, w (w last, as in files).
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
};

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float largest_float = std::numeric_limits<float>::max();

}  // namespace sightline
