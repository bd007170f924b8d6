// The entry of a ray that surely hits, in doubles: it rounds to stage 2's float where no boundary
// between floats is within the errors of both. Proofs: docs/project/proofs/rays.md, "Certain
// entries".
#pragma once

#include <sightline/geometry/intersect/certain_intervals.hpp>
#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/sphere.hpp>

namespace sightline {

/// An entry's t, and the lanes in which it is surely stage 2's.
template <class F>
struct CertainEntryT {
  F t;
  MaskOf<F> sure;
};

/// An entry's t, and the largest distance of stage 2's from it; proven where `is_tame`.
template <class F>
struct WideEntryT {
  DoubleOf<F> t;
  F error;
  MaskOf<F> is_tame;
};

/// Certain where all numbers within the error round to the same float.
template <class F>
SIGHTLINE_HD CertainEntryT<F> rounded(const WideEntryT<F>& entry) {
  const DoubleOf<F> error = widened(entry.error);
  const F least = narrowed(entry.t - error), greatest = narrowed(entry.t + error);
  const MaskOf<F> sure = entry.is_tame & (least == greatest);
  return {greatest, sure};
}

template <class F>
SIGHTLINE_HD Vec3T<DoubleOf<F>> widened(const Vec3T<F>& v) {
  return {widened(v.x), widened(v.y), widened(v.z)};
}
template <class F>
SIGHTLINE_HD Vec3T<DoubleOf<F>> wide_difference(const Vec3T<F>& a, const Vec3T<F>& b) {
  return {widened(a.x) - widened(b.x), widened(a.y) - widened(b.y), widened(a.z) - widened(b.z)};
}
template <class D>
SIGHTLINE_HD D wide_dot(const Vec3T<D>& a, const Vec3T<D>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class D>
SIGHTLINE_HD Vec3T<D> wide_moved(const Vec3T<D>& p, const D& t, const Vec3T<D>& d) {
  return {p.x + t * d.x, p.y + t * d.y, p.z + t * d.z};
}
template <class D>
SIGHTLINE_HD Vec3T<D> wide_cross(const Vec3T<D>& a, const Vec3T<D>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A line in doubles, once for all shapes.
template <class F>
struct WideLineT {
  Vec3T<DoubleOf<F>> direction;
  DoubleOf<F> per_dd;  ///< 1 / |direction|^2
};
template <class F>
SIGHTLINE_HD WideLineT<F> widened(const LineT<F>& line) {
  return {widened(line.direction), widened(F(1)) / (widened(line.dd.hi) + widened(line.dd.lo))};
}

/// The limits within which the error bounds below are proven: of the radius, of sizes relative to
/// it, and of how much a slanted crossing magnifies errors.
template <class F>
SIGHTLINE_HD MaskOf<F> entry_is_tame(const F& radius, const F& size, const F& slant) {
  return (radius >= F(0x1p-30f)) & (size <= radius * F(0x1p20f)) & (slant <= F(0x1p10f));
}

/// The entry on a ball that the line hits.
template <class F>
SIGHTLINE_HD WideEntryT<F> ball_entry(const LineT<F>& line, const WideLineT<F>& wide,
                                      const SphereT<F>& s) {
  using D = DoubleOf<F>;
  const Vec3T<D> w = wide_difference(line.origin, s.center);
  const D r = widened(s.radius);
  const D foot = -(wide_dot(w, wide.direction) * wide.per_dd);
  const Vec3T<D> p = wide_moved(w, foot, wide.direction);
  const D root = wide_sqrt((r * r - wide_dot(p, p)) * wide.per_dd);
  const F size = sum_abs(difference(line.origin, s.center)) + s.radius;
  const F slant = s.radius / narrowed(root);
  return {foot - root, size * F(0x1p-38f) * (F(1) + slant), entry_is_tame(s.radius, size, slant)};
}

/// The entry on a capsule's infinite cylinder, which the line hits.
template <class F>
struct SideEntryT {
  WideEntryT<F> entry;
  F above_a, above_b;  ///< how far it is past a and past b along the segment, times its length
  F doubt;             ///< the error of these
};
template <class F>
SIGHTLINE_HD SideEntryT<F> side_entry(const LineT<F>& line, const WideLineT<F>& wide,
                                      const CapsuleT<F>& s) {
  using D = DoubleOf<F>;
  const Vec3T<D> d = wide.direction;
  const Vec3T<D> wa = wide_difference(line.origin, s.a), e = wide_difference(s.b, s.a);
  const D r = widened(s.radius);
  const D foot = -(wide_dot(wa, d) * wide.per_dd);
  const Vec3T<D> w = wide_moved(wa, foot, d);
  const Vec3T<D> g = wide_cross(e, d);
  const D ee = wide_dot(e, e), ed = wide_dot(e, d), we = wide_dot(w, e), wg = wide_dot(w, g);
  const D gg = wide_dot(g, g), per_gg = widened(F(1)) / gg;
  const D root = wide_sqrt(ee * (r * r * gg - wg * wg)) * per_gg;
  const D from_foot = we * ed * per_gg - root;
  const D height = we + from_foot * ed;

  const F squared_length = narrowed(ee);
  const F size = (sum_abs(difference(line.origin, s.a)) + sum_abs(difference(s.b, s.a))) + s.radius;
  const F skew = F(1) + narrowed(ee * per_gg);
  const F slant = s.radius / narrowed(root) * skew;
  const F error = size * F(0x1p-37f) * skew * (F(1) + slant);
  const MaskOf<F> is_tame =
      entry_is_tame(s.radius, size, slant) & (skew <= F(0x1p16f)) & (squared_length >= F(0x1p-60f));
  return {{foot + from_foot, error, is_tame},
          narrowed(height),
          narrowed(height - ee),
          error * F(8) * sqrt(squared_length)};
}

/// The entry through the face of a box that the line surely enters by: axis . (x - center) is -half
/// or half there. `size` bounds the box and its distance from the origin.
template <class F>
SIGHTLINE_HD WideEntryT<F> face_entry(const LineT<F>& line, const Vec3T<F>& center,
                                      const Vec3T<F>& axis, const F& half, const F& size) {
  using D = DoubleOf<F>;
  const Vec3T<D> a = widened(axis);
  const D along = wide_dot(wide_difference(line.origin, center), a);
  const D speed = wide_dot(widened(line.direction), a);
  const F speed_size = abs(narrowed(speed));
  const D sign = widened(select(narrowed(speed) < F(0), F(-1), F(1)));
  const MaskOf<F> is_tame = (size >= F(0x1p-40f)) & (speed_size >= F(0x1p-18f));
  const D t = -((sign * along + widened(half)) / (sign * speed));
  return {t, size * F(0x1p-38f) / speed_size, is_tame};
}

template <class F>
SIGHTLINE_HD CertainEntryT<F> certain_entry(const LineT<F>& line, const SphereT<F>& s) {
  return rounded(ball_entry(line, widened(line), s));
}
template <class F>
SIGHTLINE_HD CertainEntryT<F> certain_entry(const LineT<F>& line, const CapsuleT<F>& s) {
  const WideLineT<F> wide = widened(line);
  const SideEntryT<F> c = side_entry(line, wide, s);
  const CertainEntryT<F> side = rounded(c.entry);
  const MaskOf<F> at_a = c.above_a < -c.doubt, at_end = at_a | (c.above_b > c.doubt);
  const MaskOf<F> between = (c.above_a > c.doubt) & (c.above_b < -c.doubt);
  const MaskOf<F> on_side = side.sure & between;
  if (!any(at_end)) return {side.t, on_side};
  const CertainEntryT<F> end =
      rounded(ball_entry(line, wide, SphereT<F>{select<F>(at_a, s.a, s.b), s.radius}));
  const MaskOf<F> sure = on_side | (end.sure & at_end & c.entry.is_tame);
  return {select(at_end, end.t, side.t), sure};
}

}  // namespace sightline
