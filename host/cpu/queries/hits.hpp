// All hits on the cpu backend: a walk of each ray through the tree.
#pragma once

#include "host/cpu/queries/overlap.hpp"

namespace sightline::detail {

// See CastBackend.
HitRowsReport cpu_count_hits(const WalkScene& scene, const RaysView& rays, std::uint32_t* counts,
                             Inside inside);
HitRowsReport cpu_all_hits(const WalkScene& scene, const RaysView& rays, HitRows& rows,
                           const HitRowsOptions& options);

}  // namespace sightline::detail
