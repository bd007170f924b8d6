// What plain floats can prove of a ray and a shape, so that the exact stage 2 (`interval`) runs
// only where they cannot. Answers are the same without these stages. Proofs:
// docs/project/proofs/rays.md.
#pragma once

#include <sightline/geometry/intersect/policy.hpp>
#include <sightline/geometry/intersect/ray_plane.hpp>

namespace sightline {

/// A ray's sure answer from one shape; where neither is set, stage 2 decides.
template <class F>
struct CertainT {
  MaskOf<F> hit, miss;
};
using Certain = CertainT<float>;

/// The policy's part of a sure hit: `meets` where the shape surely meets the ray's interval.
/// starts_outside() and ends_outside() return whether the ray's interval surely begins and ends
/// outside the shape; they are called only by policies that need them. `both_ends` is for lines of
/// sight under `ignore`: the shape must not reach beyond t_max either (line_of_sight.hpp).
template <class F, class Starts, class Ends>
SIGHTLINE_HD MaskOf<F> certainly_counts(const MaskOf<F>& meets, Inside inside, bool both_ends,
                                        const Starts& starts_outside, const Ends& ends_outside) {
  if (inside == Inside::solid) return meets;
  const MaskOf<F> starts = starts_outside();
  if (inside == Inside::ignore && !both_ends) return meets & starts;
  const MaskOf<F> ends = ends_outside();
  return inside == Inside::ignore ? meets & starts & ends : meets & (starts | ends);
}

/// How interval_ahead() settles what floats and doubles leave in doubt: by two-floats, at once.
/// Another of these may put it off, and then answers anything.
struct ExactFallback {
  template <class F, class Shape>
  SIGHTLINE_HD IntervalT<F> whole(const LineT<F>& line, const Shape& s) const {
    return staged_interval(line, s);
  }
  template <class F, class Shape>
  SIGHTLINE_HD IntervalT<F> ahead(const LineT<F>& line, const Shape& s, F t_min, Inside inside,
                                  const MaskOf<F>& may, const MaskOf<F>& met) const {
    return exact_ahead(line, s, t_min, inside, may, met);
  }
  template <class F>
  SIGHTLINE_HD F face(const LineT<F>& line, const Vec3T<F>& center, const Vec3T<F>& axis,
                      F half) const {
    return face_crossing(line, center, axis, half);
  }
};

/// For a plane stage 2 is cheap already.
template <class F>
SIGHTLINE_HD CertainT<F> certainly(const LineT<F>&, const PlaneT<F>&, F, F, Inside, bool) {
  return {MaskOf<F>(false), MaskOf<F>(false)};
}
template <class F, class Fallback = ExactFallback>
SIGHTLINE_HD IntervalT<F> interval_ahead(const LineT<F>& line, const PlaneT<F>& s, F, F, Inside,
                                         const MaskOf<F>&, Fallback&& = Fallback()) {
  return interval(line, s);
}

template <class F>
SIGHTLINE_HD Vec3T<F> difference(const Vec3T<F>& a, const Vec3T<F>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
/// p + t * d.
template <class F>
SIGHTLINE_HD Vec3T<F> moved(const Vec3T<F>& p, const F& t, const Vec3T<F>& d) {
  return {fma(t, d.x, p.x), fma(t, d.y, p.y), fma(t, d.z, p.z)};
}

/// interval(), but lines that stage 1 rejects miss, whatever stage 2 says (they disagree for
/// capsules of about 2^-67, whose squares underflow).
template <class F, class Shape>
SIGHTLINE_SELDOM IntervalT<F> staged_interval(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                              SIGHTLINE_SELDOM_PARAMETER(Shape) s) {
  IntervalT<F> r = interval(line, s);
  r.hit = r.hit & may_hit(line, s);
  return r;
}

}  // namespace sightline
