// The bounds of a shape by its id.
#pragma once

#include <sightline/shapes/shapes.hpp>

namespace sightline::detail {

/// id < shapes.bounded(). Does not read shapes.bounds, which has the same bits.
inline Aabb bounds_of(const ShapesView& shapes, std::uint32_t id) {
  return shapes.visit_bounded(id, [](const auto& s) { return bounds(s); });
}

}  // namespace sightline::detail
