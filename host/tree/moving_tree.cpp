#include "host/tree/moving_tree.hpp"

#include "host/tree/refit.hpp"

#include <sightline/error.hpp>

#include <new>
#include <string>

namespace sightline::detail {
namespace {

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
    refit_bvh(refitted.bvh, shapes);
    if (how == Update::refit || !outgrown(bvh_area(refitted.bvh), *refitted.area_when_built)) {
      return refitted;
    }
  }
  return build_tree(shapes);
}

}  // namespace sightline::detail
