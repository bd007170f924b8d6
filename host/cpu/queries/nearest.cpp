// Points: a separate file from segments, so that the arithmetic of each is inlined.
#include "host/cpu/queries/near_run.hpp"

namespace sightline::detail {

NearestReport cpu_nearest(const TreeSearch& scene, const PointsView& points, std::uint32_t k,
                          float range, const NearestView& out) {
  return nearest_to_all(scene, points, k, range, out);
}

}  // namespace sightline::detail
