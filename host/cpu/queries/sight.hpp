// Lines of sight on the cpu backend: pairs of points are segments, traced in batches like rays.
#pragma once

#include "host/backend/report_sums.hpp"
#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {

inline std::uint64_t bit(std::uint64_t i) { return std::uint64_t{1} << i % 64; }
inline bool sees(const RayAnswer& r) { return !is_bad(r) && r.id == none; }

/// Makes a thread's batches.
inline auto sight_batches(const CpuScene& scene, const SightOptions& options) {
  return [&] { return scene.batches(RayQuery::sight, options.inside); };
}

/// The grid that orders the segments, by their midpoints.
RayGrid grid_of(const PointsView& points);

/// Traces the packets among the segments: writes their bits, adds the clear ones to `clear`, and
/// returns the other segments.
std::vector<RayRun> sight_packets(const CpuScene& scene, const Sights& sights, std::uint64_t* bits,
                                  std::uint64_t& clear);

/// Reports the points as viewpoints: bad ones, and good ones that lie in or touch a shape that
/// their mask and exclusions admit.
VisibilityReport count_points(const CpuScene& scene, const PointsView& points);
/// Combines the reports of pairs, viewpoints and targets.
VisibilityReport report_of(std::uint64_t pairs, VisibilityReport report,
                           const VisibilityReport& viewpoints, const VisibilityReport& targets);

}  // namespace sightline::detail
