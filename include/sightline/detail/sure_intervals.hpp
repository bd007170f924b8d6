// What floats alone can prove of a ray and a shape, so that stage 2 (`interval`) runs only where
// they cannot. Whoever skips these stages gets the same answers. Proofs: docs/accuracy.md.
#pragma once

#include <sightline/intersect/policy.hpp>
#include <sightline/intersect/ray_plane.hpp>

namespace sightline {

/// What a ray's answer from one shape surely is; where neither is set, stage 2 says.
template <class F>
struct SureT {
  MaskOf<F> hit, miss;
};
using Sure = SureT<float>;

/// The policy's part of a sure hit: `meets` where the shape surely meets the ray's interval.
/// starts_outside() and ends_outside() say where the interval surely begins and ends outside of the
/// shape; they are called only by policies that ask. `both_ends` is what a line of sight asks under
/// `ignore`: that the shape does not reach beyond t_max either (line_of_sight.hpp).
template <class F, class Starts, class Ends>
SIGHTLINE_HD MaskOf<F> surely_counts(const MaskOf<F>& meets, Inside inside, bool both_ends,
                                     const Starts& starts_outside, const Ends& ends_outside) {
  if (inside == Inside::solid) return meets;
  const MaskOf<F> starts = starts_outside();
  if (inside == Inside::ignore && !both_ends) return meets & starts;
  const MaskOf<F> ends = ends_outside();
  return inside == Inside::ignore ? meets & starts & ends : meets & (starts | ends);
}

/// Of a plane stage 2 is cheap: nothing is surer.
template <class F>
SIGHTLINE_HD SureT<F> surely(const LineT<F>&, const PlaneT<F>&, F, F, Inside, bool) {
  return {MaskOf<F>(false), MaskOf<F>(false)};
}
template <class F>
SIGHTLINE_HD IntervalT<F> interval_ahead(const LineT<F>& line, const PlaneT<F>& s, F, F, Inside,
                                         const MaskOf<F>&) {
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

/// interval(), but for lines of which stage 1 says that they miss: those miss, whatever stage 2
/// would say (they disagree for capsules of some 2^-67, whose squares underflow).
template <class F, class Shape>
SIGHTLINE_HD IntervalT<F> staged_interval(const LineT<F>& line, const Shape& s) {
  IntervalT<F> r = interval(line, s);
  r.hit = r.hit & may_hit(line, s);
  return r;
}

}  // namespace sightline
