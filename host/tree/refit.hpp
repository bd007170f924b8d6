// Making a tree's boxes fit shapes that have moved.
#pragma once

#include "host/tree/builder.hpp"

namespace sightline::detail {

/// Recomputes every box of a tree of build_bvh from the bounds of the shapes, whose number is the
/// tree's; children have greater numbers than their node. Throws Error{out_of_memory}.
void refit_bvh(Bvh& bvh, const ShapesView& shapes);

/// The sum of the half areas of all boxes, in the order of the nodes.
double bvh_area(const Bvh& bvh);

/// When `automatic` builds another tree.
constexpr bool outgrown(double area, double area_when_built) { return area > 2 * area_when_built; }

}  // namespace sightline::detail
