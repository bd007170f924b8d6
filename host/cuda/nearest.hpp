// The nearest shapes on the device: points go there, rows come back.
#pragma once

#include "host/backend.hpp"
#include "host/cuda/workspace.hpp"

namespace sightline::cuda {

/// Rows of k > 0 in out. `chunk` caps the points of a chunk; 0 = chosen.
NearestReport nearest(WorkspacePool& pool, const kernels::DeviceScene& scene,
                      const PointsView& points, std::uint32_t k, float range,
                      const NearestView& out, std::uint64_t chunk);

}  // namespace sightline::cuda
