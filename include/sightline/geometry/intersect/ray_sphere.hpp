// Ray against sphere, and the ball that capsules end in.
#pragma once

#include <sightline/geometry/intersect/interval.hpp>
#include <sightline/geometry/intersect/moment.hpp>
#include <sightline/geometry/shapes/sphere.hpp>

namespace sightline {

/// radius^2 |d|^2 - |w x d|^2: not negative where the line meets the ball about w's point.
///
/// The moment form is accurate at any distance; the textbook's b^2 - a c is not, already at 100
/// radii.
template <class F>
SIGHTLINE_HD Two<F> ball_discriminant(const LineT<F>& line, const TwoVec3<F>& m, const Two<F>& r2) {
  return r2 * line.dd - dot(m, m);
}

/// Where the line enters (towards = -1) or leaves (+1) the ball, w = origin - center.
template <class F>
SIGHTLINE_HD Two<F> ball_crossing(const LineT<F>& line, const TwoVec3<F>& w,
                                  const Two<F>& discriminant, F towards) {
  const Two<F> root = sqrt_or_zero(discriminant) * towards;
  return (root - dot(w, line.direction)) / line.dd;
}

/// The unit normal of a round shape, `out` from its center or axis. Where there is no surface
/// (radius 0) or `out` has cancelled to 0 (beyond about 2^48 sizes from the origin) it is -d / |d|.
template <class F>
SIGHTLINE_HD Vec3T<F> round_normal(const LineT<F>& line, F radius, const TwoVec3<F>& out) {
  const Vec3T<F> v = rounded(out);
  const F length = max_abs(v);
  const auto no_surface = (radius == F(0)) | (length == F(0));
  return unit(select<F>(no_surface, -line.direction, v));
}

/// Stage 1: false only for lines that surely miss.
template <class F>
SIGHTLINE_HD MaskOf<F> may_hit(const LineT<F>& line, const SphereT<F>& s) {
  const TwoVec3<F> w = two_diff(line.origin, s.center);
  const auto misses =
      certainly_outside_ball(moment(w, line.direction), max_abs(high(w)), s.radius, line.dd.hi);
  return (!misses) | line.is_point;
}

/// Stage 2, the answer.
template <class F>
SIGHTLINE_HD IntervalT<F> interval(const LineT<F>& line, const SphereT<F>& s) {
  const TwoVec3<F> w = two_diff(line.origin, s.center);
  const Two<F> discriminant =
      ball_discriminant(line, cross(w, line.direction), two_prod(s.radius, s.radius));
  IntervalT<F> r{};
  r.hit = discriminant.hi >= F(0);
  if (any(r.hit)) {
    r.t_in = rounded(ball_crossing(line, w, discriminant, F(-1)));
    r.t_out = rounded(ball_crossing(line, w, discriminant, F(1)));
  }
  return any(line.is_point) ? select(line.is_point, point_interval<F>(contains(s, line.origin)), r)
                            : r;
}

/// The outward unit normal where the line enters, or leaves for `at_exit`; the line hits.
template <class F>
SIGHTLINE_HD Vec3T<F> surface_normal(const LineT<F>& line, const SphereT<F>& s,
                                     const MaskOf<F>& at_exit) {
  const TwoVec3<F> w = two_diff(line.origin, s.center);
  const Two<F> discriminant =
      ball_discriminant(line, cross(w, line.direction), two_prod(s.radius, s.radius));
  const Two<F> t = ball_crossing(line, w, discriminant, select(at_exit, F(1), F(-1)));
  const TwoVec3<F> out = {w.x + t * line.direction.x, w.y + t * line.direction.y,
                          w.z + t * line.direction.z};
  return round_normal(line, s.radius, out);
}

}  // namespace sightline
