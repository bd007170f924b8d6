// Refitting trees to moved shapes.
#pragma once

#include "host/tree/box8.hpp"
#include "host/tree/wide_bvh.hpp"

namespace sightline::detail {

/// Recomputes every box of a tree of build_bvh, or of widen, from the bounds of as many shapes;
/// children have greater numbers than their node. Throws Error{out_of_memory}.
void refit_bvh(Bvh& bvh, const ShapesView& shapes);
void refit_bvh(WideBvh& bvh, const ShapesView& shapes);

/// The sum of the half areas of all boxes, in the order of the nodes.
double bvh_area(const Bvh& bvh);
double bvh_area(const WideBvh& bvh);

/// Whether `automatic` rebuilds the tree.
constexpr bool outgrown(double area, double area_when_built) { return area > 2 * area_when_built; }

}  // namespace sightline::detail
