// What a line sees of a shape, in arithmetic far wider than the library's and by other formulas:
// quadratics, half-space clipping, a capsule as a cylinder and two balls.
//
// Real is `Quad` (binary128) for the truth, or `long double` where the answer is not near.
#pragma once

#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/cylinder.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/plane.hpp>
#include <sightline/geometry/shapes/sphere.hpp>

#include <cmath>
#include <utility>

namespace sightline::oracle {

__extension__ typedef __float128 Quad;

template <class Real>
struct Wide {
  Real x, y, z;
  Wide(Real a, Real b, Real c) : x(a), y(b), z(c) {}
  explicit Wide(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
};
template <class Real>
Wide<Real> operator-(const Wide<Real>& a, const Wide<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
Wide<Real> operator+(const Wide<Real>& a, const Wide<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
Wide<Real> operator*(const Wide<Real>& a, Real s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class Real>
Real dot(const Wide<Real>& a, const Wide<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
Wide<Real> cross(const Wide<Real>& a, const Wide<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
Real magnitude(Real v) {
  return v < 0 ? -v : v;
}

inline long double root(long double v) { return v > 0 ? std::sqrt(v) : 0.0L; }
/// One Newton step from the 64-bit root doubles its bits.
inline Quad root(Quad v) {
  if (!(v > 0)) return 0;
  const Quad s = std::sqrt(static_cast<long double>(v));
  return (s + v / s) / 2;
}

/// Ends further out than anything in the domain.
inline constexpr double beyond = 1e300;

/// The points t_in <= t <= t_out, or none. `outside` is how far the line passes from the
/// silhouette, a length: positive beside the shape, negative through it.
template <class Real>
struct Seen {
  bool hit;
  Real t_in, t_out, outside;
};

template <class Real>
Seen<Real> none_seen(Real outside) {
  return {false, Real(beyond), Real(-beyond), outside};
}

/// o + t d.
template <class Real>
struct WideLine {
  Wide<Real> o, d;
  WideLine(const Vec3& origin, const Vec3& direction) : o(origin), d(direction) {}
};

template <class Real>
Seen<Real> see_ball(const WideLine<Real>& line, const Wide<Real>& center, Real radius) {
  const Wide<Real> w = line.o - center;
  const Real a = dot(line.d, line.d), b = dot(w, line.d), ww = dot(w, w);
  const Real c = ww - radius * radius, discriminant = b * b - a * c;
  const Real outside = root(ww - b * b / a) - radius;
  if (discriminant < 0) return none_seen(outside);
  const Real s = root(discriminant);
  return {true, (-b - s) / a, (-b + s) / a, outside};
}

template <class Real>
Seen<Real> see(const WideLine<Real>& line, const Sphere& s) {
  return see_ball(line, Wide<Real>(s.center), Real(s.radius));
}

/// Clips the line to three slabs |p_i + t v_i| <= h_i, p and v being its coordinates along the
/// slabs' axes.
template <class Real>
Seen<Real> clip(const Wide<Real>& p, const Wide<Real>& v, const Wide<Real>& h) {
  const Wide<Real> m = cross(p, v);
  Real outside(-beyond);
  const auto separate = [&](Real mi, Real hj, Real hk, Real vj, Real vk) {
    const Real length = root(vj * vj + vk * vk);
    if (!(length > 0)) return;
    const Real gap = (magnitude(mi) - hj * magnitude(vk) - hk * magnitude(vj)) / length;
    if (gap > outside) outside = gap;
  };
  separate(m.x, h.y, h.z, v.y, v.z);
  separate(m.y, h.z, h.x, v.z, v.x);
  separate(m.z, h.x, h.y, v.x, v.y);

  Seen<Real> r{true, Real(-beyond), Real(beyond), outside};
  const auto between = [&](Real pi, Real vi, Real hi) {
    if (vi == 0) {
      if (magnitude(pi) > hi) r.hit = false;
      return;
    }
    Real from = (-hi - pi) / vi, to = (hi - pi) / vi;
    if (from > to) std::swap(from, to);
    if (from > r.t_in) r.t_in = from;
    if (to < r.t_out) r.t_out = to;
  };
  between(p.x, v.x, h.x);
  between(p.y, v.y, h.y);
  between(p.z, v.z, h.z);
  r.hit = r.hit && r.t_in <= r.t_out;
  return r;
}

template <class Real>
Seen<Real> see(const WideLine<Real>& line, const Aabb& s) {
  const Wide<Real> lo(s.min), hi(s.max);
  return clip(line.o - (lo + hi) * Real(0.5), line.d, (hi - lo) * Real(0.5));
}

template <class Real>
Seen<Real> see(const WideLine<Real>& line, const ObbFrame& s) {
  const Wide<Real> w = line.o - Wide<Real>(s.center);
  const auto along = [&](const Wide<Real>& v) {
    return Wide<Real>{dot(v, Wide<Real>(s.axis[0])), dot(v, Wide<Real>(s.axis[1])),
                      dot(v, Wide<Real>(s.axis[2]))};
  };
  return clip(along(w), along(line.d), Wide<Real>(s.half_extents));
}

/// The part of the infinite cylinder between the planes through its ends.
template <class Real>
Seen<Real> see_tube(const WideLine<Real>& line, const Wide<Real>& w, const Wide<Real>& e,
                    Real radius) {
  const Real ee = dot(e, e), we = dot(w, e), de = dot(line.d, e);
  const Real a = dot(line.d, line.d) * ee - de * de;
  const Real b = dot(w, line.d) * ee - we * de;
  const Real c = (dot(w, w) - radius * radius) * ee - we * we;
  Seen<Real> r{true, Real(-beyond), Real(beyond), Real(0)};
  if (a > 0) {
    const Real discriminant = b * b - a * c;
    if (discriminant < 0) return none_seen(Real(0));
    const Real s = root(discriminant);
    r.t_in = (-b - s) / a;
    r.t_out = (-b + s) / a;
  } else if (c > 0) {
    return none_seen(Real(0));
  }
  if (de == 0) {
    r.hit = we >= 0 && we <= ee;
    return r;
  }
  Real from = -we / de, to = (ee - we) / de;
  if (from > to) std::swap(from, to);
  if (from > r.t_in) r.t_in = from;
  if (to < r.t_out) r.t_out = to;
  r.hit = r.t_in <= r.t_out;
  return r;
}

/// The distance of the line from the segment a, a + e, by minimising |(w - s e) x d| / |d|.
template <class Real>
Real distance_to_segment(const WideLine<Real>& line, const Wide<Real>& w, const Wide<Real>& e) {
  const Wide<Real> m = cross(w, line.d), g = cross(e, line.d);
  const Real gg = dot(g, g);
  Real s = gg > 0 ? dot(m, g) / gg : Real(0);
  s = s < 0 ? Real(0) : s > 1 ? Real(1) : s;
  const Wide<Real> n = m - g * s;
  return root(dot(n, n) / dot(line.d, line.d));
}

template <class Real>
Seen<Real> see(const WideLine<Real>& line, const Capsule& s) {
  const Wide<Real> a(s.a), b(s.b);
  const Real radius(s.radius);
  const Wide<Real> e = b - a;
  Seen<Real> r = none_seen(distance_to_segment(line, line.o - a, e) - radius);
  const auto join = [&](const Seen<Real>& part) {
    if (!part.hit) return;
    r.hit = true;
    if (part.t_in < r.t_in) r.t_in = part.t_in;
    if (part.t_out > r.t_out) r.t_out = part.t_out;
  };
  join(see_ball(line, a, radius));
  join(see_ball(line, b, radius));
  if (dot(e, e) > 0) join(see_tube(line, line.o - a, e, radius));
  return r;
}

/// How far a line passes from the silhouette of a cylinder: seen along the line it is a strip that
/// ends in two half ellipses. Beside an ellipse the gap is that along its axes, which is more than
/// the distance, but by no more than a factor of sqrt 2.
template <class Real>
Real outside_of_cylinder(const WideLine<Real>& line, const Wide<Real>& w, const Wide<Real>& e,
                         Real radius) {
  const Wide<Real> m = cross(w, line.d), g = cross(e, line.d);
  const Real dd = dot(line.d, line.d), gg = dot(g, g);
  if (!(gg > 0)) return root(dot(m, m) / dd) - radius;
  const Real x = magnitude(dot(w, g)) / root(gg), strip = root(gg / dd);
  const Real y = dot(m, g) / root(gg * dd);
  const Real low = radius * root(dot(e, line.d) * dot(e, line.d) / (dot(e, e) * dd));
  const auto height_at = [&](Real at) { return low * root(1 - at / radius * (at / radius)); };
  const auto width_at = [&](Real at) { return radius * root(1 - at / low * (at / low)); };
  const auto least = [](Real a, Real b) { return a < b ? a : b; };
  const Real beyond_end = y < 0 ? -y : y > strip ? y - strip : Real(0);
  if (beyond_end > 0) {
    Real gap = x > radius || beyond_end > low ? Real(beyond)
                                              : least(height_at(x) - beyond_end, radius - x);
    if (gap >= 0 && gap < Real(beyond)) return -gap;
    gap = root((x - radius) * (x - radius) + beyond_end * beyond_end);
    if (x < radius) gap = least(gap, beyond_end - height_at(x));
    if (beyond_end < low) gap = least(gap, x - width_at(beyond_end));
    return gap;
  }
  if (x > radius) return x - radius;
  return -least(radius - x, height_at(x) + least(y, strip - y));
}
template <class Real>
Seen<Real> see(const WideLine<Real>& line, const Cylinder& s) {
  const Wide<Real> a(s.a), e = Wide<Real>(s.b) - a, w = line.o - a;
  Seen<Real> r = see_tube(line, w, e, Real(s.radius));
  r.outside = outside_of_cylinder(line, w, e, Real(s.radius));
  return r;
}

/// `outside` is the origin's distance above the plane: a line that is not parallel always meets it.
template <class Real>
Seen<Real> see(const WideLine<Real>& line, const Plane& s) {
  const Wide<Real> n(s.normal);
  const Real excess = dot(n, line.o) - Real(s.offset), speed = dot(n, line.d);
  const Real outside = excess / root(dot(n, n));
  if (speed == 0) return {excess <= 0, Real(-beyond), Real(beyond), outside};
  const Real t = -excess / speed;
  if (speed > 0) return {true, Real(-beyond), t, outside};
  return {true, t, Real(beyond), outside};
}

/// Whether 64 bits lose too much: for a line nearly along a capsule or a cylinder.
template <class Shape>
bool cancels(const Vec3&, const Vec3&, const Shape&) {
  return false;
}
inline bool cancels(const Vec3&, const Vec3& direction, const Capsule& s) {
  const Wide<long double> d(direction), e = Wide<long double>(s.b) - Wide<long double>(s.a);
  const Wide<long double> g = cross(d, e);
  return dot(g, g) < 1e-4L * dot(d, d) * dot(e, e);
}
inline bool cancels(const Vec3& origin, const Vec3& direction, const Cylinder& s) {
  return cancels(origin, direction, Capsule{s.a, s.b, s.radius});
}

/// The truth: in long double, and again in binary128 where the line passes within a hundred
/// thousandth of `size` from the silhouette or the wide formulas cancel.
template <class Shape>
Seen<long double> truth(const Vec3& origin, const Vec3& direction, const Shape& shape,
                        double size) {
  const Seen<long double> quick = see(WideLine<long double>(origin, direction), shape);
  if (magnitude(quick.outside) > 1e-5L * static_cast<long double>(size) &&
      !cancels(origin, direction, shape)) {
    return quick;
  }
  const Seen<Quad> s = see(WideLine<Quad>(origin, direction), shape);
  const auto narrow = [](Quad v) { return static_cast<long double>(v); };
  return {s.hit, narrow(s.t_in), narrow(s.t_out), narrow(s.outside)};
}

}  // namespace sightline::oracle
