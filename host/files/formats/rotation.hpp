// Rotations as files have them, in binary64.
#pragma once

#include <sightline/vec.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace sightline::io {

/// x, y, z, w.
using Rotation = std::array<double, 4>;

double length_of(const Rotation& q);
/// Of unit length.
Rotation normalised(const Rotation& q);
inline Quat rounded(const Rotation& q) {
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
          static_cast<float>(q[3])};
}

/// A vector under a rotation, whose quaternion may have any length but 0; exact for quarter turns.
std::array<double, 3> turned(const std::array<double, 3>& v, const Rotation& q);

/// Of a matrix, row by row, that turns a box's own axes, its columns, into the world's; the last
/// number is how far its columns are from unit vectors at right angles. Nothing where that is more
/// than 0.001, or where it mirrors.
std::optional<std::pair<Rotation, double>> rotation_of_matrix(const std::array<double, 9>& m);

/// Of angles about x, y and z, in degrees, whose matrices are multiplied in the order of `axes`:
/// "yxz" is Ry Rx Rz. Exact for quarter turns, the same on all systems.
Rotation rotation_of_euler(const std::array<double, 3>& degrees, std::string_view axes);

}  // namespace sightline::io
