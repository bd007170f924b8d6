// Spheres and capsules against triangles, by the distances of points and segments to the face and
// to the edges. Touching overlaps. Without a radius the answer is exact.
#pragma once

#include <sightline/geometry/overlap/round_round.hpp>
#include <sightline/geometry/overlap/triangle_triangle.hpp>

namespace sightline {

/// Whether a point's foot on the triangle's plane is in the triangle, and the point within `reach`
/// of it; without division, so that integers are exact. Never of a triangle without area.
SIGHTLINE_HD bool within_reach_of_face(const Triangle& t, const WideVec3& n, const Vec3& p,
                                       double reach) {
  const WideVec3 w = wide_diff(p, t.a);
  const double nn = square(n), height = dot(n, w);
  if (!(nn > 0 && height * height <= reach * reach * nn)) return false;
  const auto is_left = [&](const Vec3& from, const Vec3& to) SIGHTLINE_LAMBDA {
    return dot(cross(wide_diff(to, from), wide_diff(p, from)), n) >= 0;
  };
  return is_left(t.a, t.b) && is_left(t.b, t.c) && is_left(t.c, t.a);
}

/// Of finite numbers, as meets_capsule().
template <class T>
SIGHTLINE_SELDOM bool meets_sphere(SIGHTLINE_SELDOM_PARAMETER(T) t,
                                   SIGHTLINE_SELDOM_PARAMETER(Sphere) s) {
  if (s.radius == 0) return contains(t, s.center);
  const auto is_near = [&](const Vec3& from, const Vec3& to) SIGHTLINE_LAMBDA {
    return within_reach(wide_diff(to, from), wide_diff(s.center, from), s.radius);
  };
  return is_near(t.a, t.b) || is_near(t.b, t.c) || is_near(t.c, t.a) ||
         within_reach_of_face(t, face_normal(t), s.center, s.radius);
}

/// The distance is least at an edge, at an end of the capsule's segment over the face, or it is 0
/// where the segment crosses the face.
template <class T>
SIGHTLINE_SELDOM bool meets_capsule(SIGHTLINE_SELDOM_PARAMETER(T) t,
                                    SIGHTLINE_SELDOM_PARAMETER(Capsule) s) {
  if (s.radius == 0) return exactly_meet<Triangle>(t, {s.a, s.b, s.b});
  const auto is_near = [&](const Vec3& from, const Vec3& to) SIGHTLINE_LAMBDA {
    return within_reach(WideVec3{0, 0, 0}, wide_diff(to, from), wide_diff(s.a, from),
                        wide_diff(s.b, from), s.radius);
  };
  if (is_near(t.a, t.b) || is_near(t.b, t.c) || is_near(t.c, t.a)) return true;
  const WideVec3 n = face_normal(t);
  return within_reach_of_face(t, n, s.a, s.radius) || within_reach_of_face(t, n, s.b, s.radius) ||
         exactly_meet<Triangle>(t, {s.a, s.b, s.b});
}

SIGHTLINE_HD bool overlaps(const Triangle& t, const Sphere& s) {
  return is_finite(t) && is_finite(s) && meets_sphere<Triangle>(t, s);
}
SIGHTLINE_HD bool overlaps(const Triangle& t, const Capsule& s) {
  return is_finite(t) && is_finite(s) && meets_capsule<Triangle>(t, s);
}

}  // namespace sightline
