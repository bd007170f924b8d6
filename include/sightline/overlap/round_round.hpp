// Spheres and capsules against each other. Touching overlaps.
#pragma once

#include <sightline/capsule.hpp>
#include <sightline/sphere.hpp>
#include <sightline/wide_vec.hpp>

namespace sightline {

/// Whether a point w away from the begin of the segment 0 .. e is at most `reach` away from it;
/// without a division, so that integers answer exactly.
SIGHTLINE_HD bool within_reach(const WideVec3& e, const WideVec3& w, double reach) {
  const double along = dot(w, e), ee = square(e);
  if (along <= 0) return square(w) <= reach * reach;
  if (along >= ee) return square(w - e) <= reach * reach;
  return square(cross(w, e)) <= reach * reach * ee;
}

/// Whether the segments a .. b and p .. q are at most `reach` apart: at an end of one of them, or
/// where their common perpendicular meets both.
SIGHTLINE_HD bool within_reach(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q,
                               double reach) {
  const WideVec3 d = wide_diff(b, a), e = wide_diff(q, p), w = wide_diff(p, a);
  if (within_reach(d, w, reach) || within_reach(d, wide_diff(q, a), reach)) return true;
  if (within_reach(e, -w, reach) || within_reach(e, wide_diff(b, p), reach)) return true;
  const WideVec3 n = cross(d, e);
  const double nn = square(n);
  const double s = dot(cross(w, e), n), t = dot(cross(w, d), n);  // times 1 / nn
  if (!(0 < s && s < nn && 0 < t && t < nn)) return false;
  // Nearly parallel, n's direction is unsure, and so is w.n: see closest/segments.hpp.
  if (nn > 0x1p-16 * square(d) * square(e)) {
    const double height = dot(w, n);
    return height * height <= reach * reach * nn;
  }
  return within_reach(e, d * (s / nn) - w, reach) || within_reach(d, e * (t / nn) + w, reach);
}

SIGHTLINE_HD bool overlaps(const Sphere& a, const Sphere& b) {
  const double reach = widened(a.radius) + b.radius;
  return square(wide_diff(b.center, a.center)) <= reach * reach;
}

SIGHTLINE_HD bool overlaps(const Capsule& a, const Sphere& b) {
  return within_reach(wide_diff(a.b, a.a), wide_diff(b.center, a.a), widened(a.radius) + b.radius);
}

SIGHTLINE_HD bool overlaps(const Capsule& a, const Capsule& b) {
  return within_reach(a.a, a.b, b.a, b.b, widened(a.radius) + b.radius);
}

}  // namespace sightline
