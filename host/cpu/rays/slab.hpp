// slab() of slab.hpp in lanes, over rays or over boxes: gates of leaves, and culling of nodes.
#pragma once

#include "host/cpu/simd/lanes.hpp"
#include "host/tree/wide_bvh.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// The factor by which the near end of a gate is moved nearer.
inline constexpr float gate_slack = 1.0f - 4 * 0x1p-23f;

/// A node's planes [wide_width] across an axis: those that rays of an octant cross first, and last.
struct PlaneRows {
  const float *nearer, *further;
};
HWY_INLINE PlaneRows planes_of(const WideNode& node, std::uint32_t octant, int axis) {
  const bool backward = (octant >> axis & 1) != 0;
  return {(backward ? node.high : node.low)[axis], (backward ? node.low : node.high)[axis]};
}

/// The interval of rays between a box's planes: initialised with t_min and reach, then cut by the
/// axes in order; enters() comes last.
template <int N>
struct LaneSlab {
  FloatVec<N> t_near, t_far;

  HWY_INLINE void cut(FloatVec<N> nearer, FloatVec<N> further, FloatVec<N> origin,
                      FloatVec<N> inverse) {
    cut(nearer - origin, further - origin, inverse);
  }
  /// The same for planes as seen from the origin.
  HWY_INLINE void cut(FloatVec<N> nearer, FloatVec<N> further, FloatVec<N> inverse) {
    t_near = max(nearer * inverse, t_near);
    t_far = min(further * inverse, t_far);
  }
  /// Lanes whose ray enters its box; t_near becomes the gate's near end.
  HWY_INLINE LaneMask<N> enters() {
    t_near = t_near * FloatVec<N>(gate_slack);
    return t_near <= t_far;
  }
};

}  // namespace sightline::detail::HWY_NAMESPACE
