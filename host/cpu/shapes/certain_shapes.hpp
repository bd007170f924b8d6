// Shapes in plain floats, relative to their centres, and the error of that.
#pragma once

#include "host/tree/box8.hpp"

#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/sphere.hpp>

namespace sightline::detail {

/// A sphere, or a capsule relative to its centre.
struct CertainRound {
  Vec3 center, half;  ///< half: from the centre to an end
  float radius;
  float size;   ///< an upper bound of its extent from the centre
  float slack;  ///< the error of the centre
};

/// An AABB or an OBB: its axes and their transpose, with which a vector's coordinates along all
/// three are one sum of multiples. Lane 3 is always 0.
struct CertainBox {
  Float4 center, half, axis[3], turned[3];
  float size, slack;
};

/// A shape of a kind without a stage of floats: these are sure of nothing.
struct NeverCertain {};

inline float sum3(const Vec3& v) { return (abs(v.x) + abs(v.y)) + abs(v.z); }
inline float dot3(const Vec3& a, const Vec3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
inline Vec3 minus(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 along(const Vec3& a, const Vec3& b, float t) {
  return {a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}
inline Vec3 middle(const Vec3& a, const Vec3& b) {
  return {0.5f * a.x + 0.5f * b.x, 0.5f * a.y + 0.5f * b.y, 0.5f * a.z + 0.5f * b.z};
}
inline float cut(float x, float half) { return max(min(x, half), -half); }
inline Vec3 cut(const Vec3& v, const Vec3& half) {
  return {cut(v.x, half.x), cut(v.y, half.y), cut(v.z, half.z)};
}

template <class Shape>
NeverCertain certain_shape(const Shape&) {
  return {};
}
inline CertainRound certain_shape(const Sphere& s) {
  return {s.center, {0, 0, 0}, s.radius, s.radius, 0};
}
inline CertainRound certain_shape(const Capsule& s) {
  const Vec3 center = middle(s.a, s.b), half = minus(s.b, center);
  return {center, half, s.radius, sum3(half) + s.radius, 0x1p-22f * sum3(center)};
}
inline Float4 lanes_of(const Vec3& v) { return Float4{v.x, v.y, v.z, 0}; }
inline CertainBox certain_box(const Vec3& center, const Vec3& half, const Vec3& a, const Vec3& b,
                              const Vec3& c, float slack) {
  return {lanes_of(center),
          lanes_of(half),
          {lanes_of(a), lanes_of(b), lanes_of(c)},
          {Float4{a.x, b.x, c.x, 0}, Float4{a.y, b.y, c.y, 0}, Float4{a.z, b.z, c.z, 0}},
          sum3(half),
          slack};
}
inline CertainBox certain_shape(const Aabb& s) {
  const Vec3 center = middle(s.min, s.max), half = minus(s.max, center);
  return certain_box(center, half, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 0x1p-22f * sum3(center));
}
inline CertainBox certain_shape(const ObbFrame& s) {
  return certain_box(s.center, s.half_extents, s.axis[0], s.axis[1], s.axis[2], 0);
}

/// v[0] * m[0] + v[1] * m[1] + v[2] * m[2].
inline Float4 weighted(const Float4& v, const Float4 (&m)[3]) {
  return (v[0] * m[0] + v[1] * m[1]) + v[2] * m[2];
}
inline Float4 magnitude(const Float4& v) { return v < 0 ? -v : v; }
inline Float4 cut(const Float4& v, const Float4& half) {
  const Float4 low = v < -half ? -half : v;
  return low > half ? half : low;
}
inline float sum3(const Float4& v) { return (v[0] + v[1]) + v[2]; }
/// Whether a comparison holds in any lane.
inline bool any(const Int4& lanes) { return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0; }
inline Vec3 vec3_of(const Float4& v) { return {v[0], v[1], v[2]}; }

/// The error of floats within `size`, for centres with error `slack`; 2^62 for sizes that
/// underflow.
inline float margin_of(float size, float slack) {
  return size > 0x1p-50f ? 0x1p-16f * size + slack : 0x1p62f;
}
/// The same for two shapes; `apart` is the sum of the coordinates of the vector between their
/// centres.
template <class A, class B>
float margin_of(const A& a, const B& b, float apart) {
  return margin_of((apart + a.size) + b.size, a.slack + b.slack);
}

// Lower bounds of the distance of a point to a shape
// (docs/project/proofs/overlap-distance-sweep.md, "Certain overlaps").

/// A lower bound of nearest()'s signed distance.
inline float distance_at_least(const NeverCertain&, const Vec3&) { return -infinity; }
inline float distance_at_least(const CertainRound& s, const Vec3& p) {
  const Vec3 w = minus(p, s.center);
  const float ee = dot3(s.half, s.half);
  const float t = ee > 0 ? cut(dot3(w, s.half) / ee, 1) : 0;
  const Vec3 g = along(w, s.half, -t);
  const float length = sqrt(dot3(g, g)), far = s.radius + margin_of(sum3(w) + s.size, s.slack);
  // A plane across g separates the two, whatever the rounding of g.
  return length > 0x1p-40f ? (dot3(g, w) - abs(dot3(g, s.half))) / length - far : -infinity;
}

/// -inf for points in the box or near it.
inline float distance_at_least(const CertainBox& s, const Vec3& p) {
  const Float4 w = lanes_of(p) - s.center, at = weighted(w, s.turned);
  const Float4 g = at - cut(at, s.half);
  const float least = sqrt(sum3(g * g)) - margin_of(sum3(magnitude(w)) + s.size, s.slack);
  return least > 0 ? least : -infinity;
}

}  // namespace sightline::detail
