// PLY files of points, for viewers of clouds.
#pragma once

#include "host/files/pictures/canvas.hpp"

#include <sightline/math/vec.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sightline::io {

/// Columns [n]; those but `position` may be empty, and are then not written.
struct PlyPoints {
  std::vector<Vec3> position;
  std::vector<Vec3> normal;
  std::vector<Color> color;
  std::vector<float> value;  ///< written as `quality`, which viewers color by
  std::vector<std::uint32_t> id;
};

/// Writes binary little-endian PLY; whole or not at all. Throws Error{io}, and Error{internal}
/// where columns have other lengths.
void write_ply(const std::string& name, const PlyPoints& points);

}  // namespace sightline::io
