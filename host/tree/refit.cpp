#include "host/tree/refit.hpp"

#include "host/common/bounds_of.hpp"
#include "host/common/fp_environment.hpp"
#include "host/tree/bottom_up.hpp"
#include "host/tree/inner_box.hpp"

namespace sightline::detail {
namespace {

bool is_inner(const BvhNode& node, int k) {
  return (node.child[k] & bvh_leaf_bit) == 0 && !is_empty(node.bounds[k]);
}

SIGHTLINE_NOINLINE void refit_node(BvhNode& node, const PageVector<BvhNode>& nodes,
                                   const ShapesView& shapes) {
  for (int k = 0; k < 2; ++k) {
    if (is_empty(node.bounds[k])) continue;  // a missing child
    const BvhChild child = node.child[k];
    if (child & bvh_leaf_bit) {
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

}  // namespace sightline::detail
