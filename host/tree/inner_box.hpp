// Boxes of inner nodes.
#pragma once

#include <sightline/shapes/aabb.hpp>

namespace sightline::detail {

/// With positive zeros, so that the box of a node does not depend on the order in which the boxes
/// below it were united.
inline Aabb inner_box(const Aabb& b) {
  return {{b.min.x + 0.0f, b.min.y + 0.0f, b.min.z + 0.0f},
          {b.max.x + 0.0f, b.max.y + 0.0f, b.max.z + 0.0f}};
}

}  // namespace sightline::detail
