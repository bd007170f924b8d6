// The cpu backend's tree: eight children a node, with their planes as rows.
#pragma once

#include "host/common/pages.hpp"
#include "host/tree/builder.hpp"

namespace sightline::detail {

inline constexpr int wide_width = 8;

/// An inner node: the planes of its children's boxes, a row of eight per plane, and the children.
/// Leaves come first, then inner children, then missing ones, which have empty bounds (+inf, -inf)
/// and bvh_leaf_bit; leaves and inner children are sorted by decreasing box area, which suits any
/// hit. One shape per leaf, whose box is the shape's own bounds, so that the box test of a leaf is
/// its gate.
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

/// A tree that owns its nodes; empty for no shapes. The root is nodes[0]; children have greater
/// numbers than their node.
struct WideBvh {
  PageVector<WideNode> nodes;
  int depth = 0;  ///< nodes on the longest path from the root, at most bvh_max_depth
};

/// The tree with up to eight children a node: some nodes vanish and leave their children to the
/// node above, chosen so that rays visit the fewest nodes (see Collapse). Works for any builder's
/// tree in which children have greater numbers than their node. The same result with any number of
/// threads (it uses those of the task arena it is called in). Throws Error{out_of_memory}.
WideBvh widen(const BvhView& bvh);

/// The peak memory of widen beside the binary tree, and what the wide tree keeps.
BuildBytes widening_bytes(std::uint64_t binary_nodes, std::uint64_t wide_nodes);

}  // namespace sightline::detail
