// The interval of a line in one shape.
#pragma once

#include <sightline/geometry/intersect/line.hpp>

namespace sightline {

/// The points of a closed convex shape on a line are t_in <= t <= t_out, or none.
/// Without `hit` the ends are unspecified.
template <class F>
struct IntervalT {
  MaskOf<F> hit;
  F t_in, t_out;
};
using Interval = IntervalT<float>;

/// A line that is a point is wholly inside or wholly outside.
template <class F>
SIGHTLINE_HD IntervalT<F> point_interval(const MaskOf<F>& contained) {
  return {contained, F(-infinity), F(infinity)};
}

template <class F>
SIGHTLINE_HD IntervalT<F> select(const MaskOf<F>& m, const IntervalT<F>& a, const IntervalT<F>& b) {
  return {select(m, a.hit, b.hit), select(m, a.t_in, b.t_in), select(m, a.t_out, b.t_out)};
}

/// v / |v| for finite v of any size; 0 for v = 0.
template <class F>
SIGHTLINE_HD Vec3T<F> unit(const Vec3T<F>& v) {
  const F largest = max_abs(v);
  const F p = normalising_power(max(largest, F(0x1p-126f)));
  const Vec3T<F> s = {v.x * p, v.y * p, v.z * p};
  const F length = sqrt(fma(s.x, s.x, fma(s.y, s.y, s.z * s.z)));
  const F safe = select(length > F(0), length, F(1));
  return {s.x / safe, s.y / safe, s.z / safe};
}

}  // namespace sightline
