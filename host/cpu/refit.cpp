#include "host/cpu/refit.hpp"

#include "host/fp_environment.hpp"

#include <sightline/error.hpp>

#include <new>
#include <string>

namespace sightline::detail {
namespace {

SIGHTLINE_NOINLINE void refit_nodes(PageVector<BvhNode>& nodes, const ShapesView& shapes) {
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

SIGHTLINE_NOINLINE double sum_of_areas(const PageVector<BvhNode>& nodes) {
  double sum = 0;
  for (const BvhNode& node : nodes) {
    for (const Aabb& box : node.bounds) {
      if (!is_empty(box)) sum += static_cast<double>(half_area(box));
    }
  }
  return sum;
}

Bvh copy_of(const Bvh& bvh) {
  try {
    return bvh;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "refitting the tree needs " +
                                              std::to_string(bvh.nodes.size() * sizeof(BvhNode)) +
                                              " bytes");
  }
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

MovingBvh updated(const MovingBvh& before, const ShapesView& shapes, Update how) {
  if (how != Update::rebuild) {
    MovingBvh refitted{copy_of(before.bvh), before.area_when_built};
    if (!refitted.area_when_built) refitted.area_when_built = bvh_area(before.bvh);
    refit_bvh(refitted.bvh, shapes);
    if (how == Update::refit || !outgrown(bvh_area(refitted.bvh), *refitted.area_when_built)) {
      return refitted;
    }
  }
  return {build_bvh(shapes), std::nullopt};
}

}  // namespace sightline::detail
