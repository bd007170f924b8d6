// All hits of rays.
#include "host/cpu/queries/queries.hpp"

namespace sightline::detail {

HitRowsReport cpu_count_hits(const TreeSearch& scene, const RaysView& rays, std::uint32_t* counts,
                             Inside inside) {
  return count_hits(scene, rays, counts, inside);
}
HitRowsReport cpu_all_hits(const TreeSearch& scene, const RaysView& rays, HitRows& rows,
                           const HitRowsOptions& options) {
  return all_hits(scene, rays, rows, options);
}

}  // namespace sightline::detail
