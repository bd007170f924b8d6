// Points that stay on the device while many chunks look at them.
#pragma once

#include "host/cuda/queries/queries.hpp"

namespace sightline::cuda {

/// The columns of a set of points, their Morton order and its inverse, and what else a query keeps
/// beside them.
struct TargetSet {
  PointsView points;
  std::uint32_t* order = nullptr;   ///< [points.count]
  std::uint32_t* rank = nullptr;    ///< [points.count]
  std::uint32_t* matrix = nullptr;  ///< [matrix_words]
  kernels::PointCounts counts;
};

/// Counts the points that are bad, and those that touch a shape, in chunks; where `keep` has
/// columns, laid out like the points', it copies them there too. Waits.
kernels::PointCounts bring_points(const Lease& lease, const QueryContext& context,
                                  const PointsView& points, const PointsView* keep);

/// Bytes of a set of such points with so many 32-bit words of a matrix.
std::uint64_t bytes_of_targets(const PointsView& points, std::uint64_t matrix_words);

/// Brings the points into the workspace's resident memory, counts and orders them. Waits. What the
/// workspace held there is lost.
TargetSet bring_targets(const Lease& lease, const QueryContext& context, const PointsView& points,
                        std::uint64_t matrix_words);

}  // namespace sightline::cuda
