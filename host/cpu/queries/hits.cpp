// All hits of rays.
#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {

HitRowsReport answer(const CpuScene& scene, const CountHits& asked) {
  return find(scene.search(), asked);
}
HitRowsReport answer(const CpuScene& scene, const AllHits& asked) {
  return find(scene.search(), asked);
}

}  // namespace sightline::detail
