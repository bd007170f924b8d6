// Points that stay on the device for many chunks.
#pragma once

#include "host/cuda/queries/queries.hpp"

namespace sightline::cuda {

/// What a set of points has room for beside its columns and their order.
struct SetRoom {
  bool nodes = false;              ///< at which walks from its points begin
  std::uint64_t matrix_words = 0;  ///< 32-bit words of a matrix for the query
  std::uint64_t box_words = 0;     ///< as kernels::box_words_of() has them
};
/// The columns of a set of points, their Morton order and its inverse, and what it has room for.
struct TargetSet {
  PointsView points;
  std::uint32_t* order = nullptr;   ///< [points.count]
  std::uint32_t* rank = nullptr;    ///< [points.count]
  std::uint32_t* nodes = nullptr;   ///< [points.count], as LowestNodesJob has them; or null
  std::uint32_t* matrix = nullptr;  ///< [matrix_words]
  std::uint32_t* boxes = nullptr;   ///< [box_words], or null
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

/// Whether walks of matrices begin around their points.
bool climbs(const QueryContext& context);

/// The bytes of a set of these points.
std::uint64_t bytes_of_targets(const PointsView& points, const SetRoom& room);

/// Uploads the points to this memory of the lease's workspace, whose contents are lost; counts and
/// sorts them, and finds their nodes. Waits.
TargetSet upload_points(const Lease& lease, DeviceMemory& memory, const QueryContext& context,
                        const PointsView& points, const SetRoom& room);

}  // namespace sightline::cuda
