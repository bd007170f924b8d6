// Points: a separate file from segments, so that the arithmetic of each is inlined.
#include "host/cpu/queries/near_run.hpp"

namespace sightline::detail {

NearestReport answer(const CpuScene& scene, const Nearest& asked) {
  return find_nearest(scene, asked);
}

}  // namespace sightline::detail
