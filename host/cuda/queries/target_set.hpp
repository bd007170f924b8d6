// Points that stay on the device for many chunks.
#pragma once

#include "host/cuda/queries/queries.hpp"

namespace sightline::cuda {

/// The columns of a set of points, their Morton order and its inverse, and a matrix for the query.
struct TargetSet {
  PointsView points;
  std::uint32_t* order = nullptr;   ///< [points.count]
  std::uint32_t* rank = nullptr;    ///< [points.count]
  std::uint32_t* matrix = nullptr;  ///< [matrix_words]
  kernels::PointCounts counts;
};

/// Counts bad points and points that touch a shape, in chunks. Also copies them to the columns of
/// `keep`, if not null, which are laid out like the points'. Waits.
kernels::PointCounts scan_points(const Lease& lease, const QueryContext& context,
                                 const PointsView& points, const PointsView* keep);

/// Whether the matrix of a query of many viewpoints decides boxes of targets: where it may, and
/// does not take longer to launch than it saves.
bool uses_boxes(const QueryContext& context, const PointsView& viewpoints,
                const PointsView& targets, const SightOptions& options);

/// The bytes of a set of these points with so many 32-bit words of matrix.
std::uint64_t bytes_of_targets(const PointsView& points, std::uint64_t matrix_words);

/// Uploads the points to this memory of the lease's workspace, whose contents are lost; counts and
/// sorts them. Waits.
TargetSet upload_points(const Lease& lease, DeviceMemory& memory, const QueryContext& context,
                        const PointsView& points, std::uint64_t matrix_words);

}  // namespace sightline::cuda
