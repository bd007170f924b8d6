// slab() of slab.hpp by lanes, whether they hold rays or boxes: the gate of leaves, and what culls
// nodes.
#pragma once

#include "host/cpu/lanes/lanes.hpp"
#include "host/tree/wide_bvh.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// What the near end of a gate is taken nearer by.
inline constexpr float gate_slack = 1.0f - 4 * 0x1p-23f;

/// A node's planes [wide_width] across an axis: those that rays of an octant meet first, and last.
struct PlaneRows {
  const float *nearer, *further;
};
HWY_INLINE PlaneRows planes_of(const WideNode& node, std::uint32_t octant, int axis) {
  const bool backward = (octant >> axis & 1) != 0;
  return {(backward ? node.high : node.low)[axis], (backward ? node.low : node.high)[axis]};
}

/// Where rays are between a box's planes: begin with t_min and what they reach, then cut by axes in
/// their order, and ask last.
template <int N>
struct LaneSlab {
  Lanes<N> t_near, t_far;

  HWY_INLINE void cut(Lanes<N> nearer, Lanes<N> further, Lanes<N> origin, Lanes<N> inverse) {
    t_near = max((nearer - origin) * inverse, t_near);
    t_far = min((further - origin) * inverse, t_far);
  }
  /// Lanes whose ray enters its box; t_near becomes the gate's near end.
  HWY_INLINE LaneMask<N> enters() {
    t_near = t_near * Lanes<N>(gate_slack);
    return t_near <= t_far;
  }
};

}  // namespace sightline::detail::HWY_NAMESPACE
