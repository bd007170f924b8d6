// Closest hit and any hit of rays in host memory.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/device/ray_sorter.hpp"
#include "host/cuda/device/workspace.hpp"

namespace sightline::cuda {

/// What is cast in, and how rays come to it.
struct CastScene {
  kernels::DeviceScene view;
  RaySorter sorter;
};

/// hits [rays.count]. `chunk` caps the rays under way at a time; 0 = chosen.
CastReport closest_hit(WorkspacePool& pool, const CastScene& scene, const RaysView& rays,
                       const HitsView& hits, Inside inside, std::uint64_t chunk);

/// blocked [words_for(rays.count)].
CastReport any_hit(WorkspacePool& pool, const CastScene& scene, const RaysView& rays,
                   std::uint64_t* blocked, Inside inside, std::uint64_t chunk);

}  // namespace sightline::cuda
