// The queries of the CUDA backend: arrays go to the device in chunks, answers come back. What they
// answer: see host/backend/backend.hpp.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/chunks/workspace.hpp"
#include "host/cuda/device/ray_sorter.hpp"

namespace sightline::cuda {

/// What every query needs.
template <class Scene>
struct Context {
  WorkspacePool& pool;
  Scene scene;
  std::uint64_t most = 0;  ///< elements of a chunk, at most; 0: chosen
};
using QueryContext = Context<kernels::DeviceScene>;
using FlatContext = Context<kernels::FlatDeviceScene>;

// Rays are cast in the order of the sorter.
CastReport closest_hit(const QueryContext& context, const RaySorter& sorter, const RaysView& rays,
                       const HitsView& hits, Inside inside);
CastReport any_hit(const QueryContext& context, const RaySorter& sorter, const RaysView& rays,
                   std::uint64_t* blocked, Inside inside);

// Thick rays and sweeps.
CastReport closest_hit(const QueryContext& context, const SweepsView& sweeps, const HitsView& hits,
                       Inside inside);
CastReport any_hit(const QueryContext& context, const SweepsView& sweeps, std::uint64_t* blocked,
                   Inside inside);

HitRowsReport count_hits(const QueryContext& context, const RaysView& rays, std::uint32_t* counts,
                         Inside inside);
/// Counts first, then fetches the hits, at most `most` at a time. A longer row is fetched in
/// pieces, by one traversal each.
HitRowsReport all_hits(const QueryContext& context, const RaysView& rays, HitRows& rows,
                       const HitRowsOptions& options);

/// Targets are uploaded in tiles, as many as fit and at most `most`, in Morton order; viewpoints in
/// chunks. Null fields: all around.
VisibilityReport visibility(const QueryContext& context, const PointsView& viewpoints,
                            const FieldsView* fields, const PointsView& targets,
                            std::uint64_t* bits, const SightOptions& options);
/// A set against itself. Each pair is traced once where the whole matrix fits in half of the
/// device's free memory; else twice, as visibility(points, points).
VisibilityReport self_visibility(const QueryContext& context, const PointsView& points,
                                 std::uint64_t* bits, const SightOptions& options);
VisibilityReport visibility_pairs(const QueryContext& context, const PointsView& from,
                                  const PointsView& to, std::uint64_t* bits,
                                  const SightOptions& options);

// Query shapes are uploaded kind by kind.
OverlapReport overlap_any(const QueryContext& context, const ShapesView& queries,
                          std::uint64_t* bits);
OverlapReport overlap_count(const QueryContext& context, const ShapesView& queries,
                            std::uint32_t* counts);
/// Counts first, then fetches the ids, at most `most` at a time, and sorts each row on the host.
OverlapRows overlap_all(const QueryContext& context, const ShapesView& queries);

NearestReport nearest(const QueryContext& context, const PointsView& points, std::uint32_t k,
                      float range, const NearestView& out);
NearestReport clearance(const QueryContext& context, const PointPairsView& segments,
                        std::uint32_t k, float range, const ClearanceView& out);

// Circles and segments in 2D.
OverlapReport overlap_any(const FlatContext& context, const CirclesView& circles,
                          std::uint64_t* bits);
OverlapReport overlap_count(const FlatContext& context, const CirclesView& circles,
                            std::uint32_t* counts);
OverlapRows overlap_all(const FlatContext& context, const CirclesView& circles);
/// Returns how many segments hit something.
std::uint64_t cast(const FlatContext& context, const SegmentsView& segments, const HitsView& hits,
                   Inside inside);

}  // namespace sightline::cuda
