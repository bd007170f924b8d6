// Shapes as a rival's user keeps them, a cache line each, and tests between them in plain floats,
// as fast as they come: the textbook's, with its errors where shapes just touch.
#pragma once

#include <sightline/geometry/shapes/all_shapes.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::rivals {

/// AABB: center, half. OBB: these and axis. Sphere: center, radius. Capsule: these, and its
/// half segment in `half`.
struct alignas(64) FloatShape {
  Vec3 center, half;
  union {
    Vec3 axis[3];
    float radius;
  };
  Kind kind;

  FloatShape() : axis{} {}
};
static_assert(sizeof(FloatShape) == 64);

inline float dot3(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 minus(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 plus(const Vec3& a, const Vec3& b, float t) {
  return {a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}
inline Vec3 halfway(const Vec3& a, const Vec3& b) {
  return {0.5f * (a.x + b.x), 0.5f * (a.y + b.y), 0.5f * (a.z + b.z)};
}

inline FloatShape float_shape(const ShapesView& shapes, std::uint32_t id) {
  FloatShape f;
  f.kind = shapes.kind_of(id);
  const std::uint32_t i = id - shapes.begin[static_cast<int>(f.kind)];
  if (f.kind == Kind::aabb) {
    const Aabb s = shapes.get<Aabb>(i);
    f.center = halfway(s.min, s.max);
    f.half = minus(s.max, f.center);
  } else if (f.kind == Kind::obb) {
    const ObbFrame s = shapes.get<ObbFrame>(i);
    f.center = s.center;
    f.half = s.half_extents;
    std::copy_n(s.axis, 3, f.axis);
  } else if (f.kind == Kind::sphere) {
    f.center = shapes.get<Sphere>(i).center;
    f.half = {0, 0, 0};
    f.radius = shapes.get<Sphere>(i).radius;
  } else {
    const Capsule s = shapes.get<Capsule>(i);
    f.center = halfway(s.a, s.b);
    f.half = minus(s.b, f.center);
    f.radius = s.radius;
  }
  return f;
}

inline bool is_box(const FloatShape& s) { return s.kind == Kind::aabb || s.kind == Kind::obb; }

/// v along the box's axes.
inline Vec3 along_axes(const FloatShape& box, const Vec3& v) {
  if (box.kind == Kind::aabb) return v;
  return {dot3(box.axis[0], v), dot3(box.axis[1], v), dot3(box.axis[2], v)};
}

/// How far v lies outside of [-half, half], axis by axis.
inline Vec3 outside(const Vec3& v, const Vec3& half) {
  const auto of = [](float x, float h) { return x - std::min(std::max(x, -h), h); };
  return {of(v.x, half.x), of(v.y, half.y), of(v.z, half.z)};
}

/// Squared, of the segments p +- d and q +- e. Source: Ericson, Real-Time Collision Detection,
/// 5.1.9.
inline float segment_distance(const Vec3& p, const Vec3& d, const Vec3& q, const Vec3& e) {
  const Vec3 w = minus(p, q);
  const float a = dot3(d, d), c = dot3(e, e), b = dot3(d, e), f = dot3(w, d), g = dot3(w, e);
  const auto cut = [](float x) { return std::min(std::max(x, -1.0f), 1.0f); };
  const float det = a * c - b * b;
  float s = det > 1e-7f * a * c ? cut((b * g - c * f) / det) : 0.0f;
  const float t = c > 0 ? cut((b * s + g) / c) : 0.0f;
  s = a > 0 ? cut((b * t - f) / a) : 0.0f;
  const Vec3 apart = minus(plus(p, d, s), plus(q, e, t));
  return dot3(apart, apart);
}

/// Squared, of the segment p +- d and the box [-half, half]: the slope's sign at the six planes
/// finds the parabola that holds the least.
inline float segment_box_distance(const Vec3& p, const Vec3& d, const Vec3& half) {
  const auto gap_at = [&](float t) { return outside(plus(p, d, t), half); };
  const auto slope_at = [&](float t) { return dot3(gap_at(t), d); };
  const auto square_at = [&](float t) { return dot3(gap_at(t), gap_at(t)); };
  float low = -1, high = 1;
  if (slope_at(low) >= 0) return square_at(low);
  if (slope_at(high) <= 0) return square_at(high);
  const float at[3] = {p.x, p.y, p.z}, by[3] = {d.x, d.y, d.z}, h[3] = {half.x, half.y, half.z};
  for (int k = 0; k < 6; ++k) {
    const float t = ((k % 2 == 0 ? -h[k / 2] : h[k / 2]) - at[k / 2]) / by[k / 2];
    if (!(low < t && t < high)) continue;
    (slope_at(t) < 0 ? low : high) = t;
  }
  // The slope is a straight line from low to high.
  const float from = slope_at(low), to = slope_at(high);
  const float t = to > from ? low + (high - low) * (-from / (to - from)) : low;
  return square_at(t);
}

/// The separating axis test. Source: Ericson, 4.4.1.
inline bool boxes_meet(const FloatShape& a, const FloatShape& b) {
  float r[3][3], abs_r[3][3];
  const auto axis = [](const FloatShape& s, int i) {
    constexpr Vec3 of_aabb[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return s.kind == Kind::aabb ? of_aabb[i] : s.axis[i];
  };
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = along_axes(b, axis(a, i));
    const float of[3] = {row.x, row.y, row.z};
    for (int j = 0; j < 3; ++j) {
      r[i][j] = of[j];
      abs_r[i][j] = std::fabs(of[j]) + 1e-6f;
    }
  }
  const Vec3 w = along_axes(a, minus(b.center, a.center));
  const float t[3] = {w.x, w.y, w.z}, ha[3] = {a.half.x, a.half.y, a.half.z},
              hb[3] = {b.half.x, b.half.y, b.half.z};
  for (int i = 0; i < 3; ++i) {
    const float rb = hb[0] * abs_r[i][0] + hb[1] * abs_r[i][1] + hb[2] * abs_r[i][2];
    if (std::fabs(t[i]) > ha[i] + rb) return false;
  }
  for (int j = 0; j < 3; ++j) {
    const float ra = ha[0] * abs_r[0][j] + ha[1] * abs_r[1][j] + ha[2] * abs_r[2][j];
    if (std::fabs(t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j]) > ra + hb[j]) return false;
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const float ra = ha[i1] * abs_r[i2][j] + ha[i2] * abs_r[i1][j];
      const float rb = hb[j1] * abs_r[i][j2] + hb[j2] * abs_r[i][j1];
      if (std::fabs(t[i2] * r[i1][j] - t[i1] * r[i2][j]) > ra + rb) return false;
    }
  }
  return true;
}

inline bool meets(const FloatShape& round, const FloatShape& other) {
  const Vec3 w = minus(round.center, other.center);
  if (is_box(other)) {
    const Vec3 p = along_axes(other, w);
    const float reach = round.radius * round.radius;
    if (round.kind == Kind::sphere) {
      const Vec3 gap = outside(p, other.half);
      return dot3(gap, gap) <= reach;
    }
    return segment_box_distance(p, along_axes(other, round.half), other.half) <= reach;
  }
  const float reach = round.radius + other.radius;
  if (round.kind == Kind::sphere && other.kind == Kind::sphere) return dot3(w, w) <= reach * reach;
  return segment_distance(round.center, round.half, other.center, other.half) <= reach * reach;
}

/// Whether two shapes with bounds have a point in common.
inline bool float_overlaps(const FloatShape& a, const FloatShape& b) {
  if (!is_box(a)) return meets(a, b);
  if (!is_box(b)) return meets(b, a);
  if (a.kind == Kind::aabb && b.kind == Kind::aabb) {
    const Vec3 w = minus(a.center, b.center);
    return std::fabs(w.x) <= a.half.x + b.half.x && std::fabs(w.y) <= a.half.y + b.half.y &&
           std::fabs(w.z) <= a.half.z + b.half.z;
  }
  return boxes_meet(a, b);
}

/// Signed: negative inside.
inline float float_distance(const FloatShape& s, const Vec3& p) {
  const Vec3 w = minus(p, s.center);
  if (!is_box(s)) {
    const float ee = dot3(s.half, s.half);
    const float t = ee > 0 ? std::min(std::max(dot3(w, s.half) / ee, -1.0f), 1.0f) : 0.0f;
    const Vec3 apart = plus(w, s.half, -t);
    return std::sqrt(dot3(apart, apart)) - s.radius;
  }
  const Vec3 y = along_axes(s, w), gap = outside(y, s.half);
  const float square = dot3(gap, gap);
  if (square > 0) return std::sqrt(square);
  return std::max(std::max(std::fabs(y.x) - s.half.x, std::fabs(y.y) - s.half.y),
                  std::fabs(y.z) - s.half.z);
}

/// Whether two boxes have a point in common.
inline bool boxes_touch(const Aabb& a, const Aabb& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
         a.min.z <= b.max.z && b.min.z <= a.max.z;
}

}  // namespace sightline::rivals
