// Thick rays and sweeps from host memory on the device.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/device/workspace.hpp"

namespace sightline::cuda {

/// hits [sweeps.rays.count]. `chunk` caps the rays of a chunk; 0 = chosen.
CastReport closest_hit(WorkspacePool& pool, const kernels::DeviceScene& scene,
                       const SweepsView& sweeps, const HitsView& hits, Inside inside,
                       std::uint64_t chunk);

/// blocked [words_for(sweeps.rays.count)].
CastReport any_hit(WorkspacePool& pool, const kernels::DeviceScene& scene, const SweepsView& sweeps,
                   std::uint64_t* blocked, Inside inside, std::uint64_t chunk);

}  // namespace sightline::cuda
