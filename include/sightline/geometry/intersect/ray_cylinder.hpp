// Ray against cylinder with flat ends.
#pragma once

#include <sightline/geometry/intersect/ray_capsule.hpp>
#include <sightline/geometry/shapes/cylinder.hpp>

namespace sightline {

/// A line and a cylinder in two-floats. Its side is that of the capsule about the same segment.
template <class F>
struct CylinderLine {
  CapsuleLine<F> side;
  Two<F> along;  ///< e . d
  /// Where the line is closest to the axis: before the plane of a, or behind that of b.
  MaskOf<F> before_a, after_b;
  MaskOf<F> hit;
};

/// Leaves out what w0 still has along the line. Of a line nearly along the axis g = e x d is mostly
/// rounding, which has a part along the line too, and w0 . g would be noise.
template <class F>
SIGHTLINE_HD void centre_on_axis(const LineT<F>& line, CapsuleLine<F>& c) {
  const auto nearly = (c.gain > F(0x1p20f)) & !c.parallel;
  if (!any(nearly)) return;
  const Two<F> t = dot(c.w0, line.direction) / line.dd;
  const Vec3T<F> d = line.direction;
  const TwoVec3<F> across = c.w0 - TwoVec3<F>{t * d.x, t * d.y, t * d.z};
  const Two<F> distance = dot(across, c.g);
  c.cylinder = select<F>(nearly, c.r2 * dot(c.g, c.g) - distance * distance, c.cylinder);
  c.w0 = select<F>(nearly, across, c.w0);
  c.t0 = select(nearly, c.t0 - t.hi, c.t0);
}

/// Not negative where the line, not parallel to the planes, meets the disc about the point of
/// which m is the moment: (r e . d)^2 - |e x m|^2, as e x m is (e . d) times the way from the
/// disc's centre to the crossing. Scaled by an exact power of two, since the squares may underflow.
template <class F>
SIGHTLINE_HD Two<F> disc_excess(const CapsuleLine<F>& c, F radius, const TwoVec3<F>& m,
                                const Two<F>& along) {
  const TwoVec3<F> q = cross(c.axis.e, m);
  const Two<F> limit = along * radius;
  const F p = normalising_power(max(max(abs(limit.hi), max_abs(high(q))), F(0x1p-126f)));
  const Two<F> at = scaled(limit, p);
  const TwoVec3<F> way = scaled(q, p);
  return at * at - dot(way, way);
}

template <class F>
SIGHTLINE_HD CylinderLine<F> cylinder_line(const LineT<F>& line, const CylinderT<F>& s) {
  // Made in its place: to assign it would copy it by rep movs.
  CylinderLine<F> c = {capsule_line(line, capsule_around(s)), {}, {}, {}, {}};
  centre_on_axis(line, c.side);
  c.along = dot(c.side.axis.e, line.direction);

  // The middle of the line's part in the infinite cylinder, where the line is closest to the axis:
  // before the plane of a the disc at a decides, after that of b the disc at b.
  c.before_a = dot(c.side.ma, c.side.g).hi < F(0);
  c.after_b = dot(c.side.mb, c.side.g).hi > F(0);
  const Two<F> disc =
      disc_excess(c.side, s.radius, select<F>(c.before_a, c.side.ma, c.side.mb), c.along);
  const auto meets_end = (!(c.before_a | c.after_b)) | (disc.hi >= F(0));
  const auto meets_side = c.side.cylinder.hi >= F(0);
  const auto within = ball_discriminant(line, c.side.ma, c.side.r2).hi >= F(0);
  c.hit = select(c.side.parallel, within, meets_side & meets_end) & has_length(c.side.axis);
  return c;
}

/// Where the line crosses the plane of an end: w = origin - end. A line along the plane crosses it
/// at `otherwise`. From afar it is counted from t0, as the side is: near the origin that would lose
/// crossings at 0.
template <class F>
SIGHTLINE_HD F end_crossing(const LineT<F>& line, const CylinderLine<F>& c, const TwoVec3<F>& w,
                            F otherwise) {
  const F t0 = c.side.t0;
  const Vec3T<F> d = line.direction;
  const TwoVec3<F> near = w + TwoVec3<F>{two_prod(t0, d.x), two_prod(t0, d.y), two_prod(t0, d.z)};
  const auto is_far = max_abs(high(w)) > F(16) * max_abs(high(near));
  const Two<F> height = dot(select<F>(is_far, near, w), c.side.axis.e);
  const F q = height.hi / c.along.hi;
  const F t = rounded(height / c.along + (-select(is_far, t0, F(0))));
  return -select(c.along.hi == F(0), -otherwise, select(abs(q) < F(0x1p100f), t, q));
}

/// The ends of the line's part in the infinite cylinder, and where it crosses the planes of the
/// ends: it enters by one of each, and leaves by the other.
template <class F>
struct CylinderCrossings {
  F side_in, side_out, plane_in, plane_out;
};
template <class F>
SIGHTLINE_HD CylinderCrossings<F> crossings_of(const LineT<F>& line, const CylinderLine<F>& c) {
  const CapsuleLine<F>& side = c.side;
  CylinderCrossings<F> r;
  r.side_in = rounded(side_from_foot(side, F(-1)) + side.t0);
  r.side_out = rounded(side_from_foot(side, F(1)) + side.t0);
  r.side_in = select(side.parallel, F(-infinity), r.side_in);
  r.side_out = select(side.parallel, F(infinity), r.side_out);
  const auto forward = c.along.hi >= F(0);
  r.plane_in = end_crossing(line, c, select<F>(forward, side.wa, side.wb), F(-infinity));
  r.plane_out = end_crossing(line, c, select<F>(forward, side.wb, side.wa), F(infinity));

  // The disc that decided contains the crossing of its plane. Where the line is nearly along the
  // axis, the ends of the side may be further off than that crossing.
  const auto is_steep = (abs(c.along.hi) > F(0x1p-8f)) & !side.parallel & (c.before_a | c.after_b);
  const auto enters = (forward & c.before_a) | !(forward | c.before_a);
  const F crossing = select(enters, r.plane_in, r.plane_out);
  r.side_in = select(is_steep, min(r.side_in, crossing), r.side_in);
  r.side_out = select(is_steep, max(r.side_out, crossing), r.side_out);
  return r;
}

/// The later entry and the earlier exit. A line nearly along the planes crosses them anywhere, but
/// the ends are within the infinite cylinder.
template <class F>
SIGHTLINE_HD F entry_of(const CylinderCrossings<F>& c) {
  return max(min(c.plane_in, c.side_out), c.side_in);
}
template <class F>
SIGHTLINE_HD F exit_of(const CylinderCrossings<F>& c) {
  return min(max(c.plane_out, c.side_in), c.side_out);
}

/// Stage 1: false only for lines that surely miss: they miss the infinite cylinder, or the disc at
/// the end beyond which they surely are closest to the axis (docs/project/proofs/rays.md).
template <class F>
SIGHTLINE_HD MaskOf<F> may_hit(const LineT<F>& line, const CylinderT<F>& s) {
  const TwoVec3<F> wa = two_diff(line.origin, s.a), wb = two_diff(line.origin, s.b);
  const CapsuleAxis<F> axis = axis_of(capsule_around(s));
  const Vec3T<F> e = high(axis.e);
  const Vec3T<F> ma = moment(wa, line.direction), mb = moment(wb, line.direction);
  const Vec3T<F> g = moment(axis.e, line.direction);
  const F reach_a = max_abs(high(wa)), reach_b = max_abs(high(wb));
  const F tiny = F(0x1p-140f);

  const F gap = abs(dot(e, ma));
  const F doubt = fma(sum_abs(e), fma(sum_abs(ma), F(0x1p-20f), reach_a * F(0x1p-40f)),
                      fma(s.radius, F(0x1p-39f), tiny));
  const auto passes_side = gap > fma(s.radius * F(1.0f + 0x1p-20f), sqrt(dot(g, g)), doubt);

  const F along = abs(dot(e, line.direction));
  const auto side_doubt = [&](const Vec3T<F>& m, F reach) SIGHTLINE_LAMBDA {
    return fma(sum_abs(g), fma(sum_abs(m), F(0x1p-20f), reach * F(0x1p-40f)),
               fma(F(0x1p-39f), sum_abs(m), tiny));
  };
  const auto passes_disc = [&](const Vec3T<F>& m, F reach) SIGHTLINE_LAMBDA {
    const Vec3T<F> q = {e.y * m.z - e.z * m.y, e.z * m.x - e.x * m.z, e.x * m.y - e.y * m.x};
    const F limit = fma(s.radius, fma(sum_abs(e), F(0x1.8p-20f), along),
                        sum_abs(e) * fma(sum_abs(m), F(0x1.8p-21f), fma(reach, F(0x1p-40f), tiny)));
    return dot(q, q) > fma(limit, limit, tiny);
  };
  const auto before_a = dot(ma, g) < -side_doubt(ma, reach_a);
  const auto after_b = dot(mb, g) > side_doubt(mb, reach_b);
  const auto misses =
      passes_side | (before_a & passes_disc(ma, reach_a)) | (after_b & passes_disc(mb, reach_b));
  return (!misses) | line.is_point;
}

/// Stage 2, the answer.
template <class F>
SIGHTLINE_HD IntervalT<F> interval(const LineT<F>& line, const CylinderT<F>& s) {
  const CylinderLine<F> c = cylinder_line(line, s);
  IntervalT<F> r{};
  r.hit = c.hit;
  if (any(r.hit)) {
    const CylinderCrossings<F> crossings = crossings_of(line, c);
    r.t_in = entry_of(crossings);
    r.t_out = exit_of(crossings);
  }
  return any(line.is_point) ? select(line.is_point, point_interval<F>(contains(s, line.origin)), r)
                            : r;
}

/// The outward unit normal where the line enters, or leaves for `at_exit`; the line hits. On a rim
/// it is the end's, but for a line along the end's plane.
template <class F>
SIGHTLINE_HD Vec3T<F> surface_normal(const LineT<F>& line, const CylinderT<F>& s,
                                     const MaskOf<F>& at_exit) {
  const CylinderLine<F> c = cylinder_line(line, s);
  const CapsuleLine<F>& side = c.side;
  const Two<F> t = side_from_foot(side, select(at_exit, F(1), F(-1))) + side.t0;
  const auto moved = [&](const TwoVec3<F>& w) SIGHTLINE_LAMBDA {
    return TwoVec3<F>{w.x + t * line.direction.x, w.y + t * line.direction.y,
                      w.z + t * line.direction.z};
  };
  // The end through which the line enters or leaves, where the side is not met before its plane.
  const TwoVec3<F>& e = side.axis.e;
  const auto forward = c.along.hi > F(0);
  const auto at_b = select(at_exit, forward, !forward);
  const TwoVec3<F> from_a = moved(side.wa), from_b = moved(side.wb);
  const Two<F> above_a = dot(from_a, e);
  const auto beyond = select(at_b, dot(from_b, e).hi >= F(0), above_a.hi <= F(0));
  const auto on_end = side.parallel | (beyond & !(c.along.hi == F(0)));

  const Two<F> ee = select<F>(has_length(side.axis), dot(e, e), Two<F>{F(1), F(0)});
  const TwoVec3<F> from_axis = from_a - times(e, above_a / ee);
  const TwoVec3<F> off_end = select<F>(at_b, e, -e);
  return round_normal(line, s.radius, select<F>(on_end, off_end, from_axis));
}

}  // namespace sightline
