// The shapes as a rival's callbacks read them: compact, in one piece, made ready for the textbook
// forms of the tests.
#pragma once

#include <sightline/geometry/shapes/all_shapes.hpp>

namespace sightline::rivals {

struct alignas(32) AabbRecord {
  float low[4], high[4];  ///< the fourth is unused
};
static_assert(sizeof(AabbRecord) == 32);

/// Row i of `column` turns a vector's component i: local = sum_i v_i * column[i]. The fourth
/// components are the half extents.
struct alignas(64) ObbRecord {
  float column[3][4];
  float center[4];
};
static_assert(sizeof(ObbRecord) == 64);

struct alignas(16) SphereRecord {
  float center[3];
  float radius2;
};
static_assert(sizeof(SphereRecord) == 16);

struct alignas(32) CapsuleRecord {
  float a[3];
  float radius2;
  float ab[3];  ///< b - a
  float ab2;    ///< its length squared
};
static_assert(sizeof(CapsuleRecord) == 32);

// Of each file's own: files of one instruction set include this.
namespace {

inline AabbRecord record(const Aabb& s) {
  return {{s.min.x, s.min.y, s.min.z, 0}, {s.max.x, s.max.y, s.max.z, 0}};
}
inline ObbRecord record(const ObbFrame& s) {
  const Vec3 *a = s.axis, h = s.half_extents, c = s.center;
  return {
      {{a[0].x, a[1].x, a[2].x, h.x}, {a[0].y, a[1].y, a[2].y, h.y}, {a[0].z, a[1].z, a[2].z, h.z}},
      {c.x, c.y, c.z, 0}};
}
inline SphereRecord record(const Sphere& s) {
  return {{s.center.x, s.center.y, s.center.z}, s.radius * s.radius};
}
inline CapsuleRecord record(const Capsule& s) {
  const Vec3 e = {s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z};
  return {{s.a.x, s.a.y, s.a.z},
          s.radius * s.radius,
          {e.x, e.y, e.z},
          e.x * e.x + e.y * e.y + e.z * e.z};
}

}  // namespace
}  // namespace sightline::rivals
