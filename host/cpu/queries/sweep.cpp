// Thick rays and sweeps.
#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {

CastReport answer(const CpuScene& scene, const ClosestSweeps& asked) {
  return find(scene.search(), asked);
}
CastReport answer(const CpuScene& scene, const AnySweeps& asked) {
  return find(scene.search(), asked);
}

}  // namespace sightline::detail
