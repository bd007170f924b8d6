// Ray against plane: the half-space below it.
#pragma once

#include <sightline/geometry/intersect/interval.hpp>
#include <sightline/geometry/shapes/plane.hpp>

namespace sightline {

/// Stage 1: nothing is cheaper than the answer.
template <class F>
SIGHTLINE_HD MaskOf<F> may_hit(const LineT<F>&, const PlaneT<F>&) {
  return MaskOf<F>(true);
}

/// The interval is infinite towards the inside, and in both directions for a parallel line inside.
template <class F>
SIGHTLINE_HD IntervalT<F> interval(const LineT<F>& line, const PlaneT<F>& s) {
  const Two<F> excess = signed_excess(s, line.origin);
  const Two<F> speed = two_dot(s.normal, line.direction);
  const auto parallel = speed.hi == F(0);
  const auto inside = rounded(excess) <= F(0);
  const F q = -(excess.hi / speed.hi);
  const F t = select(abs(q) < F(0x1p100f), -rounded(excess / speed), q);
  IntervalT<F> r{};
  r.hit = (!parallel) | inside;
  r.t_in = select(parallel | (speed.hi > F(0)), F(-infinity), t);
  r.t_out = select(parallel | (speed.hi < F(0)), F(infinity), t);
  return any(line.is_point) ? select(line.is_point, point_interval<F>(contains(s, line.origin)), r)
                            : r;
}

/// The plane's unit normal.
template <class F>
SIGHTLINE_HD Vec3T<F> surface_normal(const LineT<F>&, const PlaneT<F>& s, const MaskOf<F>&) {
  return unit(s.normal);
}

}  // namespace sightline
