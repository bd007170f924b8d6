// All hits of rays.
#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {

HitRowsReport answer_query(const CpuScene& scene, const CountHits& asked) {
  return answer_by_search(scene.search(), asked);
}
HitRowsReport answer_query(const CpuScene& scene, const AllHits& asked) {
  return answer_by_search(scene.search(), asked);
}

}  // namespace sightline::detail
