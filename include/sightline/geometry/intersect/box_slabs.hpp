// A line against three pairs of parallel planes, exactly: for AABB and OBB.
#pragma once

#include <sightline/geometry/intersect/interval.hpp>

namespace sightline {

/// Along axis i the line is between the planes while near[i] <= t * speed[i] <= far[i], with
/// speed[i] >= 0: axes along which the line runs backward are mirrored. Speed is a float F for
/// an AABB and a Two<F> for an OBB.
template <class F, class Speed>
struct BoxSlabs {
  Two<F> near[3], far[3];
  Speed speed[3];
};

template <class F>
SIGHTLINE_HD MaskOf<F> is_zero(const F& speed) {
  return speed == F(0);
}
template <class F>
SIGHTLINE_HD MaskOf<F> is_zero(const Two<F>& speed) {
  return speed.hi == F(0);
}

/// Whether a / speed_a <= b / speed_b, by cross products: no division, and no special case at
/// speed 0. Exact where the products and their difference are, as on integers.
template <class F>
SIGHTLINE_HD MaskOf<F> not_after(const Two<F>& a, const F& speed_a, const Two<F>& b,
                                 const F& speed_b) {
  const F p = b.hi * speed_a;
  const F low = fma(-b.hi, speed_a, p) + fma(a.lo, speed_b, -(b.lo * speed_a));
  return fma(a.hi, speed_b, -p) + low <= F(0);
}
template <class F>
SIGHTLINE_HD MaskOf<F> not_after(const Two<F>& a, const Two<F>& speed_a, const Two<F>& b,
                                 const Two<F>& speed_b) {
  return rounded(a * speed_b - b * speed_a) <= F(0);
}

/// a / speed, rounded to barely more than half an ulp; infinite where it overflows.
template <class F>
SIGHTLINE_HD F crossing_time(const Two<F>& a, const F& speed) {
  const F q = a.hi / speed;
  const F refined = q + (fma(-q, speed, a.hi) + a.lo) / speed;
  return select(abs(q) < F(0x1p100f), refined, q);
}
template <class F>
SIGHTLINE_HD F crossing_time(const Two<F>& a, const Two<F>& speed) {
  const F q = a.hi / speed.hi;
  return select(abs(q) < F(0x1p100f), rounded(a / speed), q);
}

/// The line test and interval: a hit if no axis is left before another is entered.
template <class F, class Speed>
SIGHTLINE_HD IntervalT<F> interval(const BoxSlabs<F, Speed>& s) {
  IntervalT<F> r{};
  r.hit = MaskOf<F>(true);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (j == i) continue;
      const auto in_order = not_after(s.near[i], s.speed[i], s.far[j], s.speed[j]);
      r.hit = r.hit & in_order;
    }
  }
  r.t_in = F(-infinity);
  r.t_out = F(infinity);
  if (!any(r.hit)) return r;
  for (int i = 0; i < 3; ++i) {
    const auto still = is_zero(s.speed[i]);
    r.t_in = max(select(still, F(-infinity), crossing_time(s.near[i], s.speed[i])), r.t_in);
    r.t_out = min(select(still, F(infinity), crossing_time(s.far[i], s.speed[i])), r.t_out);
  }
  return r;
}

/// The axis (0, 1, 2 as a float) whose plane the line enters last or, for `at_exit`, leaves first;
/// on edges and corners the lowest such axis.
template <class F, class Speed>
SIGHTLINE_HD F face_axis(const BoxSlabs<F, Speed>& s, const MaskOf<F>& at_exit) {
  F axis = F(2);
  for (int i = 1; i >= 0; --i) {
    auto first = !is_zero(s.speed[i]);
    for (int j = 0; j < 3; ++j) {
      if (j == i) continue;
      const auto entered_last = not_after(s.near[j], s.speed[j], s.near[i], s.speed[i]);
      const auto left_first = not_after(s.far[i], s.speed[i], s.far[j], s.speed[j]);
      first = first & select(at_exit, left_first, entered_last);
    }
    axis = select(first, F(static_cast<float>(i)), axis);
  }
  return axis;
}

}  // namespace sightline
