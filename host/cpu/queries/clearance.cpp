#include "host/cpu/queries/nearest_batch.hpp"

namespace sightline::detail {

NearestReport answer_query(const CpuScene& scene, const Clearance& asked) {
  return find_nearest(scene, asked);
}

}  // namespace sightline::detail
