// The nearest shapes on the device: points or segments go there, rows come back.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/device/workspace.hpp"

namespace sightline::cuda {

/// Rows of k > 0 in out. `chunk` caps the points or segments of a chunk; 0 = chosen.
NearestReport nearest(WorkspacePool& pool, const kernels::DeviceScene& scene,
                      const PointsView& points, std::uint32_t k, float range,
                      const NearestView& out, std::uint64_t chunk);
NearestReport clearance(WorkspacePool& pool, const kernels::DeviceScene& scene,
                        const PointPairsView& segments, std::uint32_t k, float range,
                        const ClearanceView& out, std::uint64_t chunk);

}  // namespace sightline::cuda
