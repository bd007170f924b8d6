// Refitting trees to moved shapes.
#pragma once

#include "host/tree/builder.hpp"

namespace sightline::detail {

/// Recomputes every box of a tree of build_bvh from the bounds of as many shapes; children have
/// greater numbers than their node. Throws Error{out_of_memory}.
void refit_bvh(Bvh& bvh, const ShapesView& shapes);

/// The sum of the half areas of all boxes, in the order of the nodes.
double bvh_area(const Bvh& bvh);

/// Whether `automatic` rebuilds the tree.
constexpr bool outgrown(double area, double area_when_built) { return area > 2 * area_when_built; }

/// With positive zeros, so that the box of a node does not depend on the order in which the boxes
/// below it were united.
inline Aabb inner_box(const Aabb& b) {
  return {{b.min.x + 0.0f, b.min.y + 0.0f, b.min.z + 0.0f},
          {b.max.x + 0.0f, b.max.y + 0.0f, b.max.z + 0.0f}};
}

}  // namespace sightline::detail
