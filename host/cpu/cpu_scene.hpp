// What the cpu backend's queries work on: the scene's tree, the code that traverses it in lanes,
// the threads that run it, and their memory.
#pragma once

#include "host/backend/backend.hpp"
#include "host/cpu/rays/ray_batches.hpp"
#include "host/cpu/rays/simd_dispatch.hpp"
#include "host/cpu/shapes/leaf_shapes.hpp"
#include "host/cpu/shapes/tree_search.hpp"
#include "host/tree/moving_tree.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::detail {

struct CpuScene {
  ShapesView shapes;
  Threads threads;
  const SimdKernels& simd;
  MovingTree tree;
  TraceScene traced;  ///< of the tree
  mutable RayPools pools;
  std::unique_ptr<LazyLeafRecords> records = std::make_unique<LazyLeafRecords>();  ///< of the tree

  /// One query at a time.
  TreeSearch search() const { return {tree.bvh, shapes, threads}; }
  /// The shapes for so many overlaps or nearest shapes.
  LeafShapes leaf_shapes(std::uint64_t queries) const {
    return {tree.bvh, shapes, records->before(queries, tree.bvh, shapes, threads)};
  }
  /// Batches of a thread.
  RayBatches batches(RayQuery query, RayPolicy policy) const {
    return RayBatches(traced, simd, query, policy, pools);
  }

  /// So many are answered one by one: to collect, sort and set up costs a microsecond or more, and
  /// a ray alone 0.2 to 1. Any hit and lines of sight gain more by batches.
  static constexpr std::uint64_t few_rays = 64, few_segments = 24;

  /// Rays of a part, at most, and of a part of so many rays.
  static constexpr std::uint64_t largest_part = RayBatches::most_rays;
  std::uint64_t part_of(std::uint64_t rays) const {
    constexpr std::uint64_t least = 1u << 12;
    return threads.part_of(rays, least, largest_part);
  }
};

/// The cpu backend by brute force.
std::unique_ptr<CastBackend> make_brute_force_backend(const ShapesView& shapes,
                                                      const CpuOptions& options);

// Each in the file of its kind in host/cpu/queries/.
#define SIGHTLINE_ANSWER(Query) \
  Query::Report answer_query(const CpuScene& scene, const Query& asked);
SIGHTLINE_FOR_EACH_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

}  // namespace sightline::detail
