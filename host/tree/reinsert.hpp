// Optimises a binary tree by reinsertion.
#pragma once

#include "host/tree/builder.hpp"

namespace sightline::detail {

/// Removes the children with the largest boxes from the tree, one after the other, and reinserts
/// each where boxes grow least; repeats with more of them while that pays. SAH cuts cannot join
/// large shapes that are far apart, such as beams among grains. Nodes are numbered in depth-first
/// order afterwards. Returns the nodes on the longest path, or 0 if nothing moved: the caller must
/// check the depth. Single-threaded, so that the tree is always the same. Throws std::bad_alloc.
/// Source: Meister, Bittner, "Parallel reinsertion for bounding volume hierarchy optimization"
/// (2018), section 3, one node at a time.
int reinsert(PageVector<BvhNode>& nodes);

}  // namespace sightline::detail
