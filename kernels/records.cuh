// Shapes as the leaves of a wide tree keep them: in the leaves' order, one after the other.
#pragma once

#include "kernels/launch.hpp"

namespace sightline::kernels {

SIGHTLINE_HD std::uint32_t units_of(Kind kind) {
  return kind == Kind::obb ? 4 : kind == Kind::sphere ? 1 : 2;
}

SIGHTLINE_HD void put_record(const Aabb& s, RecordUnit* to) {
  to[0] = {{s.min.x, s.min.y, s.min.z, s.max.x}};
  to[1] = {{s.max.y, s.max.z, 0, 0}};
}
SIGHTLINE_HD void put_record(const ObbFrame& s, RecordUnit* to) {
  const Vec3 &c = s.center, &h = s.half_extents, *a = s.axis;
  to[0] = {{c.x, c.y, c.z, h.x}};
  to[1] = {{h.y, h.z, a[0].x, a[0].y}};
  to[2] = {{a[0].z, a[1].x, a[1].y, a[1].z}};
  to[3] = {{a[2].x, a[2].y, a[2].z, 0}};
}
SIGHTLINE_HD void put_record(const Sphere& s, RecordUnit* to) {
  to[0] = {{s.center.x, s.center.y, s.center.z, s.radius}};
}
SIGHTLINE_HD void put_record(const Capsule& s, RecordUnit* to) {
  to[0] = {{s.a.x, s.a.y, s.a.z, s.b.x}};
  to[1] = {{s.b.y, s.b.z, s.radius, 0}};
}
SIGHTLINE_HD void put_record(const Plane&, RecordUnit*) {}  // is in no tree

/// Calls f(shape) with the shape whose record this is.
template <class F>
SIGHTLINE_HD void visit_record(const RecordUnit* from, Kind kind, F&& f) {
  const RecordUnit u = from[0];
  const auto& v = u.value;
  if (kind == Kind::sphere) return f(Sphere{{v[0], v[1], v[2]}, v[3]});
  const RecordUnit u1 = from[1];
  const auto& v1 = u1.value;
  if (kind == Kind::aabb) return f(Aabb{{v[0], v[1], v[2]}, {v[3], v1[0], v1[1]}});
  if (kind == Kind::capsule) return f(Capsule{{v[0], v[1], v[2]}, {v[3], v1[0], v1[1]}, v1[2]});
  const RecordUnit u2 = from[2], u3 = from[3];
  const auto &v2 = u2.value, &v3 = u3.value;
  f(ObbFrame{{v[0], v[1], v[2]},
             {v[3], v1[0], v1[1]},
             {{v1[2], v1[3], v2[0]}, {v2[1], v2[2], v2[3]}, {v3[0], v3[1], v3[2]}}});
}

}  // namespace sightline::kernels
