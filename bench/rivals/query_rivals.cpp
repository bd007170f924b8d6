#include "bench/rivals/query_trees.hpp"
#include "bench/rivals/vamp_scene.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::rivals {

std::vector<FloatShape> float_shapes(const ShapesView& shapes) {
  std::vector<FloatShape> all(shapes.bounded());
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) all[id] = float_shape(shapes, id);
  return all;
}

std::vector<QueryRival> query_rivals() {
  std::vector<QueryRival> all;
#ifdef SIGHTLINE_EMBREE
  all.push_back({"Embree", embree_queries});
#endif
#ifdef SIGHTLINE_BULLET
  all.push_back({"Bullet", bullet_queries});
#endif
#ifdef SIGHTLINE_FCL
  all.push_back({"FCL", fcl_queries});
  all.push_back({"FCL, its own tests", fcl_own_queries});
#endif
  return all;
}

#ifndef SIGHTLINE_VAMP
std::unique_ptr<VampScene> vamp_scene(const VampShapes&) { return nullptr; }
#endif

}  // namespace sightline::rivals
