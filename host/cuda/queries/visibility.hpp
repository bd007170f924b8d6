// Visibility on the device: rays are made there, bits come back.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/device/workspace.hpp"

namespace sightline::cuda {

/// bits [viewpoints.count, words_for(targets.count)]. Targets go to the device in tiles, as many
/// as fit, in Morton order; viewpoints in chunks. `chunk` caps both; 0 = chosen. Null fields: all
/// around.
VisibilityReport visibility(WorkspacePool& pool, const kernels::DeviceScene& scene,
                            const PointsView& viewpoints, const FieldsView* fields,
                            const PointsView& targets, std::uint64_t* bits,
                            const SightOptions& options, std::uint64_t chunk);

/// A set against itself: bits [points.count, words_for(points.count)]. Each pair is traced once
/// where the whole matrix fits in half of the device's free memory; else twice, as
/// visibility(points, points).
VisibilityReport self_visibility(WorkspacePool& pool, const kernels::DeviceScene& scene,
                                 const PointsView& points, std::uint64_t* bits,
                                 const SightOptions& options, std::uint64_t chunk);

/// bits [words_for(from.count)].
VisibilityReport visibility_pairs(WorkspacePool& pool, const kernels::DeviceScene& scene,
                                  const PointsView& from, const PointsView& to, std::uint64_t* bits,
                                  const SightOptions& options, std::uint64_t chunk);

}  // namespace sightline::cuda
