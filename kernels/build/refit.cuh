// The boxes of a tree's nodes, from the shapes up.
#pragma once

#include "kernels/build/copy16.cuh"

#include <sightline/geometry/bvh/bvh.hpp>
#include <sightline/geometry/shapes/all_shapes.hpp>

#include <cstring>

namespace sightline::kernels {

struct ShapeBounds {
  ShapesView shapes;
  Aabb* out;
  SIGHTLINE_HD void operator()(std::uint32_t id) const { out[id] = bounds_of(shapes, id); }
};

/// Writes a node, padding included, since trees are compared as bytes.
SIGHTLINE_HD void write_node(BvhNode& node, const Aabb& box_a, BvhChild a, const Aabb& box_b,
                             BvhChild b) {
  BvhNode own;
  std::memset(static_cast<void*>(&own), 0, sizeof own);
  own.bounds[0] = box_a;
  own.bounds[1] = box_b;
  own.child[0] = a;
  own.child[1] = b;
  copy_units(node, own);
}

/// The box of one node's child, from the shape or from the boxes of the node below.
struct RefitNode {
  ShapesView shapes;
  BvhNode* nodes;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    BvhNode& node = nodes[i];
    for (int k = 0; k < 2; ++k) {
      if (is_empty(node.bounds[k])) continue;  // a missing child
      const BvhChild child = node.child[k];
      node.bounds[k] = child & bvh_leaf_bit ? bounds_of(shapes, child & ~bvh_leaf_bit)
                                            : unite(nodes[child].bounds[0], nodes[child].bounds[1]);
    }
  }
};

struct NodeArea {
  const BvhNode* nodes;
  SIGHTLINE_HD double operator()(std::uint32_t i) const {
    double sum = 0;
    for (const Aabb& box : nodes[i].bounds) {
      if (!is_empty(box)) sum += static_cast<double>(half_area(box));
    }
    return sum;
  }
};

}  // namespace sightline::kernels
