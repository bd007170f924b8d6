// Overlaps on the device: shapes that ask go there kind by kind, counts or ids come back.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/device/workspace.hpp"

namespace sightline::cuda {

/// bits [words_for(asking.size())]. `chunk` caps the shapes of a chunk; 0 = chosen.
OverlapReport overlap_any(WorkspacePool& pool, const kernels::DeviceScene& scene,
                          const ShapesView& asking, std::uint64_t* bits, std::uint64_t chunk);

/// counts [asking.size()].
OverlapReport overlap_count(WorkspacePool& pool, const kernels::DeviceScene& scene,
                            const ShapesView& asking, std::uint32_t* counts, std::uint64_t chunk);

/// Counts first, then fetches the ids, at most `chunk` at a time, and sorts each row on the host.
OverlapRows overlap_all(WorkspacePool& pool, const kernels::DeviceScene& scene,
                        const ShapesView& asking, std::uint64_t chunk);

}  // namespace sightline::cuda
