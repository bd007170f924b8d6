// Closest hit and any hit of rays in host memory.
#pragma once

#include "host/backend.hpp"
#include "host/cuda/workspace.hpp"

namespace sightline::cuda {

/// hits [rays.count]. `chunk` caps the rays under way at a time; 0 = chosen.
CastReport closest_hit(WorkspacePool& pool, const kernels::DeviceScene& scene, const RaysView& rays,
                       const HitsView& hits, Inside inside, std::uint64_t chunk);

/// blocked [words_for(rays.count)].
CastReport any_hit(WorkspacePool& pool, const kernels::DeviceScene& scene, const RaysView& rays,
                   std::uint64_t* blocked, Inside inside, std::uint64_t chunk);

}  // namespace sightline::cuda
