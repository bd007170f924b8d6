// Visibility on the cpu backend: pairs of points are segments, traced in batches like rays.
#pragma once

#include "host/cpu/ray_batches.hpp"
#include "host/cpu/threads.hpp"

#include <sightline/caster.hpp>

#include <algorithm>

namespace sightline::detail {

/// A tree, the code that traverses it, and the threads that run it.
struct CpuCast {
  TraceScene scene;
  const Tracer& tracer;
  const Threads& threads;

  /// Rays of a part. The larger the tree, the more, so that they meet in its nodes; over a small
  /// one so few that they stay in the caches.
  static constexpr std::uint64_t least_rays = 1u << 12, largest_part = 1u << 18;
  std::uint64_t most_rays() const {
    return std::clamp<std::uint64_t>(scene.node_count * 16, 1u << 14, largest_part);
  }
};

// See CastBackend.
VisibilityReport cpu_visibility(const CpuCast& cast, const PointsView& viewpoints,
                                const PointsView& targets, std::uint64_t* bits,
                                const SightOptions& options);
VisibilityReport cpu_visibility(const CpuCast& cast, const PointsView& points, std::uint64_t* bits,
                                const SightOptions& options);
VisibilityReport cpu_visibility_pairs(const CpuCast& cast, const PointsView& from,
                                      const PointsView& to, std::uint64_t* bits,
                                      const SightOptions& options);

}  // namespace sightline::detail
