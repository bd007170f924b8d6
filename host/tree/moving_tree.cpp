#include "host/tree/moving_tree.hpp"

#include "host/common/fp_environment.hpp"
#include "host/tree/refit.hpp"

#include <sightline/error.hpp>

#include <new>
#include <string>

namespace sightline::detail {
namespace {

SIGHTLINE_NOINLINE double sum_of_areas(const PageVector<WideNode>& nodes) {
  double sum = 0;
  for (const WideNode& node : nodes) {
    for (int slot = 0; slot < wide_width; ++slot) {
      const Aabb box = box_of(node, slot);
      if (!is_empty(box)) sum += static_cast<double>(half_area(box));
    }
  }
  return sum;
}

WideBvh copy_of(const WideBvh& bvh) {
  try {
    return bvh;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "refitting the tree needs " +
                                              std::to_string(bvh.nodes.size() * sizeof(WideNode)) +
                                              " bytes");
  }
}

}  // namespace

MovingTree build_tree(const ShapesView& shapes) {
  return {widen(build_bvh(shapes).view()), std::nullopt};
}

MovingTree updated(const MovingTree& before, const ShapesView& shapes, Update how) {
  if (how != Update::rebuild) {
    MovingTree refitted{copy_of(before.bvh), before.area_when_built};
    if (!refitted.area_when_built) refitted.area_when_built = bvh_area(before.bvh);
    refit_wide_bvh(refitted.bvh, shapes);
    if (how == Update::refit || !outgrown(bvh_area(refitted.bvh), *refitted.area_when_built)) {
      return refitted;
    }
  }
  return build_tree(shapes);
}

double bvh_area(const WideBvh& bvh) {
  const FpEnvironment environment;
  return sum_of_areas(bvh.nodes);
}

}  // namespace sightline::detail
