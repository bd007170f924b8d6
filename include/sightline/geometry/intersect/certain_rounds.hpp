// Spheres and capsules: sure hits and misses from the ray's point nearest to the shape's centre, in
// floats. Proofs: docs/project/proofs/rays.md, "Certain hits".
#pragma once

#include <sightline/geometry/intersect/certain_entry.hpp>
#include <sightline/geometry/intersect/ray_capsule.hpp>

namespace sightline {

/// Whether a ray surely hits, or surely misses, the ball.
template <class F>
SIGHTLINE_HD CertainT<F> certainly(const LineT<F>& line, const SphereT<F>& s, F t_min, F t_max,
                                   Inside inside, bool both_ends) {
  const Vec3T<F> w = difference(line.origin, s.center);
  const F doubt = fma(sum_abs(w), F(0x1p-20f), fma(s.radius, F(0x1p-18f), F(0x1p-68f)));
  const F inner = s.radius - doubt, outer = s.radius + doubt;
  const F t = min(max(-(dot(w, line.direction) / line.dd.hi), t_min), t_max);
  const auto squared_at = [&](const F& at) SIGHTLINE_LAMBDA {
    const Vec3T<F> p = moved(w, at, line.direction);
    return dot(p, p);
  };
  const auto outside_at = [&](const F& at)
                              SIGHTLINE_LAMBDA { return squared_at(at) > outer * outer; };
  const F squared = squared_at(t);
  const MaskOf<F> meets = (squared < inner * inner) & (inner > F(0)) & !line.is_point;
  CertainT<F> r;
  r.hit = certainly_counts<F>(
      meets, inside, both_ends, [&]() SIGHTLINE_LAMBDA { return outside_at(t_min); },
      [&]() SIGHTLINE_LAMBDA { return outside_at(t_max); });
  r.miss = (squared > outer * outer) & !line.is_point;
  return r;
}

/// x clamped to [0, 1]; 0 for NaN.
template <class F>
SIGHTLINE_HD F within_unit(const F& x) {
  return min(max(x, F(0)), F(1));
}

/// Whether a distance is surely more than `outer`, given that a plane with normal n separates two
/// sets by gap / |n|.
template <class F>
SIGHTLINE_HD MaskOf<F> certainly_apart(const F& gap, const F& nn, const F& outer) {
  return (gap > F(0)) & (gap * gap > fma(nn, outer * outer, F(0x1p-140f)));
}

/// Whether a ray surely hits, or surely misses, the capsule. t is relative to the foot of the
/// perpendicular from `a`, so that all errors are in proportion to the shape.
template <class F>
SIGHTLINE_HD CertainT<F> certainly(const LineT<F>& line, const CapsuleT<F>& s, F t_min, F t_max,
                                   Inside inside, bool both_ends) {
  const Vec3T<F> d = line.direction;
  const Vec3T<F> from_a = difference(line.origin, s.a), e = difference(s.b, s.a);
  const F per_dd = F(1) / line.dd.hi;
  const F foot = -(dot(from_a, d) * per_dd);
  const Vec3T<F> w = moved(from_a, foot, d);
  const F size = (sum_abs(w) + sum_abs(e)) + s.radius;
  const F doubt = fma(sum_abs(from_a), F(0x1p-20f), fma(size, F(0x1p-18f), F(0x1p-68f)));
  const F inner = s.radius - doubt, outer = s.radius + doubt;

  // The nearest points w + t d and e * u. Correctness does not depend on their being the nearest.
  const F ee = dot(e, e), de = dot(d, e), we = dot(w, e);
  const F reach = size + doubt;  // the capsule is not met beyond it
  const F first = max(t_min - foot, -reach), last = min(t_max - foot, reach);
  const F abreast = within_unit((we * line.dd.hi) / fma(ee, line.dd.hi, -(de * de)));
  const F t = min(max(abreast * de * per_dd, first), last);
  const auto nearest = [&](const F& at)
                           SIGHTLINE_LAMBDA { return within_unit(fma(at, de, we) / ee); };
  const Vec3T<F> p = moved(moved(w, t, d), -nearest(t), e);

  const F pp = dot(p, p), pd = dot(p, d);
  const auto beyond_segment = [&](const Vec3T<F>& n)
                                  SIGHTLINE_LAMBDA { return max(dot(n, e), F(0)); };
  const F gap = (dot(p, w) + min(first * pd, last * pd)) - beyond_segment(p);
  const auto outside_at = [&](const F& at) SIGHTLINE_LAMBDA {
    const Vec3T<F> x = moved(w, at - foot, d);
    const Vec3T<F> n = moved(x, -nearest(at - foot), e);
    return certainly_apart(dot(n, x) - beyond_segment(n), dot(n, n), outer);
  };
  const MaskOf<F> meets = (pp < inner * inner) & (inner > F(0)) & !line.is_point;
  CertainT<F> r;
  r.hit = certainly_counts<F>(
      meets, inside, both_ends, [&]() SIGHTLINE_LAMBDA { return outside_at(t_min); },
      [&]() SIGHTLINE_LAMBDA { return outside_at(t_max); });
  r.miss = certainly_apart(gap, pp, outer) & !line.is_point;
  return r;
}

/// Whether an exit must be computed: t_out < t_min is possible, or the policy answers it.
template <class F>
SIGHTLINE_HD bool needs_exit(const IntervalT<F>& i, const MaskOf<F>& certainly_meets, F t_min,
                             Inside inside) {
  if (any(i.hit & !certainly_meets)) return true;
  return inside == Inside::surface && any(i.hit & (i.t_in < t_min));
}

/// Where all lanes that may hit surely do: the interval with its entry in doubles, if that is sure
/// in all of them and no exit is needed.
template <class F, class Shape>
SIGHTLINE_HD bool enters_certainly(const LineT<F>& line, const Shape& s, F t_min, Inside inside,
                                   IntervalT<F>& r) {
  const CertainEntryT<F> entry = certain_entry(line, s);
  if (any(r.hit & !entry.sure)) return false;
  r.t_in = entry.t;
  return !needs_exit(r, r.hit, t_min, inside);
}

/// Stage 2 in the lanes of `may`, which no point is: the exit where it matters. `met` where the
/// shape surely meets the ray's interval.
template <class F>
SIGHTLINE_SELDOM IntervalT<F> exact_ahead(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                          SIGHTLINE_SELDOM_PARAMETER(SphereT<F>) s, F t_min,
                                          Inside inside, MaskOf<F> may, MaskOf<F> met) {
  if (any(may & !met)) may = may & (met | may_hit(line, s));  // see staged_interval()
  const TwoVec3<F> w = two_diff(line.origin, s.center);
  const Two<F> discriminant =
      ball_discriminant(line, cross(w, line.direction), two_prod(s.radius, s.radius));
  may = may & (discriminant.hi >= F(0));
  IntervalT<F> r = {may, F(infinity), F(infinity)};
  if (!any(r.hit)) return r;
  r.t_in = rounded(ball_crossing(line, w, discriminant, F(-1)));
  if (needs_exit(r, met, t_min, inside)) {
    r.t_out = rounded(ball_crossing(line, w, discriminant, F(1)));
  }
  return r;
}
template <class F>
SIGHTLINE_SELDOM IntervalT<F> exact_ahead(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                          SIGHTLINE_SELDOM_PARAMETER(CapsuleT<F>) s, F t_min,
                                          Inside inside, MaskOf<F> may, MaskOf<F> met) {
  if (any(may & !met)) may = may & (met | may_hit(line, s));  // see staged_interval()
  const CapsuleLine<F> c = capsule_line(line, s);
  may = may & c.hit;
  IntervalT<F> r = {may, F(infinity), F(infinity)};
  if (!any(r.hit)) return r;
  r.t_in = rounded(capsule_crossing(line, c, F(-1)));
  if (needs_exit(r, met, t_min, inside)) {
    r.t_out = rounded(capsule_crossing(line, c, F(1)));
  }
  return r;
}

/// An interval for which apply_policy() gives the same answer as for interval()'s, in the `wanted`
/// lanes. Exits are computed only where they matter, and nothing where floats prove a miss.
template <class F, class Shape, class Fallback>
SIGHTLINE_HD IntervalT<F> round_ahead(const LineT<F>& line, const Shape& s, F t_min, F t_max,
                                      Inside inside, const MaskOf<F>& wanted, Fallback&& fallback) {
  const CertainT<F> sure = certainly(line, s, t_min, t_max, Inside::solid, false);
  const MaskOf<F> may = wanted & !sure.miss;
  IntervalT<F> r = {may, F(infinity), F(infinity)};
  if (!any(may)) return r;
  if (any(may & line.is_point)) return fallback.whole(line, s);
  if (quick_doubles && !any(may & !sure.hit) && enters_certainly(line, s, t_min, inside, r))
    return r;
  return fallback.ahead(line, s, t_min, inside, may, sure.hit);
}
template <class F, class Fallback = ExactFallback>
SIGHTLINE_HD IntervalT<F> interval_ahead(const LineT<F>& line, const SphereT<F>& s, F t_min,
                                         F t_max, Inside inside, const MaskOf<F>& wanted,
                                         Fallback&& fallback = Fallback()) {
  return round_ahead(line, s, t_min, t_max, inside, wanted, fallback);
}
template <class F, class Fallback = ExactFallback>
SIGHTLINE_HD IntervalT<F> interval_ahead(const LineT<F>& line, const CapsuleT<F>& s, F t_min,
                                         F t_max, Inside inside, const MaskOf<F>& wanted,
                                         Fallback&& fallback = Fallback()) {
  return round_ahead(line, s, t_min, t_max, inside, wanted, fallback);
}

}  // namespace sightline
