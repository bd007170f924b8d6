// All hits of rays, and winding numbers, which are made of all crossings.
#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {

HitRowsReport answer_query(const CpuScene& scene, const CountHits& asked) {
  return answer_by_search(scene.search(), asked);
}
HitRowsReport answer_query(const CpuScene& scene, const AllHits& asked) {
  return answer_by_search(scene.search(), asked);
}
WindingReport answer_query(const CpuScene& scene, const Winding& asked) {
  return answer_by_search(scene.search(), asked);
}

}  // namespace sightline::detail
