// Circles and segments at a set of 2D shapes on the device.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/device/workspace.hpp"
#include "kernels/launch.hpp"

namespace sightline::cuda {

// As host/cuda/queries/overlap.hpp has them.
OverlapReport flat_overlap_any(WorkspacePool& pool, const kernels::FlatDeviceScene& scene,
                               const CirclesView& circles, std::uint64_t* bits,
                               std::uint64_t chunk);
OverlapReport flat_overlap_count(WorkspacePool& pool, const kernels::FlatDeviceScene& scene,
                                 const CirclesView& circles, std::uint32_t* counts,
                                 std::uint64_t chunk);
OverlapRows flat_overlap_all(WorkspacePool& pool, const kernels::FlatDeviceScene& scene,
                             const CirclesView& circles, std::uint64_t chunk);

/// Returns how many segments hit something.
std::uint64_t flat_cast(WorkspacePool& pool, const kernels::FlatDeviceScene& scene,
                        const SegmentsView& segments, const HitsView& hits, Inside inside,
                        std::uint64_t chunk);

}  // namespace sightline::cuda
