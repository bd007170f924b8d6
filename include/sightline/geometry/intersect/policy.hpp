// From a line's interval in a shape to the ray's answer.
#pragma once

#include <sightline/geometry/intersect/interval.hpp>
#include <sightline/ray.hpp>

namespace sightline {

/// One shape's answer; t is of the scaled ray.
template <class F>
struct FoundT {
  MaskOf<F> hit;
  F t;
  MaskOf<F> started_inside;
};
using Found = FoundT<float>;

/// A hit needs a line hit, t_out >= t_min, t_in <= t_max, the policy's condition, and a finite t.
/// `gate_near` is the near end of the gate's interval: clamping t to it keeps culling by node boxes
/// exact. Shapes without a gate pass t_min.
template <class F>
SIGHTLINE_HD FoundT<F> apply_policy(const IntervalT<F>& i, F t_min, F t_max, F gate_near,
                                    Inside inside) {
  FoundT<F> r;
  r.started_inside = i.t_in < t_min;
  r.hit = i.hit & (i.t_out >= t_min) & (i.t_in <= t_max);
  F t = i.t_in;
  if (inside == Inside::surface) {
    t = select(r.started_inside, i.t_out, i.t_in);
    r.hit = r.hit & (t <= t_max);
  } else if (inside == Inside::ignore) {
    r.hit = r.hit & !r.started_inside;
  }
  r.t = min(max(max(t, gate_near), t_min), t_max);
  r.hit = r.hit & (r.t <= F(largest_float));
  return r;
}

}  // namespace sightline
