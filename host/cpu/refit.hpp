// Making a tree's boxes fit shapes that have moved.
#pragma once

#include "host/cpu/builder.hpp"

#include <sightline/caster.hpp>

#include <optional>

namespace sightline::detail {

/// Recomputes every box of a tree of build_bvh from the bounds of the shapes, whose number is the
/// tree's; children have greater numbers than their node. Throws Error{out_of_memory}.
void refit_bvh(Bvh& bvh, const ShapesView& shapes);

/// The sum of the half areas of all boxes, in the order of the nodes.
double bvh_area(const Bvh& bvh);

/// When `automatic` builds another tree.
constexpr bool outgrown(double area, double area_when_built) { return area > 2 * area_when_built; }

/// A tree that its shapes move under.
struct MovingBvh {
  Bvh bvh;
  std::optional<double> area_when_built;  ///< before the first refit; none: the tree is as built
};

/// The tree over shapes that have moved, as many as before unless `how` is rebuild: `before` with
/// other boxes, or another tree; `automatic` takes another where the boxes have become more than
/// twice as large in sum as they were when built. Throws what build_bvh throws.
MovingBvh updated(const MovingBvh& before, const ShapesView& shapes, Update how);

}  // namespace sightline::detail
