// Ray against OBB.
#pragma once

#include <sightline/geometry/intersect/box_slabs.hpp>
#include <sightline/geometry/intersect/moment.hpp>
#include <sightline/geometry/shapes/obb.hpp>

namespace sightline {

/// Distances and speeds along the stored axes, in two-floats.
template <class F>
SIGHTLINE_HD BoxSlabs<F, Two<F>> slabs_of(const LineT<F>& line, const ObbFrameT<F>& s) {
  BoxSlabs<F, Two<F>> r;
  const TwoVec3<F> w = two_diff(line.origin, s.center);
  const F half[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
  for (int i = 0; i < 3; ++i) {
    const Two<F> speed = two_dot(line.direction, s.axis[i]);
    const Two<F> along = dot(w, s.axis[i]);
    const auto backward = speed.hi < F(0);
    const Two<F> mirrored = select(backward, -along, along);
    r.near[i] = -(mirrored + half[i]);
    r.far[i] = -(mirrored + (-half[i]));
    r.speed[i] = select(backward, -speed, speed);
  }
  return r;
}

/// Stage 1: false only for lines that surely miss, by the separating axes of a line and a box.
/// The padding covers rounding and the stored axes' distance from orthonormal
/// (docs/project/proofs/rays.md).
template <class F>
SIGHTLINE_HD MaskOf<F> may_hit(const LineT<F>& line, const ObbFrameT<F>& s) {
  const TwoVec3<F> w = two_diff(line.origin, s.center);
  const Vec3T<F> m = moment(w, line.direction);
  const Vec3T<F> h = s.half_extents;
  const F padding =
      fma(sum_abs(m) + sum_abs(h), F(0x1p-19f), fma(max_abs(high(w)), F(0x1p-40f), F(0x1p-140f)));
  const F dx = abs(dot(line.direction, s.axis[0]));
  const F dy = abs(dot(line.direction, s.axis[1]));
  const F dz = abs(dot(line.direction, s.axis[2]));
  const auto misses_x = abs(dot(m, s.axis[0])) > fma(h.y, dz, fma(h.z, dy, padding));
  const auto misses_y = abs(dot(m, s.axis[1])) > fma(h.z, dx, fma(h.x, dz, padding));
  const auto misses_z = abs(dot(m, s.axis[2])) > fma(h.x, dy, fma(h.y, dx, padding));
  return (!(misses_x | misses_y | misses_z)) | line.is_point;
}

/// Stage 2, the answer: the half-spaces of the stored axes.
template <class F>
SIGHTLINE_HD IntervalT<F> interval(const LineT<F>& line, const ObbFrameT<F>& s) {
  const IntervalT<F> r = interval(slabs_of(line, s));
  return any(line.is_point) ? select(line.is_point, point_interval<F>(contains(s, line.origin)), r)
                            : r;
}

/// The outward unit normal where the line enters, or leaves for `at_exit`; the line hits.
template <class F>
SIGHTLINE_HD Vec3T<F> surface_normal(const LineT<F>& line, const ObbFrameT<F>& s,
                                     const MaskOf<F>& at_exit) {
  const F face = face_axis(slabs_of(line, s), at_exit);
  const Vec3T<F> axis =
      select<F>(face == F(0), s.axis[0], select<F>(face == F(1), s.axis[1], s.axis[2]));
  const auto backward = two_dot(line.direction, axis).hi < F(0);
  const Vec3T<F> along = select<F>(backward, -axis, axis);
  return unit(select<F>(at_exit, along, -along));
}

}  // namespace sightline
