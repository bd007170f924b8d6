// The wide tree, and how it follows shapes that move.
#pragma once

#include "host/tree/wide_bvh.hpp"

#include <sightline/caster.hpp>

#include <optional>

namespace sightline::detail {

/// A tree that its shapes move under.
struct MovingTree {
  WideBvh bvh;
  std::optional<double> area_when_built;  ///< before the first refit; none: the tree is as built
};

/// build_bvh, widened; throws what they throw.
MovingTree build_tree(const ShapesView& shapes);

/// The tree over shapes that have moved, as many as before unless `how` is rebuild: `before` with
/// other boxes, or another tree; `automatic` takes another where the boxes have outgrown those of
/// the tree as built (see outgrown). Throws what build_tree throws.
MovingTree updated(const MovingTree& before, const ShapesView& shapes, Update how);

/// The sum of the half areas of all boxes, in the order of the nodes.
double bvh_area(const WideBvh& bvh);

/// Bytes that build_tree takes at its peak over so many shapes with bounds, beside the wide tree of
/// so many nodes that it keeps.
std::uint64_t build_tree_bytes(std::uint64_t bounded_shapes, std::uint64_t wide_nodes);

}  // namespace sightline::detail
