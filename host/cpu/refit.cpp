#include "host/cpu/refit.hpp"

#include "host/fp_environment.hpp"

namespace sightline::detail {
namespace {

SIGHTLINE_NOINLINE void refit_nodes(std::vector<BvhNode>& nodes, const ShapesView& shapes) {
  // From the last to the first: children have greater numbers than their node.
  for (std::size_t i = nodes.size(); i-- > 0;) {
    BvhNode& node = nodes[i];
    for (int k = 0; k < 2; ++k) {
      if (is_empty(node.bounds[k])) continue;  // a missing child
      const BvhChild child = node.child[k];
      if (child & bvh_leaf_bit) {
        node.bounds[k] = shapes.bounds[child & ~bvh_leaf_bit];
      } else {
        node.bounds[k] = unite(nodes[child].bounds[0], nodes[child].bounds[1]);
      }
    }
  }
}

SIGHTLINE_NOINLINE double sum_of_areas(const std::vector<BvhNode>& nodes) {
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
  const FpEnvironment environment;
  refit_nodes(bvh.nodes, shapes);
}

double bvh_area(const Bvh& bvh) {
  const FpEnvironment environment;
  return sum_of_areas(bvh.nodes);
}

}  // namespace sightline::detail
