// The plain traversal of a tree with a box.
#pragma once

#include <sightline/detail/bvh.hpp>
#include <sightline/overlap/box_box.hpp>

namespace sightline {

/// Calls leaf(id) for every shape whose bounds overlap the box until leaf returns true. Culling is
/// exact: a box that contains another overlaps whatever the other overlaps. `Box` is an Aabb, or a
/// type with an overlaps(box, Aabb) of which that holds.
template <class Box, class Leaf>
SIGHTLINE_HD void for_each_in(const BvhView& bvh, const Box& box, Leaf&& leaf) {
  BvhChild stack[bvh_max_depth];  // each step down leaves at most one child
  int size = 0;
  if (bvh.node_count == 0) return;
  BvhChild current = 0;
  for (;;) {
    if (is_leaf(current)) {
      if (leaf(current & ~bvh_leaf_bit)) return;
    } else {
      const BvhNode& node = bvh.nodes[current];
      const bool a = overlaps(box, node.bounds[0]), b = overlaps(box, node.bounds[1]);
      if (a && b) stack[size++] = node.child[1];
      if (a || b) {
        current = node.child[a ? 0 : 1];
        continue;
      }
    }
    if (size == 0) return;
    current = stack[--size];
  }
}

}  // namespace sightline
