// Ray against AABB.
#pragma once

#include <sightline/geometry/intersect/box_slabs.hpp>
#include <sightline/geometry/intersect/slab.hpp>

namespace sightline {

/// Distances to the planes as exact two-floats, axes mirrored so that no speed is negative.
template <class F>
SIGHTLINE_HD BoxSlabs<F, F> slabs_of(const LineT<F>& line, const AabbT<F>& s) {
  BoxSlabs<F, F> r;
  const auto axis = [&](int i, F o, F d, F lo, F hi) {
    const auto backward = d < F(0);
    const Two<F> to_lo = two_diff(lo, o), to_hi = two_diff(hi, o);
    r.near[i] = select(backward, -to_hi, to_lo);
    r.far[i] = select(backward, -to_lo, to_hi);
    r.speed[i] = abs(d);
  };
  axis(0, line.origin.x, line.direction.x, s.min.x, s.max.x);
  axis(1, line.origin.y, line.direction.y, s.min.y, s.max.y);
  axis(2, line.origin.z, line.direction.z, s.min.z, s.max.z);
  return r;
}

/// Stage 1 is the gate, which every backend runs before the exact stage; there is nothing cheaper.
template <class F>
SIGHTLINE_HD MaskOf<F> may_hit(const LineT<F>&, const AabbT<F>&) {
  return MaskOf<F>(true);
}

/// Source: pairwise slab comparison without division, derived in docs/project/proofs/rays.md.
template <class F>
SIGHTLINE_HD IntervalT<F> interval(const LineT<F>& line, const AabbT<F>& s) {
  const IntervalT<F> r = interval(slabs_of(line, s));
  return any(line.is_point) ? select(line.is_point, point_interval<F>(contains(s, line.origin)), r)
                            : r;
}

/// The outward unit normal where the line enters, or leaves for `at_exit`; the line hits.
template <class F>
SIGHTLINE_HD Vec3T<F> surface_normal(const LineT<F>& line, const AabbT<F>& s,
                                     const MaskOf<F>& at_exit) {
  const F axis = face_axis(slabs_of(line, s), at_exit);
  const auto component = [&](int i, F d) {
    const F forward = select(d < F(0), F(-1), F(1));
    return select(axis == F(static_cast<float>(i)), select(at_exit, forward, -forward), F(0));
  };
  return {component(0, line.direction.x), component(1, line.direction.y),
          component(2, line.direction.z)};
}

}  // namespace sightline
