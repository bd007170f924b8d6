// Visibility on the cpu backend: pairs of points are segments, traced in batches like rays.
#pragma once

#include "host/cpu/lanes/ray_batches.hpp"
#include "host/cpu/threads.hpp"

#include <sightline/caster.hpp>

namespace sightline::detail {

/// A tree, the code that traverses it, the threads that run it, and their memory.
struct CpuCast {
  TraceScene scene;
  const Tracer& tracer;
  const Threads& threads;
  RayPools& pools;

  /// Rays of a part, at most, and of a part of so many rays.
  static constexpr std::uint64_t largest_part = RayBatches::most_rays;
  std::uint64_t part_of(std::uint64_t rays) const {
    constexpr std::uint64_t least = 1u << 12;
    return threads.part_of(rays, least, largest_part);
  }
};

// See CastBackend.
/// Null fields: all around.
VisibilityReport cpu_visibility(const CpuCast& cast, const PointsView& viewpoints,
                                const FieldsView* fields, const PointsView& targets,
                                std::uint64_t* bits, const SightOptions& options);
VisibilityReport cpu_visibility(const CpuCast& cast, const PointsView& points, std::uint64_t* bits,
                                const SightOptions& options);
VisibilityReport cpu_visibility_pairs(const CpuCast& cast, const PointsView& from,
                                      const PointsView& to, std::uint64_t* bits,
                                      const SightOptions& options);

}  // namespace sightline::detail
