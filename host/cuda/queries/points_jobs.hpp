// Points brought to the device and counted.
#pragma once

#include "host/cuda/device/chunks.hpp"
#include "host/cuda/device/columns.hpp"

namespace sightline::cuda {

/// Counts the points that are bad, and those that touch a shape; where `keep` has columns, cut
/// like the points, it copies them there too. Waits.
kernels::PointCounts bring_points(const Lease& lease, const kernels::DeviceScene& scene,
                                  const PointsView& points, const PointsView* keep,
                                  std::uint64_t chunk);

}  // namespace sightline::cuda
