// The forms found in textbooks, in plain floats: what the measured accuracy is compared with.
#pragma once

#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/cylinder.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/plane.hpp>
#include <sightline/geometry/shapes/sphere.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::textbook {

/// The entry of a line into a shape, origin outside.
struct Entry {
  bool hit;
  float t;
};

inline float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 minus(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// b * b - a * c.
inline Entry entry(const Vec3& o, const Vec3& d, const Sphere& s) {
  const Vec3 w = minus(o, s.center);
  const float a = dot(d, d), b = dot(w, d), c = dot(w, w) - s.radius * s.radius;
  const float discriminant = b * b - a * c;
  return {discriminant >= 0, (-b - std::sqrt(std::max(discriminant, 0.0f))) / a};
}

/// Slabs by reciprocals.
inline Entry slabs(const Vec3& o, const Vec3& d, const Vec3& lo, const Vec3& hi) {
  float t_in = -INFINITY, t_out = INFINITY;
  const auto cut = [&](float oi, float di, float l, float h) {
    const float inverse = 1 / di;
    const float t0 = (l - oi) * inverse, t1 = (h - oi) * inverse;
    t_in = std::fmax(t_in, std::fmin(t0, t1));
    t_out = std::fmin(t_out, std::fmax(t0, t1));
  };
  cut(o.x, d.x, lo.x, hi.x);
  cut(o.y, d.y, lo.y, hi.y);
  cut(o.z, d.z, lo.z, hi.z);
  return {t_in <= t_out, t_in};
}
inline Entry entry(const Vec3& o, const Vec3& d, const Aabb& s) {
  return slabs(o, d, s.min, s.max);
}

/// Slabs in the box's own coordinates.
inline Entry entry(const Vec3& o, const Vec3& d, const ObbFrame& s) {
  const Vec3 w = minus(o, s.center);
  const auto local = [&](const Vec3& v) {
    return Vec3{dot(v, s.axis[0]), dot(v, s.axis[1]), dot(v, s.axis[2])};
  };
  const Vec3 h = s.half_extents;
  return slabs(local(w), local(d), -h, h);
}

/// The quadratic of the infinite cylinder, then of the ball at the end beyond which it is met.
inline Entry entry(const Vec3& o, const Vec3& d, const Capsule& s) {
  const Vec3 e = minus(s.b, s.a), w = minus(o, s.a);
  const float ee = dot(e, e), de = dot(d, e), we = dot(w, e), dw = dot(d, w);
  const float rr = s.radius * s.radius;
  const float a = dot(d, d) * ee - de * de, b = dw * ee - we * de;
  const float c = (dot(w, w) - rr) * ee - we * we;
  const float discriminant = b * b - a * c;
  if (discriminant < 0) return {false, 0};
  const float t = (-b - std::sqrt(discriminant)) / a, height = we + t * de;
  if (height > 0 && height < ee) return {true, t};
  return entry(o, d, Sphere{height <= 0 ? s.a : s.b, s.radius});
}

/// The quadratic of the infinite cylinder, cut at the planes of the ends.
inline Entry entry(const Vec3& o, const Vec3& d, const Cylinder& s) {
  const Vec3 e = minus(s.b, s.a), w = minus(o, s.a);
  const float ee = dot(e, e), de = dot(d, e), we = dot(w, e), dw = dot(d, w);
  const float rr = s.radius * s.radius;
  const float a = dot(d, d) * ee - de * de, b = dw * ee - we * de;
  const float c = (dot(w, w) - rr) * ee - we * we;
  const float discriminant = b * b - a * c;
  if (discriminant < 0) return {false, 0};
  const float root = std::sqrt(discriminant), first = -we / de, second = (ee - we) / de;
  const float t_in = std::max((-b - root) / a, std::min(first, second));
  return {t_in <= std::min((-b + root) / a, std::max(first, second)), t_in};
}

/// Distance over speed; hit is whether the origin lies inside.
inline Entry entry(const Vec3& o, const Vec3& d, const Plane& s) {
  const float excess = dot(s.normal, o) - s.offset;
  return {excess <= 0, -excess / dot(s.normal, d)};
}

}  // namespace sightline::textbook
