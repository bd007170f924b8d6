// AABB and OBB: sure hits and misses from crossing times in floats, and the one exact crossing that
// closest hit then needs. Proofs: docs/project/proofs/rays.md, "Certain hits".
#pragma once

#include <sightline/geometry/intersect/certain_entry.hpp>
#include <sightline/geometry/intersect/ray_aabb.hpp>
#include <sightline/geometry/intersect/ray_obb.hpp>

namespace sightline {

/// Bounds of the times at which a line enters and leaves a box that it hits.
template <class F>
struct BoxTimesT {
  F in_early, in_late, out_early, out_late;
};

/// Whether a box that the ray surely meets surely counts under the policy.
template <class F>
SIGHTLINE_HD MaskOf<F> certainly_hits(const MaskOf<F>& meets, const BoxTimesT<F>& t, F t_min,
                                      F t_max, Inside inside, bool both_ends) {
  return certainly_counts<F>(
      meets, inside, both_ends, [&]() SIGHTLINE_LAMBDA { return t.in_early >= t_min; },
      [&]() SIGHTLINE_LAMBDA { return t.out_late <= t_max; });
}

/// Whether no axis of a box is surely left before another is entered: so the line meets it, also
/// where it has no extent along an axis.
template <class F>
SIGHTLINE_HD MaskOf<F> certainly_in_order(const F (&in_late)[3], const F (&out_early)[3]) {
  const F after_x = min(out_early[1], out_early[2]), after_y = min(out_early[2], out_early[0]);
  const F after_z = min(out_early[0], out_early[1]);
  return (in_late[0] <= after_x) & (in_late[1] <= after_y) & (in_late[2] <= after_z);
}
/// Whether a ray surely meets a box that its line meets.
template <class F>
SIGHTLINE_HD MaskOf<F> certainly_within(const LineT<F>& line, const BoxTimesT<F>& t, F t_min,
                                        F t_max) {
  return (t.in_late <= t_max) & (t_min <= t.out_early) & !line.is_point;
}

/// The axis of the largest of three, as lane masks; the lowest of equals.
template <class F>
struct LargestT {
  MaskOf<F> is_x, is_y;  ///< neither: z
  F other;               ///< the larger of the other two

  SIGHTLINE_HD explicit LargestT(const F (&v)[3])
      : is_x((v[0] >= v[1]) & (v[0] >= v[2])), is_y((!is_x) & (v[1] >= v[2])) {
    other = max(select(is_x, v[2], v[0]), select(is_y, v[2], v[1]));
  }
  SIGHTLINE_HD F of(const F& x, const F& y, const F& z) const {
    return select(is_x, x, select(is_y, y, z));
  }
};

/// The error of a crossing time in floats, stage 2's own error included.
template <class F>
SIGHTLINE_HD F time_doubt(const F& t) {
  return fma(abs(t), F(0x1p-19f), F(0x1p-60f));
}

/// Crossing times of an AABB's planes: near at least -2^100, far at most 2^100, which drops the NaN
/// of a line within a plane.
template <class F>
struct AabbTimesT {
  F near[3], far[3];
};
template <class F>
SIGHTLINE_HD AabbTimesT<F> times_of(const LineT<F>& line, const AabbT<F>& s) {
  AabbTimesT<F> r;
  const auto axis = [&](int i, F o, F d, F inverse, F lo, F hi) SIGHTLINE_LAMBDA {
    const auto backward = d < F(0);
    r.near[i] = max((select(backward, hi, lo) - o) * inverse, F(-0x1p100f));  // drops NaN
    r.far[i] = min((select(backward, lo, hi) - o) * inverse, F(0x1p100f));
  };
  axis(0, line.origin.x, line.direction.x, line.inverse.x, s.min.x, s.max.x);
  axis(1, line.origin.y, line.direction.y, line.inverse.y, s.min.y, s.max.y);
  axis(2, line.origin.z, line.direction.z, line.inverse.z, s.min.z, s.max.z);
  return r;
}
template <class F>
SIGHTLINE_HD BoxTimesT<F> bounds_of(const AabbTimesT<F>& t) {
  const F t_in = max(max(t.near[0], t.near[1]), t.near[2]);
  const F t_out = min(min(t.far[0], t.far[1]), t.far[2]);
  const F in_doubt = time_doubt(t_in), out_doubt = time_doubt(t_out);
  return {t_in - in_doubt, t_in + in_doubt, t_out - out_doubt, t_out + out_doubt};
}

template <class F>
SIGHTLINE_HD MaskOf<F> certainly_meets(const LineT<F>& line, const AabbTimesT<F>& t,
                                       const BoxTimesT<F>& b, F t_min, F t_max) {
  F in_late[3], out_early[3];
  for (int i = 0; i < 3; ++i) {
    in_late[i] = t.near[i] + time_doubt(t.near[i]);
    out_early[i] = t.far[i] - time_doubt(t.far[i]);
  }
  const MaskOf<F> in_order = certainly_in_order(in_late, out_early);
  const MaskOf<F> within = certainly_within(line, b, t_min, t_max);
  return in_order & within;
}

/// Whether a ray surely hits the box. Misses are left to the gate, the same slab, which may come
/// before or after: what is surely hit has an open one.
template <class F>
SIGHTLINE_HD CertainT<F> certainly(const LineT<F>& line, const AabbT<F>& s, F t_min, F t_max,
                                   Inside inside, bool both_ends) {
  const AabbTimesT<F> t = times_of(line, s);
  const BoxTimesT<F> b = bounds_of(t);
  return {
      certainly_hits(certainly_meets(line, t, b, t_min, t_max), b, t_min, t_max, inside, both_ends),
      MaskOf<F>(false)};
}

/// Bounds of the crossing times of an OBB's planes.
template <class F>
struct ObbTimesT {
  F in_early[3], in_late[3], out_early[3], out_late;
  F speed[3];  ///< |speed| of the line along the axes
};
template <class F>
SIGHTLINE_HD ObbTimesT<F> times_of(const LineT<F>& line, const ObbFrameT<F>& s) {
  const Vec3T<F> w = difference(line.origin, s.center);
  const F half[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
  const F doubt = fma(sum_abs(w) + sum_abs(s.half_extents), F(0x1p-18f), F(0x1p-100f));
  ObbTimesT<F> r;
  r.out_late = F(infinity);
  for (int i = 0; i < 3; ++i) {
    const F along = dot(w, s.axis[i]), speed = dot(line.direction, s.axis[i]);
    const F to_middle = select(speed < F(0), along, -along);
    r.speed[i] = max(abs(speed), F(0x1p-60f));
    const F per_speed = F(1) / r.speed[i];
    const F inner = half[i] - doubt, outer = half[i] + doubt;
    r.in_early[i] = (to_middle - outer) * per_speed;
    r.in_late[i] = (to_middle - inner) * per_speed;
    r.out_early[i] = (to_middle + inner) * per_speed;
    r.out_late = min((to_middle + outer) * per_speed, r.out_late);
  }
  return r;
}
template <class F>
SIGHTLINE_HD BoxTimesT<F> bounds_of(const ObbTimesT<F>& t) {
  return {max(max(t.in_early[0], t.in_early[1]), t.in_early[2]),
          max(max(t.in_late[0], t.in_late[1]), t.in_late[2]),
          min(min(t.out_early[0], t.out_early[1]), t.out_early[2]), t.out_late};
}

template <class F>
SIGHTLINE_HD MaskOf<F> certainly_meets(const LineT<F>& line, const ObbTimesT<F>& t,
                                       const BoxTimesT<F>& b, F t_min, F t_max) {
  const MaskOf<F> in_order = certainly_in_order(t.in_late, t.out_early);
  const MaskOf<F> within = certainly_within(line, b, t_min, t_max);
  return in_order & within;
}
template <class F>
SIGHTLINE_HD MaskOf<F> certainly_misses(const LineT<F>& line, const BoxTimesT<F>& t, F t_min,
                                        F t_max) {
  return (max(t.in_early, t_min) > min(t.out_late, t_max)) & !line.is_point;
}

/// Whether a ray surely hits, or surely misses, the box.
template <class F>
SIGHTLINE_HD CertainT<F> certainly(const LineT<F>& line, const ObbFrameT<F>& s, F t_min, F t_max,
                                   Inside inside, bool both_ends) {
  const ObbTimesT<F> t = times_of(line, s);
  const BoxTimesT<F> b = bounds_of(t);
  return {
      certainly_hits(certainly_meets(line, t, b, t_min, t_max), b, t_min, t_max, inside, both_ends),
      certainly_misses(line, b, t_min, t_max)};
}

/// An interval for which apply_policy() gives the same answer as for interval()'s, in the `wanted`
/// lanes: one exact crossing where the last entered axis is certain and the exit known well enough.
template <class F, class Fallback = ExactFallback>
SIGHTLINE_HD IntervalT<F> interval_ahead(const LineT<F>& line, const AabbT<F>& s, F t_min, F,
                                         Inside inside, const MaskOf<F>& wanted,
                                         Fallback&& fallback = Fallback()) {
  const AabbTimesT<F> t = times_of(line, s);
  const LargestT<F> last(t.near);
  const BoxTimesT<F> b = bounds_of(t);
  MaskOf<F> clear = certainly_meets(line, t, b, t_min, F(infinity));
  clear = clear & (last.other + time_doubt(last.other) < b.in_early);
  if (inside == Inside::surface) clear = clear & (b.in_early >= t_min);
  if (any(wanted & !clear)) return fallback.whole(line, s);

  const Vec3T<F> d = line.direction, o = line.origin;
  const F speed = last.of(d.x, d.y, d.z);
  const auto backward = speed < F(0);
  const Vec3T<F> side = select<F>(backward, s.max, s.min);
  const Two<F> to_plane = two_diff(last.of(side.x, side.y, side.z), last.of(o.x, o.y, o.z));
  const Two<F> near = select(backward, -to_plane, to_plane);
  return {clear, crossing_time(near, abs(speed)), F(infinity)};
}

/// When a line crosses the face at which axis . (x - center) is -half, or half where it runs
/// backward, exactly.
template <class F>
SIGHTLINE_SELDOM F face_crossing(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                 SIGHTLINE_SELDOM_PARAMETER(Vec3T<F>) center,
                                 SIGHTLINE_SELDOM_PARAMETER(Vec3T<F>) axis, F half) {
  const Two<F> speed = two_dot(line.direction, axis);
  const Two<F> along = dot(two_diff(line.origin, center), axis);
  const auto backward = speed.hi < F(0);
  const Two<F> mirrored = select(backward, -along, along);
  const Two<F> near = -(mirrored + half);
  return crossing_time(near, select(backward, -speed, speed));
}

template <class F, class Fallback = ExactFallback>
SIGHTLINE_HD IntervalT<F> interval_ahead(const LineT<F>& line, const ObbFrameT<F>& s, F t_min,
                                         F t_max, Inside inside, const MaskOf<F>& wanted,
                                         Fallback&& fallback = Fallback()) {
  const ObbTimesT<F> t = times_of(line, s);
  const BoxTimesT<F> b = bounds_of(t);
  const MaskOf<F> may = wanted & !certainly_misses(line, b, t_min, t_max);
  if (!any(may)) return {MaskOf<F>(false), F(infinity), F(infinity)};
  const LargestT<F> last(t.in_late);
  MaskOf<F> clear = certainly_meets(line, t, b, t_min, F(infinity));
  clear = clear & (last.other <= last.of(t.in_early[0], t.in_early[1], t.in_early[2]));
  clear = clear & (last.of(t.speed[0], t.speed[1], t.speed[2]) >= F(0x1p-18f));
  if (inside == Inside::surface) clear = clear & (b.in_early >= t_min);
  if (any(may & !clear)) return fallback.whole(line, s);

  const auto chosen = [&](const F& x, const F& y, const F& z)
                          SIGHTLINE_LAMBDA { return last.of(x, y, z); };
  const Vec3T<F> axis = {chosen(s.axis[0].x, s.axis[1].x, s.axis[2].x),
                         chosen(s.axis[0].y, s.axis[1].y, s.axis[2].y),
                         chosen(s.axis[0].z, s.axis[1].z, s.axis[2].z)};
  const Vec3T<F> h = s.half_extents;
  const F half = chosen(h.x, h.y, h.z);
  if (quick_doubles) {
    const F size = sum_abs(difference(line.origin, s.center)) + sum_abs(h);
    const CertainEntryT<F> entry = rounded(face_entry(line, s.center, axis, half, size));
    if (!any(may & !entry.sure)) return {clear, entry.t, F(infinity)};
  }
  return {clear, fallback.face(line, s.center, axis, half), F(infinity)};
}

}  // namespace sightline
