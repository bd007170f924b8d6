// Queries of the cpu backend with files of their own; see CastBackend.
#pragma once

#include "host/cpu/walk/tree_search.hpp"

namespace sightline::detail {

CastReport cpu_closest_hit(const TreeSearch& scene, const SweepsView& sweeps, const HitsView& hits,
                           Inside inside);
CastReport cpu_any_hit(const TreeSearch& scene, const SweepsView& sweeps, std::uint64_t* blocked,
                       Inside inside);

HitRowsReport cpu_count_hits(const TreeSearch& scene, const RaysView& rays, std::uint32_t* counts,
                             Inside inside);
HitRowsReport cpu_all_hits(const TreeSearch& scene, const RaysView& rays, HitRows& rows,
                           const HitRowsOptions& options);

OverlapReport cpu_overlap_any(const TreeSearch& scene, const ShapesView& queries,
                              std::uint64_t* bits);
OverlapReport cpu_overlap_count(const TreeSearch& scene, const ShapesView& queries,
                                std::uint32_t* counts);
OverlapRows cpu_overlap_all(const TreeSearch& scene, const ShapesView& queries);

NearestReport cpu_nearest(const TreeSearch& scene, const PointsView& points, std::uint32_t k,
                          float range, const NearestView& out);
NearestReport cpu_clearance(const TreeSearch& scene, const PointPairsView& segments,
                            std::uint32_t k, float range, const ClearanceView& out);

}  // namespace sightline::detail
