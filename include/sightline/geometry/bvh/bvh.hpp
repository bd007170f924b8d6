// The tree that every builder fills and every traversal reads.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline {

/// A child of a node: an inner node's index, or the id of a shape.
using BvhChild = std::uint32_t;
inline constexpr BvhChild bvh_leaf_bit = 0x80000000u;
SIGHTLINE_HD bool is_leaf(BvhChild child) { return (child & bvh_leaf_bit) != 0; }

/// An inner node: its two children and their boxes. One shape per leaf, whose box is the shape's
/// own bounds, so that the box test of a leaf is its gate.
struct alignas(64) BvhNode {
  Aabb bounds[2];
  BvhChild child[2];
};

/// Whether child k is a node: neither a leaf nor missing.
SIGHTLINE_HD bool is_inner(const BvhNode& node, int k) {
  return !is_leaf(node.child[k]) && !is_empty(node.bounds[k]);
}

/// A binary tree over the bounded shapes; null nodes where there are none. The root is nodes[0]; a
/// missing child has empty bounds (+inf, -inf). No path from the root has more than bvh_max_depth
/// nodes: builders prove it, traversals rely on it.
struct BvhView {
  const BvhNode* nodes = nullptr;
  std::uint32_t node_count = 0;
};
inline constexpr int bvh_max_depth = 64;

}  // namespace sightline
