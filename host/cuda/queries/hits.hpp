// All hits of rays in host memory: counted on the device, then found and put in order there.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/device/workspace.hpp"

namespace sightline::cuda {

/// counts [rays.count]. `chunk` caps the rays under way at a time; 0 = chosen.
HitRowsReport count_hits(WorkspacePool& pool, const kernels::DeviceScene& scene,
                         const RaysView& rays, std::uint32_t* counts, Inside inside,
                         std::uint64_t chunk);

/// `chunk` caps the rays, and the hits, of a chunk. A row that is longer is fetched in pieces, each
/// by a walk of its own.
HitRowsReport all_hits(WorkspacePool& pool, const kernels::DeviceScene& scene, const RaysView& rays,
                       HitRows& rows, const HitRowsOptions& options, std::uint64_t chunk);

}  // namespace sightline::cuda
