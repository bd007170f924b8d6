// Shapes in a world with z up.
#pragma once

#include <sightline/shapes.hpp>

#include <type_traits>

namespace sightline {

/// Converts a shape, all its vectors. A box's half extents are along its own axes and stay.
template <class Shape>
SIGHTLINE_HD Shape upright(const Shape& s, UpAxis up) {
  Shape turned = s;
  ShapeTraits<Shape>::fields(
      [up](const char*, auto& field) {
        if constexpr (std::is_same_v<decltype(field), Vec3&>) field = upright(field, up);
      },
      turned);
  return turned;
}
SIGHTLINE_HD ObbFrame upright(const ObbFrame& s, UpAxis up) {
  return {upright(s.center, up),
          s.half_extents,
          {upright(s.axis[0], up), upright(s.axis[1], up), upright(s.axis[2], up)}};
}

}  // namespace sightline
