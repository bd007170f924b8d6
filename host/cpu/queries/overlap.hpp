// Overlap on the cpu backend: a walk of each asking shape's bounds through the tree.
#pragma once

#include "host/cpu/threads.hpp"
#include "host/tree/wide_bvh.hpp"

#include <sightline/caster.hpp>

namespace sightline::detail {

/// What a walk needs.
struct WalkScene {
  const WideBvh& bvh;
  const ShapesView& shapes;
  const Threads& threads;
};

// See CastBackend.
OverlapReport cpu_overlap_any(const WalkScene& scene, const ShapesView& asking,
                              std::uint64_t* bits);
OverlapReport cpu_overlap_count(const WalkScene& scene, const ShapesView& asking,
                                std::uint32_t* counts);
OverlapRows cpu_overlap_all(const WalkScene& scene, const ShapesView& asking);

}  // namespace sightline::detail
