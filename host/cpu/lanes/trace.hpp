// Batches of rays through the wide tree, compiled once per instruction set and chosen at run time.
#pragma once

#include "host/cpu/lanes/ray_record.hpp"

namespace sightline::detail {

/// One instruction set's code.
struct Tracer {
  const char* name;
  /// Bytes of scratch memory that trace wants for so many rays over a tree of this depth, aligned
  /// to 64.
  std::size_t (*scratch_bytes)(int depth, int rays);
  /// Writes records [rays.count], and keys [rays.count] by which to order them, whose highest bits
  /// are the octant; `keys` has room for 16 more.
  void (*set_up)(const RaysView& rays, const RayGrid& grid, RayRecord* records,
                 std::uint32_t* keys);
  /// The same for the segments between from[i] and to[i], which are as many: see sight_ray(). A
  /// pair without sight whatever the scene (see sight_query()) becomes a bad ray.
  void (*set_up_sights)(const PointsView& from, const PointsView& to, const SightOptions& options,
                        const RayGrid& grid, RayRecord* records, std::uint32_t* keys);
  /// Traces every ray of the batch that is not bad: `best`, `reach` and `flags` are updated.
  void (*trace)(const TraceScene& scene, const RayBatch& batch, Ask ask, Inside inside,
                void* scratch);
};

const Tracer& tracer_avx512();
const Tracer& tracer_avx2();
const Tracer& tracer_portable();

}  // namespace sightline::detail
