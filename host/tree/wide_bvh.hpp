// The tree that the cpu backend traverses: eight children a node, their planes side by side.
#pragma once

#include "host/common/pages.hpp"
#include "host/tree/builder.hpp"

#include <string>

namespace sightline::detail {

inline constexpr int wide_width = 8;

/// An inner node: the planes of its children's boxes, a row of eight per plane, and the children.
/// Leaves come first, then inner children, then missing ones, which have empty bounds (+inf, -inf)
/// and bvh_leaf_bit; among leaves and among inner children the large boxes come first, as any hit
/// likes them. One shape per leaf, whose box is that shape's own bounds, so that the node test of
/// a leaf is its gate.
struct alignas(32) WideNode {
  float low[3][wide_width];   ///< by axis
  float high[3][wide_width];  ///< by axis
  BvhChild child[wide_width];
};
static_assert(sizeof(WideNode) == 224);
inline Aabb box_of(const WideNode& node, int slot) {
  return {{node.low[0][slot], node.low[1][slot], node.low[2][slot]},
          {node.high[0][slot], node.high[1][slot], node.high[2][slot]}};
}
inline void set_box(WideNode& node, int slot, const Aabb& box) {
  const float low[] = {box.min.x, box.min.y, box.min.z}, high[] = {box.max.x, box.max.y, box.max.z};
  for (int axis = 0; axis < 3; ++axis) {
    node.low[axis][slot] = low[axis];
    node.high[axis][slot] = high[axis];
  }
}

/// A tree that owns its nodes; none over no shapes. The root is nodes[0]; children have greater
/// numbers than their node.
struct WideBvh {
  PageVector<WideNode> nodes;
  int depth = 0;  ///< nodes on the longest path from the root, at most bvh_max_depth
};

/// The same tree with up to eight children a node: nodes vanish and leave their children to the
/// node above, those whose absence makes rays visit the fewest nodes (see Collapse), whatever
/// builder made the tree, as long as children have greater numbers than their node. The same nodes
/// for the same tree, whatever the number of threads (it uses those of the task arena it is called
/// in). Throws Error{out_of_memory}.
WideBvh widen(const BvhView& bvh);

/// Bytes that widen takes at its peak beside the binary tree, and that the wide tree keeps.
BuildBytes widening_bytes(std::uint64_t binary_nodes, std::uint64_t wide_nodes);

/// Recomputes every box from the bounds of the shapes, whose number is the tree's. Throws
/// Error{out_of_memory}.
void refit_wide_bvh(WideBvh& bvh, const ShapesView& shapes);

/// What is wrong with the tree, in one sentence; empty for a good one: see problem_of(BvhView).
std::string problem_of(const WideBvh& bvh, const ShapesView& shapes);

}  // namespace sightline::detail
