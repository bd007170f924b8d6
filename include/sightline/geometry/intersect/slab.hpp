// The slab interval of a box: what culls tree nodes, and the gate that every accepted hit passes.
//
// For one ray the computed interval of a box that contains another contains the other's computed
// interval, exactly, because every operation below is monotone under rounding. A hit counts only
// if the interval of its shape's own bounds is not empty, so no ancestor in any tree can cull what
// brute force reports (docs/reference/contract.md, section 2).
#pragma once

#include <sightline/geometry/intersect/line.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline {

template <class F>
struct SlabIntervalT {
  F t_near, t_far;
};
using SlabInterval = SlabIntervalT<float>;

/// The interval of the scaled ray between the box's planes, within [t_min, t_max]; t_near is
/// reduced by 4 ulp to cover its own rounding. An origin in a face plane of an axis along which the
/// ray does not move is inside: the operand order of max and min drops the NaN of 0 * inf.
template <class F>
SIGHTLINE_HD SlabIntervalT<F> slab(const LineT<F>& line, F t_min, F t_max, const AabbT<F>& box) {
  F t_near = t_min, t_far = t_max;
  const auto cut = [&](F o, F d, F inverse, F lo, F hi) {
    const auto backward = d < F(0);
    t_near = max((select(backward, hi, lo) - o) * inverse, t_near);
    t_far = min((select(backward, lo, hi) - o) * inverse, t_far);
  };
  cut(line.origin.x, line.direction.x, line.inverse.x, box.min.x, box.max.x);
  cut(line.origin.y, line.direction.y, line.inverse.y, box.min.y, box.max.y);
  cut(line.origin.z, line.direction.z, line.inverse.z, box.min.z, box.max.z);
  return {t_near * F(1.0f - 4 * 0x1p-23f), t_far};
}

template <class F>
SIGHTLINE_HD MaskOf<F> is_empty(const SlabIntervalT<F>& i) {
  return i.t_near > i.t_far;
}

}  // namespace sightline
