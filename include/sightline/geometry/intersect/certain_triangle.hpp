// Triangles: sure hits and misses from edge functions in floats, the float t that drops hits beyond
// the best so far, and t in doubles. Proofs: docs/project/proofs/triangles.md.
#pragma once

#include <sightline/geometry/intersect/ray_triangle.hpp>

namespace sightline {

/// What floats prove of a line and a triangle. A line that surely meets it does so off its plane,
/// at one t, which is between `early` and `late`.
template <class F>
struct SureMeetingT {
  MaskOf<F> meets, misses;
  F early, late;
};

/// Bounds of t where the line surely meets the triangle; without meaning, maybe NaN, elsewhere. By
/// the hit's place a + ab * (E_ca / D) - ca * (E_ab / D), of which the line's foot is taken.
template <class F>
SIGHTLINE_HD SureMeetingT<F> with_times(const LineT<F>& line, const TriangleSidesT<F>& t,
                                        const Vec3T<F>& w, const EdgesT<F>& e,
                                        const CertainT<F>& sure) {
  const Vec3T<F> d = line.direction;
  const F per_sum = F(1) / ((e.ab + e.bc) + e.ca);
  const F doubt = ((e.doubt_ab + e.doubt_bc) + e.doubt_ca) * abs(per_sum);
  const F b = e.ca * per_sum, c = e.ab * per_sum;  // weights, since products with edges underflow
  const F from_a = fma(b, dot(t.ab, d), -(c * dot(t.ca, d)));
  const F at = (from_a - dot(w, d)) / line.dd.hi;
  const F error =
      fma(t.size, fma(doubt, F(16), F(0x1p-17f)), fma(sum_abs(w), F(0x1p-19f), F(0x1p-100f)));
  return {sure.hit, sure.miss, at - error, at + error};
}

/// Stages A and, if a lane of `wanted` is still open, B.
template <class F>
SIGHTLINE_HD SureMeetingT<F> sure_meeting(const LineT<F>& line, const TriangleT<F>& s,
                                          const MaskOf<F>& wanted) {
  const TriangleSidesT<F> sides = sides_of(s);
  const Vec3T<F> near = difference(line.origin, s.a);
  EdgesT<F> e = quick_edges(line, sides, near);
  CertainT<F> sure = signs_agree_within(e, e.doubt_ab);
  if (any(wanted & !(sure.hit | sure.miss))) {
    e = careful_edges(line, sides, two_diff(line.origin, s.a));
    sure = signs_agree(e);
  }
  if (!any(wanted & sure.hit)) return {MaskOf<F>(false), sure.miss, F(0), F(0)};
  return with_times(line, sides, near, e, sure);
}

/// Whether a ray surely hits, or surely misses, the triangle. A line that crosses it has one t in
/// common with it, so that all policies agree.
template <class F>
SIGHTLINE_HD CertainT<F> certainly(const LineT<F>& line, const TriangleT<F>& s, F t_min, F t_max,
                                   Inside, bool) {
  const SureMeetingT<F> m = sure_meeting(line, s, MaskOf<F>(true));
  const auto within = (m.early >= t_min) & (m.late <= t_max) & (m.late <= F(0x1p100f));
  const auto beyond = (m.early > t_max) | (m.late < t_min);
  CertainT<F> r;
  r.hit = m.meets & within;
  r.miss = m.misses | (m.meets & beyond);
  return r;
}

/// The exact interval in the lanes of `may`; the others miss.
template <class F>
SIGHTLINE_SELDOM IntervalT<F> exact_ahead(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                          SIGHTLINE_SELDOM_PARAMETER(TriangleT<F>) s, F, Inside,
                                          MaskOf<F> may, MaskOf<F>) {
  return interval_by_lane(line, s, may);
}

/// An interval for which apply_policy() gives the same answer as for interval()'s, in the `wanted`
/// lanes; a hit that surely lies beyond t_max is left out before its t is computed.
template <class F, class Fallback = ExactFallback>
SIGHTLINE_HD IntervalT<F> interval_ahead(const LineT<F>& line, const TriangleT<F>& s, F t_min,
                                         F t_max, Inside inside, const MaskOf<F>& wanted,
                                         Fallback&& fallback = Fallback()) {
  const SureMeetingT<F> m = sure_meeting(line, s, wanted);
  const auto beyond = (m.early > t_max) | (m.late < t_min);
  const MaskOf<F> may = wanted & !(m.misses | (m.meets & beyond));
  IntervalT<F> r = {MaskOf<F>(false), F(infinity), F(-infinity)};
  if (!any(may)) return r;
  MaskOf<F> settled = may & m.meets;
  if (any(settled)) {
    const CertainEntryT<F> entry = rounded(plane_crossing(line, s));
    settled = settled & entry.sure;
    r = {settled, entry.t, entry.t};
  }
  const MaskOf<F> open = may & !settled;
  if (!any(open)) return r;
  return select(settled, r, fallback.ahead(line, s, t_min, inside, open, MaskOf<F>(false)));
}

}  // namespace sightline
