// Makes a binary tree better, by moving what lies badly.
#pragma once

#include "host/tree/builder.hpp"

namespace sightline::detail {

/// Takes the children with the largest boxes out of the tree, one after the other, and puts each
/// back beside the node where the boxes grow least; again, and with more of them, while that gains.
/// A cut by the surface area heuristic cannot bring together what is large and lies far apart, such
/// as beams among grains. Nodes are numbered in depth-first order afterwards. Returns the nodes on
/// the longest path: the caller must look whether they are too many. The same tree with any number
/// of threads: there is one. Throws std::bad_alloc.
/// Source: Meister, Bittner, "Parallel reinsertion for bounding volume hierarchy optimization"
/// (2018), section 3, one node at a time.
int reinsert(PageVector<BvhNode>& nodes);

}  // namespace sightline::detail
