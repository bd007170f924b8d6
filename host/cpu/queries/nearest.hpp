// The nearest shapes on the cpu backend: a walk from each point or segment through the tree.
#pragma once

#include "host/cpu/queries/overlap.hpp"

namespace sightline::detail {

// See CastBackend.
NearestReport cpu_nearest(const WalkScene& scene, const PointsView& points, std::uint32_t k,
                          float range, const NearestView& out);
NearestReport cpu_clearance(const WalkScene& scene, const PointPairsView& segments, std::uint32_t k,
                            float range, const ClearanceView& out);

}  // namespace sightline::detail
