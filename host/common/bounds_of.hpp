// The bounds of a shape by its id.
#pragma once

#include <sightline/shapes/shapes.hpp>

#include <type_traits>

namespace sightline::detail {

/// Of a shape that has some: id < shapes.bounded(). shapes.bounds, which has the same bits, is not
/// read.
inline Aabb bounds_of(const ShapesView& shapes, std::uint32_t id) {
  return shapes.visit(id, [](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Plane>) {
      return empty_aabb();
    } else {
      return bounds(s);
    }
  });
}

}  // namespace sightline::detail
