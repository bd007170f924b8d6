// Thick rays and sweeps.
#include "host/cpu/queries/queries.hpp"

namespace sightline::detail {

CastReport cpu_closest_hit(const TreeSearch& scene, const SweepsView& sweeps, const HitsView& hits,
                           Inside inside) {
  return closest_hits(scene, sweeps, hits, inside);
}
CastReport cpu_any_hit(const TreeSearch& scene, const SweepsView& sweeps, std::uint64_t* blocked,
                       Inside inside) {
  return any_hits(scene, sweeps, blocked, inside);
}

}  // namespace sightline::detail
