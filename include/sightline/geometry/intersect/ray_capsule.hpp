// Ray against capsule.
#pragma once

#include <sightline/geometry/intersect/ray_sphere.hpp>
#include <sightline/geometry/shapes/capsule.hpp>

namespace sightline {

/// A line and a capsule in two-floats. `e` is the segment, scaled so that the largest component
/// of `g` = e x d lies in [1, 2): then nothing below over- or underflows within the domain.
template <class F>
struct CapsuleLine {
  TwoVec3<F> wa, wb;  ///< origin - a, origin - b
  TwoVec3<F> ma, mb;  ///< their moments about the line
  F t0;               ///< approximately where the line is closest to a
  TwoVec3<F> w0;      ///< wa moved there: small at any distance of the origin, and across the line
  CapsuleAxis<F> axis;
  MaskOf<F> parallel;  ///< the line runs along the axis (to 2^-60), or a == b
  F gain;              ///< e = axis.e * gain
  TwoVec3<F> g;
  Two<F> r2;
  Two<F> cylinder;  ///< not negative where the line meets the cylinder
  MaskOf<F> hit;
};

/// A t near the foot of the perpendicular from w's point, rounded to 12 bits so that its products
/// with numbers of a lattice stay exact.
template <class F>
SIGHTLINE_HD F coarse_foot(const LineT<F>& line, const Vec3T<F>& w) {
  const F t = -(dot(w, line.direction) / line.dd.hi);
  const F spread = t * F(4097.0f);
  return spread - (spread - t);
}

template <class F>
SIGHTLINE_HD CapsuleLine<F> capsule_line(const LineT<F>& line, const CapsuleT<F>& s) {
  CapsuleLine<F> c;
  c.wa = two_diff(line.origin, s.a);
  c.wb = two_diff(line.origin, s.b);
  c.ma = cross(c.wa, line.direction);
  c.mb = cross(c.wb, line.direction);
  c.axis = axis_of(s);
  c.t0 = coarse_foot(line, high(c.wa));
  const Vec3T<F> d = line.direction;
  c.w0 = c.wa + TwoVec3<F>{two_prod(c.t0, d.x), two_prod(c.t0, d.y), two_prod(c.t0, d.z)};
  const TwoVec3<F> g = cross(c.axis.e, line.direction);
  const F largest = max_abs(high(g));
  c.parallel = !(largest > F(0x1p-60f));
  c.gain = normalising_power(select(c.parallel, F(1), largest));
  c.g = scaled(g, c.gain);
  c.r2 = two_prod(s.radius, s.radius);

  // w0 . g rather than the equal e . ma, whose terms cancel for lines nearly along the axis.
  const Two<F> distance = dot(c.w0, c.g);
  c.cylinder = c.r2 * dot(c.g, c.g) - distance * distance;

  // Where the line is closest to the segment: at an end, or between.
  const Two<F> past_a = dot(c.ma, c.g), past_b = dot(c.mb, c.g);
  const auto at_a = c.parallel | (past_a.hi <= F(0));
  const auto at_b = past_b.hi >= F(0);
  const Two<F> end = ball_discriminant(line, select<F>(at_a, c.ma, c.mb), c.r2);
  c.hit = select(at_a | at_b, end.hi, c.cylinder.hi) >= F(0);
  return c;
}

/// Where the line enters (towards = -1) or leaves (+1) the infinite cylinder that it meets, counted
/// from t0.
template <class F>
SIGHTLINE_HD Two<F> side_from_foot(const CapsuleLine<F>& c, F towards) {
  const Two<F> ee = dot(c.axis.e, c.axis.e);
  const Two<F> gg = select(c.parallel, Two<F>{F(1), F(0)}, dot(c.g, c.g));
  const Two<F> middle = dot(c.g, cross(c.w0, c.axis.e));
  const Two<F> root = sqrt_or_zero(ee * c.cylinder) * towards;
  return scaled((middle + root) / gg, c.gain);
}

/// Where the line enters (towards = -1) or leaves (+1) the capsule that it hits: on the cylinder if
/// that crossing is between the ends, else on the ball at the end that it is beyond.
template <class F>
SIGHTLINE_HD Two<F> capsule_crossing(const LineT<F>& line, const CapsuleLine<F>& c, F towards) {
  const Two<F> length = dot(c.wa - c.wb, c.axis.e);  // (b - a) . e
  const Two<F> from_foot = side_from_foot(c, towards);
  const Two<F> on_cylinder = from_foot + c.t0;

  const Two<F> along = dot(c.axis.e, line.direction);
  const Two<F> height = dot(c.w0, c.axis.e) + from_foot * along;
  const auto enters_at_a = along.hi * towards <= F(0);
  const auto beyond_a = select(c.parallel, enters_at_a, height.hi <= F(0));
  const auto beyond_b = select(c.parallel, !enters_at_a, (height - length).hi >= F(0));
  const auto on_end = beyond_a | beyond_b;
  if (!any(on_end)) return on_cylinder;

  const TwoVec3<F> w = select<F>(beyond_a, c.wa, c.wb);
  const TwoVec3<F> m = select<F>(beyond_a, c.ma, c.mb);
  const Two<F> on_ball = ball_crossing(line, w, ball_discriminant(line, m, c.r2), towards);
  return select<F>(on_end, on_ball, on_cylinder);
}

/// Stage 1: false only for lines that surely miss: they miss the cylinder, or the ball at the end
/// to which they are surely closest (docs/project/proofs/rays.md).
template <class F>
SIGHTLINE_HD MaskOf<F> may_hit(const LineT<F>& line, const CapsuleT<F>& s) {
  const TwoVec3<F> wa = two_diff(line.origin, s.a), wb = two_diff(line.origin, s.b);
  const TwoVec3<F> e = two_diff(s.b, s.a);
  const Vec3T<F> ma = moment(wa, line.direction), mb = moment(wb, line.direction);
  const Vec3T<F> g = moment(e, line.direction);
  const F reach_a = max_abs(high(wa)), reach_b = max_abs(high(wb)), length = max_abs(high(e));
  const F tiny = F(0x1p-140f);
  const F lost_length = F(0x1p-70f);  // more than |g| loses when its square underflows

  const F gap = abs(dot(high(e), ma));
  const F doubt = fma(sum_abs(high(e)), fma(sum_abs(ma), F(0x1p-20f), reach_a * F(0x1p-40f)),
                      fma(s.radius, fma(length, F(0x1p-40f), lost_length), tiny));
  const auto passes_cylinder = gap > fma(s.radius * F(1.0f + 0x1p-20f), sqrt(dot(g, g)), doubt);

  const auto side_doubt = [&](const Vec3T<F>& m, F reach) SIGHTLINE_LAMBDA {
    return fma(sum_abs(g), fma(sum_abs(m), F(0x1p-20f), reach * F(0x1p-40f)),
               fma(length * F(0x1p-40f), sum_abs(m), tiny));
  };
  const auto before_a = dot(ma, g) < -side_doubt(ma, reach_a);
  const auto passes_a = certainly_outside_ball(ma, reach_a, s.radius, line.dd.hi);
  const auto after_b = dot(mb, g) > side_doubt(mb, reach_b);
  const auto passes_b = certainly_outside_ball(mb, reach_b, s.radius, line.dd.hi);
  const auto misses = passes_cylinder | (before_a & passes_a) | (after_b & passes_b);
  return (!misses) | line.is_point;
}

/// Stage 2, the answer.
template <class F>
SIGHTLINE_HD IntervalT<F> interval(const LineT<F>& line, const CapsuleT<F>& s) {
  const CapsuleLine<F> c = capsule_line(line, s);
  IntervalT<F> r{};
  r.hit = c.hit;
  if (any(r.hit)) {
    r.t_in = rounded(capsule_crossing(line, c, F(-1)));
    r.t_out = rounded(capsule_crossing(line, c, F(1)));
  }
  return any(line.is_point) ? select(line.is_point, point_interval<F>(contains(s, line.origin)), r)
                            : r;
}

/// The outward unit normal where the line enters, or leaves for `at_exit`; the line hits.
template <class F>
SIGHTLINE_HD Vec3T<F> surface_normal(const LineT<F>& line, const CapsuleT<F>& s,
                                     const MaskOf<F>& at_exit) {
  const CapsuleLine<F> c = capsule_line(line, s);
  const Two<F> t = capsule_crossing(line, c, select(at_exit, F(1), F(-1)));
  const auto moved = [&](const TwoVec3<F>& w) SIGHTLINE_LAMBDA {
    return TwoVec3<F>{w.x + t * line.direction.x, w.y + t * line.direction.y,
                      w.z + t * line.direction.z};
  };
  const TwoVec3<F> from_a = moved(c.wa), from_b = moved(c.wb);
  const auto beyond_a = dot(from_a, c.axis.e).hi <= F(0);
  const auto beyond_b = dot(from_b, c.axis.e).hi >= F(0);
  const Two<F> ee = select<F>(beyond_a, Two<F>{F(1), F(0)}, dot(c.axis.e, c.axis.e));
  const TwoVec3<F> from_axis = from_a - times(c.axis.e, dot(from_a, c.axis.e) / ee);
  const TwoVec3<F> out = select<F>(beyond_a, from_a, select<F>(beyond_b, from_b, from_axis));
  return round_normal(line, s.radius, out);
}

}  // namespace sightline
