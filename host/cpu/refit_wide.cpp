#include "host/cpu/wide_bvh.hpp"

#include "host/fp_environment.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

/// The union of a node's children; missing ones add nothing.
Aabb box_of(const WideNode& node) {
  float low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = *std::min_element(node.low[axis], node.low[axis] + wide_width);
    high[axis] = *std::max_element(node.high[axis], node.high[axis] + wide_width);
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

SIGHTLINE_NOINLINE void refit_nodes(std::vector<WideNode>& nodes, const ShapesView& shapes) {
  // From the last to the first: children have greater numbers than their node.
  for (std::size_t i = nodes.size(); i-- > 0;) {
    WideNode& node = nodes[i];
    for (int slot = 0; slot < wide_width; ++slot) {
      if (node.low[0][slot] > node.high[0][slot]) continue;  // a missing child
      const BvhChild child = node.child[slot];
      const Aabb box =
          child & bvh_leaf_bit ? shapes.bounds[child & ~bvh_leaf_bit] : box_of(nodes[child]);
      node.low[0][slot] = box.min.x;
      node.low[1][slot] = box.min.y;
      node.low[2][slot] = box.min.z;
      node.high[0][slot] = box.max.x;
      node.high[1][slot] = box.max.y;
      node.high[2][slot] = box.max.z;
    }
  }
}

}  // namespace

void refit_wide_bvh(WideBvh& bvh, const ShapesView& shapes) {
  const FpEnvironment environment;
  refit_nodes(bvh.nodes, shapes);
}

}  // namespace sightline::detail
