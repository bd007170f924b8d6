#include "host/cpu/queries/near_run.hpp"

namespace sightline::detail {

NearestReport cpu_clearance(const TreeSearch& scene, const PointPairsView& segments,
                            std::uint32_t k, float range, const ClearanceView& out) {
  return nearest_to_all(scene, segments, k, range, out);
}

}  // namespace sightline::detail
