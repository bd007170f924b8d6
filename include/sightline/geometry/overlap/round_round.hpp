// Spheres and capsules against each other. Touching overlaps.
#pragma once

#include <sightline/geometry/exact/wide_vec.hpp>
#include <sightline/geometry/overlap/finite.hpp>

namespace sightline {

/// Whether a point w, relative to the begin of the segment 0 .. e, is within `reach` of it; without
/// division, so that integers are exact.
SIGHTLINE_HD bool within_reach(const WideVec3& e, const WideVec3& w, double reach) {
  const double along = dot(w, e), ee = square(e);
  if (along <= 0) return square(w) <= reach * reach;
  if (along >= ee) return square(w - e) <= reach * reach;
  return square(cross(w, e)) <= reach * reach * ee;
}

/// Whether the segments a .. b and p .. q are within `reach` of each other: at an end of one of
/// them, or where their common perpendicular meets both.
SIGHTLINE_HD bool within_reach(const WideVec3& a, const WideVec3& b, const WideVec3& p,
                               const WideVec3& q, double reach) {
  const WideVec3 d = b - a, e = q - p, w = p - a;
  if (within_reach(d, w, reach) || within_reach(d, q - a, reach)) return true;
  if (within_reach(e, -w, reach) || within_reach(e, b - p, reach)) return true;
  const WideVec3 n = sharp_cross(d, e);
  const double nn = square(n);
  const double s = dot(cross(w, e), n), t = dot(cross(w, d), n);  // times 1 / nn
  if (!(0 < s && s < nn && 0 < t && t < nn)) return false;
  const double across = dot(w, n);
  return across * across <= reach * reach * nn;
}

SIGHTLINE_HD bool overlaps(const Sphere& a, const Sphere& b) {
  if (!is_finite(a) || !is_finite(b)) return false;
  const double reach = widened(a.radius) + b.radius;
  return square(wide_diff(b.center, a.center)) <= reach * reach;
}

SIGHTLINE_HD bool overlaps(const Capsule& a, const Sphere& b) {
  if (!is_finite(a) || !is_finite(b)) return false;
  return within_reach(wide_diff(a.b, a.a), wide_diff(b.center, a.a), widened(a.radius) + b.radius);
}

SIGHTLINE_HD bool overlaps(const Capsule& a, const Capsule& b) {
  if (!is_finite(a) || !is_finite(b)) return false;
  return within_reach(widened(a.a), widened(a.b), widened(b.a), widened(b.b),
                      widened(a.radius) + b.radius);
}

}  // namespace sightline
