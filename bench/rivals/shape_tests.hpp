// Ray against shape in plain float arithmetic, for any number of lanes: the textbook forms. An
// origin inside a box or sphere is a hit at t_near, as `solid` answers; inside a capsule it is not
// seen (the standard rays begin outside).
#pragma once

#include "bench/rivals/lanes.hpp"
#include "bench/rivals/records.hpp"

namespace sightline::rivals {
namespace {

template <class F>
struct RayLanes {
  F ox, oy, oz, dx, dy, dz, near, far;
};

template <class F>
using MaskOf = decltype(F() <= F());

/// hit: t is in [near, far].
template <class F>
struct ShapeHit {
  MaskOf<F> hit;
  F t;
};

template <class F>
struct Vec {
  F x, y, z;
};
template <class F>
SIGHTLINE_LANES F dot(const Vec<F>& a, const Vec<F>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Slabs with reciprocals.
template <class F>
SIGHTLINE_LANES ShapeHit<F> test(const RayLanes<F>& r, const AabbRecord& s) {
  const F rx = F(1) / r.dx, ry = F(1) / r.dy, rz = F(1) / r.dz;
  const F ax = (F(s.low[0]) - r.ox) * rx, bx = (F(s.high[0]) - r.ox) * rx;
  const F ay = (F(s.low[1]) - r.oy) * ry, by = (F(s.high[1]) - r.oy) * ry;
  const F az = (F(s.low[2]) - r.oz) * rz, bz = (F(s.high[2]) - r.oz) * rz;
  const F in = max(max(min(ax, bx), min(ay, by)), max(min(az, bz), r.near));
  const F out = min(min(max(ax, bx), max(ay, by)), min(max(az, bz), r.far));
  return {in <= out, in};
}

/// Slabs in the box's own frame.
template <class F>
SIGHTLINE_LANES ShapeHit<F> test(const RayLanes<F>& r, const ObbRecord& s) {
  const F wx = r.ox - F(s.center[0]), wy = r.oy - F(s.center[1]), wz = r.oz - F(s.center[2]);
  F in = r.near, out = r.far;
  for (int i = 0; i < 3; ++i) {
    const F cx(s.column[0][i]), cy(s.column[1][i]), cz(s.column[2][i]);
    const F reciprocal = F(1) / (r.dx * cx + r.dy * cy + r.dz * cz);
    const F along = wx * cx + wy * cy + wz * cz;
    const F half(s.column[i][3]);
    const F a = (F(0) - half - along) * reciprocal, b = (half - along) * reciprocal;
    in = max(in, min(a, b));
    out = min(out, max(a, b));
  }
  return {in <= out, in};
}

/// The distance of the line's point nearest to the centre, not b * b - a * c, which far from the
/// sphere loses every digit.
template <class F>
SIGHTLINE_LANES ShapeHit<F> test(const RayLanes<F>& r, const SphereRecord& s) {
  const Vec<F> d{r.dx, r.dy, r.dz};
  const Vec<F> c{F(s.center[0]) - r.ox, F(s.center[1]) - r.oy, F(s.center[2]) - r.oz};
  const F reciprocal = F(1) / dot(d, d);
  const F middle = dot(c, d) * reciprocal;
  const Vec<F> p{c.x - middle * d.x, c.y - middle * d.y, c.z - middle * d.z};
  const F rest = F(s.radius2) - dot(p, p);
  const auto meets = rest >= F(0);
  if (none_of(meets)) return {meets, middle};
  const F half = sqrt(rest * reciprocal);
  const F in = max(middle - half, r.near);
  return {MaskOf<F>(meets & (in <= r.far) & (middle + half >= r.near)), in};
}

/// The cylinder's side, else the ball at the end that the line passes; first the origin is moved to
/// the line's point nearest to `a`, for the same reason as above.
template <class F>
SIGHTLINE_LANES ShapeHit<F> test(const RayLanes<F>& r, const CapsuleRecord& s) {
  const Vec<F> d{r.dx, r.dy, r.dz};
  const Vec<F> e{F(s.ab[0]), F(s.ab[1]), F(s.ab[2])};
  const Vec<F> w{r.ox - F(s.a[0]), r.oy - F(s.a[1]), r.oz - F(s.a[2])};
  const F dd = dot(d, d), ee(s.ab2);
  const F reciprocal = F(1) / dd;
  const F shift = F(0) - dot(w, d) * reciprocal;
  const Vec<F> p{w.x + shift * d.x, w.y + shift * d.y, w.z + shift * d.z};
  const F ed = dot(e, d), ep = dot(e, p), rest = dot(p, p) - F(s.radius2);
  const F a = ee * dd - ed * ed;
  const F b = F(0) - ep * ed;
  const F c = ee * rest - ep * ep;
  const F discriminant = b * b - a * c;
  const auto meets = discriminant >= F(0);
  if (none_of(meets)) return {meets, shift};
  const F side = (F(0) - b - sqrt(discriminant)) / a;
  // Along the axis, in units of ee; a line along the axis passes the end that faces it.
  const F facing = select(ed > F(0), F(-1), ee + ee);
  const F y = select(a > F(1e-7f) * ee * dd, ep + side * ed, facing);
  const auto before_a = y <= F(0);
  const F end_b = select(before_a, F(0), F(0) - ed);
  const F end_c = select(before_a, rest, rest - ep - ep + ee);
  const F end_discriminant = end_b * end_b - dd * end_c;
  const F end = (F(0) - end_b - sqrt(max(end_discriminant, F(0)))) * reciprocal;
  const auto on_side = (y > F(0)) & (ee > y);
  const F t = shift + select(on_side, side, end);
  const auto exists = select(on_side, F(1), end_discriminant) >= F(0);
  return {MaskOf<F>(exists & meets & (t >= r.near) & (t <= r.far)), t};
}

}  // namespace
}  // namespace sightline::rivals
