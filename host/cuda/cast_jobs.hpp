// Closest hit and any hit of rays, thick rays and sweeps in host memory.
#pragma once

#include "host/backend.hpp"
#include "host/cuda/ray_sorter.hpp"
#include "host/cuda/workspace.hpp"

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

// Thick rays and sweeps.
/// hits [sweeps.rays.count]. `chunk` caps the rays of a chunk; 0 = chosen.
CastReport closest_hit(WorkspacePool& pool, const kernels::DeviceScene& scene,
                       const SweepsView& sweeps, const HitsView& hits, Inside inside,
                       std::uint64_t chunk);

/// blocked [words_for(sweeps.rays.count)].
CastReport any_hit(WorkspacePool& pool, const kernels::DeviceScene& scene, const SweepsView& sweeps,
                   std::uint64_t* blocked, Inside inside, std::uint64_t chunk);

}  // namespace sightline::cuda
