#include "host/tree/refit.hpp"

#include "host/common/fp_environment.hpp"
#include "host/tree/bottom_up.hpp"
#include "host/tree/wide_bvh.hpp"

namespace sightline::detail {
namespace {

SIGHTLINE_NOINLINE void refit_node(BvhNode& node, const PageVector<BvhNode>& nodes,
                                   const ShapesView& shapes) {
  for (int k = 0; k < 2; ++k) {
    if (is_empty(node.bounds[k])) continue;  // a missing child
    const BvhChild child = node.child[k];
    if (is_leaf(child)) {
      node.bounds[k] = bounds_of(shapes, child & ~bvh_leaf_bit);
    } else {
      node.bounds[k] = inner_box(unite(nodes[child].bounds[0], nodes[child].bounds[1]));
    }
  }
}

SIGHTLINE_NOINLINE double sum_of_areas(const PageVector<BvhNode>& nodes) {
  double sum = 0;
  for (const BvhNode& node : nodes) {
    for (const Aabb& box : node.bounds) {
      if (!is_empty(box)) sum += static_cast<double>(half_area(box));
    }
  }
  return sum;
}

bool is_missing(const WideNode& node, int slot) { return node.low[0][slot] > node.high[0][slot]; }

bool is_inner(const WideNode& node, int slot) {
  return !is_leaf(node.child[slot]) && !is_missing(node, slot);
}

/// The union of a node's children; missing ones add nothing.
Aabb box_of(const WideNode& node) {
  float low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = node.low[axis][0];
    high[axis] = node.high[axis][0];
    for (int slot = 1; slot < wide_width; ++slot) {
      low[axis] = min(low[axis], node.low[axis][slot]);
      high[axis] = max(high[axis], node.high[axis][slot]);
    }
  }
  return inner_box({{low[0], low[1], low[2]}, {high[0], high[1], high[2]}});
}

SIGHTLINE_NOINLINE void refit_node(WideNode& node, const PageVector<WideNode>& nodes,
                                   const ShapesView& shapes) {
  for (int slot = 0; slot < wide_width; ++slot) {
    if (is_missing(node, slot)) continue;
    const BvhChild child = node.child[slot];
    const bool leaf = is_leaf(child);
    set_box(node, slot, leaf ? bounds_of(shapes, child & ~bvh_leaf_bit) : box_of(nodes[child]));
  }
}

}  // namespace

void refit_bvh(Bvh& bvh, const ShapesView& shapes) {
  PageVector<BvhNode>& nodes = bvh.nodes;
  const auto waits = [&](std::uint32_t i, const auto& ready) {
    return (is_inner(nodes[i], 0) && !ready(nodes[i].child[0])) ||
           (is_inner(nodes[i], 1) && !ready(nodes[i].child[1]));
  };
  for_each_bottom_up(static_cast<std::uint32_t>(nodes.size()), waits,
                     [&](std::uint32_t i) { refit_node(nodes[i], nodes, shapes); });
}

double bvh_area(const Bvh& bvh) {
  const FpEnvironment environment;
  return sum_of_areas(bvh.nodes);
}

void refit_wide_bvh(WideBvh& bvh, const ShapesView& shapes) {
  PageVector<WideNode>& nodes = bvh.nodes;
  const auto waits = [&](std::uint32_t i, const auto& ready) {
    bool all = true;
    for (int slot = 0; slot < wide_width; ++slot) {
      all = all && (!is_inner(nodes[i], slot) || ready(nodes[i].child[slot]));
    }
    return !all;
  };
  for_each_bottom_up(static_cast<std::uint32_t>(nodes.size()), waits,
                     [&](std::uint32_t i) { refit_node(nodes[i], nodes, shapes); });
}

}  // namespace sightline::detail
