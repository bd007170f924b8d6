// Making a tree's boxes fit shapes that have moved.
#pragma once

#include "host/cpu/builder.hpp"

namespace sightline::detail {

/// Recomputes every box of a tree of build_bvh from the bounds of the shapes, whose number is the
/// tree's; children have greater numbers than their node.
void refit_bvh(Bvh& bvh, const ShapesView& shapes);

/// The sum of the half areas of all boxes, in the order of the nodes.
double bvh_area(const Bvh& bvh);

}  // namespace sightline::detail
