#include "host/cpu/queries/near_run.hpp"

namespace sightline::detail {

NearestReport answer(const CpuScene& scene, const Clearance& asked) {
  return find_nearest(scene, asked);
}

}  // namespace sightline::detail
