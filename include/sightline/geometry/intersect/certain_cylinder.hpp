// Cylinders: sure hits and misses from the ray's point nearest to the axis between the planes of
// the ends, in floats, and the entry in doubles. Proofs: docs/project/proofs/rays.md, "Certain
// hits".
#pragma once

#include <sightline/geometry/intersect/certain_rounds.hpp>
#include <sightline/geometry/intersect/ray_cylinder.hpp>

namespace sightline {

/// A line in floats about the foot of the perpendicular from `a`, and what it is compared with.
template <class F>
struct CylinderViewT {
  Vec3T<F> w, e, n;  ///< the foot from a; b - a; the unit axis
  F length, foot;
  F height, speed;  ///< n . w, n . d
  F reach;          ///< the cylinder is not met further from the foot
  F doubt;
  MaskOf<F> may_be_sure;  ///< not a point, and squares of the radius do not underflow in stage 2
};
template <class F>
SIGHTLINE_HD CylinderViewT<F> view_of(const LineT<F>& line, const CylinderT<F>& s) {
  CylinderViewT<F> v;
  const Vec3T<F> from_a = difference(line.origin, s.a);
  v.e = difference(s.b, s.a);
  v.n = unit(v.e);
  v.length = dot(v.n, v.e);
  v.foot = -(dot(from_a, line.direction) / line.dd.hi);
  v.w = moved(from_a, v.foot, line.direction);
  const F size = (sum_abs(v.w) + sum_abs(v.e)) + s.radius;
  v.doubt = fma(sum_abs(from_a), F(0x1p-20f), fma(size, F(0x1p-18f), F(0x1p-68f)));
  v.reach = size + v.doubt;
  v.height = dot(v.n, v.w);
  v.speed = dot(v.n, line.direction);
  v.may_be_sure = (!line.is_point) & (s.radius >= F(0x1p-62f));
  return v;
}

/// The part of [from, to], counted from the foot, in which the line is between the planes moved
/// outward by `margin`; empty where first > last. Speeds that may have either sign count as 2^-60.
template <class F>
struct SpanT {
  F first, last;
};
template <class F>
SIGHTLINE_HD SpanT<F> between_planes(const CylinderViewT<F>& v, const F& margin, const F& from,
                                     const F& to) {
  const F per_speed = F(1) / max(abs(v.speed), F(0x1p-60f));
  const F past_low = v.height + margin, past_high = (v.height - v.length) - margin;
  const auto backward = v.speed < F(0);
  const F near = select(backward, past_high, -past_low) * per_speed;
  const F far = select(backward, past_low, -past_high) * per_speed;
  return {max(near, from), min(far, to)};
}

/// The way from the axis to the line's point at t, counted from the foot.
template <class F>
SIGHTLINE_HD Vec3T<F> from_axis_at(const LineT<F>& line, const CylinderViewT<F>& v, const F& t) {
  const F height = fma(t, v.speed, v.height);
  return moved(moved(v.w, t, line.direction), -height, v.n);
}

/// Whether the point at t, counted from the foot, is surely outside: beyond a plane, or beside the
/// side.
template <class F>
SIGHTLINE_HD MaskOf<F> certainly_outside_at(const LineT<F>& line, const CylinderViewT<F>& v,
                                            F radius, const F& t) {
  const F height = fma(t, v.speed, v.height), outer = radius + v.doubt;
  const Vec3T<F> p = from_axis_at(line, v, t);
  const F gap = dot(p, moved(v.w, t, line.direction)) - max(dot(p, v.e), F(0));
  return (height < -v.doubt) | (height > v.length + v.doubt) |
         certainly_apart(gap, dot(p, p), outer);
}

/// Whether a ray surely hits, or surely misses, the cylinder.
template <class F>
SIGHTLINE_HD CertainT<F> certainly(const LineT<F>& line, const CylinderT<F>& s, F t_min, F t_max,
                                   Inside inside, bool both_ends) {
  const CylinderViewT<F> v = view_of(line, s);
  const Vec3T<F> d = line.direction;
  const F inner = s.radius - v.doubt, outer = s.radius + v.doubt;
  const F from = max(t_min - v.foot, -v.reach), to = min(t_max - v.foot, v.reach);
  const Vec3T<F> across = moved(d, -v.speed, v.n), aside = moved(v.w, -v.height, v.n);
  const F nearest = -(dot(aside, across) / dot(across, across));

  // Correctness does not depend on t being the nearest; NaN becomes an end of the span.
  const SpanT<F> wide = between_planes(v, v.doubt, from, to);
  const F t = min(max(nearest, wide.first), wide.last);
  const Vec3T<F> p = from_axis_at(line, v, t);
  const F pp = dot(p, p), pd = dot(p, d);
  const F gap = (dot(p, v.w) + min(wide.first * pd, wide.last * pd)) - max(dot(p, v.e), F(0));

  const SpanT<F> narrow = between_planes(v, v.doubt * F(-2), from, to);
  const F u = min(max(nearest, narrow.first), narrow.last);
  const F height = fma(u, v.speed, v.height);
  const Vec3T<F> q = from_axis_at(line, v, u);
  const MaskOf<F> meets = (dot(q, q) < inner * inner) & (inner > F(0)) & (height > v.doubt) &
                          (height < v.length - v.doubt) & (narrow.first <= narrow.last) &
                          v.may_be_sure;
  CertainT<F> r;
  r.hit = certainly_counts<F>(
      meets, inside, both_ends,
      [&]() SIGHTLINE_LAMBDA { return certainly_outside_at(line, v, s.radius, t_min - v.foot); },
      [&]() SIGHTLINE_LAMBDA { return certainly_outside_at(line, v, s.radius, t_max - v.foot); });
  const auto misses_planes = wide.first > wide.last;
  r.miss = (misses_planes | certainly_apart(gap, pp, outer)) & v.may_be_sure;
  return r;
}

/// The entry through the plane of an end that the line faces.
template <class F>
struct EndEntryT {
  WideEntryT<F> entry;
  MaskOf<F> within;  ///< the crossing is surely within the radius, so that the line enters there
};
template <class F>
SIGHTLINE_HD EndEntryT<F> end_entry(const LineT<F>& line, const WideLineT<F>& wide,
                                    const CylinderT<F>& s) {
  using D = DoubleOf<F>;
  const Vec3T<D> e = wide_difference(s.b, s.a);
  const D speed = wide_dot(e, wide.direction), ee = wide_dot(e, e);
  const Vec3T<F> end = select<F>(narrowed(speed) < F(0), s.b, s.a);
  const Vec3T<D> w = wide_difference(line.origin, end);
  const D t = -(wide_dot(w, e) / speed);
  const Vec3T<D> p = wide_moved(w, t, wide.direction);

  const F squared_length = narrowed(ee), slope = abs(narrowed(speed)) / sqrt(squared_length);
  const F size = (sum_abs(difference(line.origin, end)) + sum_abs(difference(s.b, s.a))) + s.radius;
  const F inner = s.radius - size * F(0x1p-18f);
  const MaskOf<F> is_tame =
      (size >= F(0x1p-40f)) & (slope >= F(0x1p-18f)) & (squared_length >= F(0x1p-60f));
  const MaskOf<F> within = is_tame & (narrowed(wide_dot(p, p)) < inner * inner) & (inner > F(0));
  return {{t, size * F(0x1p-38f) / slope, is_tame}, within};
}

template <class F>
SIGHTLINE_HD CertainEntryT<F> certain_entry(const LineT<F>& line, const CylinderT<F>& s) {
  const WideLineT<F> wide = widened(line);
  const EndEntryT<F> e = end_entry(line, wide, s);
  const CertainEntryT<F> end = rounded(e.entry);
  if (!any(!e.within)) return end;
  const SideEntryT<F> c = side_entry(line, wide, capsule_around(s));
  const CertainEntryT<F> side = rounded(c.entry);
  const auto on_side = (c.above_a > c.doubt) & (c.above_b < -c.doubt) & side.sure;
  return {select(e.within, end.t, side.t), select(e.within, end.sure, on_side)};
}

/// Stage 2 in the lanes of `may`, which no point is: the exit where it matters. `met` where the
/// shape surely meets the ray's interval.
template <class F>
SIGHTLINE_SELDOM IntervalT<F> exact_ahead(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                          SIGHTLINE_SELDOM_PARAMETER(CylinderT<F>) s, F, Inside,
                                          MaskOf<F> may, MaskOf<F> met) {
  if (any(may & !met)) may = may & (met | may_hit(line, s));  // see staged_interval()
  const CylinderLine<F> c = cylinder_line(line, s);
  may = may & c.hit;
  if (!any(may)) return {may, F(infinity), F(infinity)};
  const CylinderCrossings<F> crossings = crossings_of(line, c);
  return {may, entry_of(crossings), exit_of(crossings)};
}

template <class F, class Fallback = ExactFallback>
SIGHTLINE_HD IntervalT<F> interval_ahead(const LineT<F>& line, const CylinderT<F>& s, F t_min,
                                         F t_max, Inside inside, const MaskOf<F>& wanted,
                                         Fallback&& fallback = Fallback()) {
  return round_ahead(line, s, t_min, t_max, inside, wanted, fallback);
}

}  // namespace sightline
