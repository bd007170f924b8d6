// Line of sight between two points: the one ray that visibility, its pairs and verify all cast.
#pragma once

#include <sightline/cast.hpp>

namespace sightline {

/// A point with what it carries; see PointsView.
struct SightPoint {
  Vec3 position;
  std::uint32_t mask = 0xFFFFFFFFu;
  std::uint32_t exclude = none;
  std::uint32_t exclude_group = none;
};

/// A point that sees nothing: NaN, infinite or outside the domain.
SIGHTLINE_HD bool is_bad(const SightPoint& p) { return !in_domain(p.position); }

/// Lexicographic by x, then y, then z; -0 equals +0.
SIGHTLINE_HD bool lexicographically_less(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

/// The ray of the segment between p and q: from the lexicographically smaller point to the other,
/// direction the difference rounded once a component, interval [margin, 1 - margin]. The same ray
/// for (p, q) and (q, p), so that sight is symmetric. `in_range` is false further apart than range.
struct SightRay {
  Ray ray;
  bool in_range;
};

SIGHTLINE_HD SightRay sight_ray(const SightPoint& p, const SightPoint& q, float margin,
                                float range) {
  const bool swap = lexicographically_less(q.position, p.position);
  const SightPoint& from = swap ? q : p;
  const SightPoint& to = swap ? p : q;
  const Vec3 d = {to.position.x - from.position.x, to.position.y - from.position.y,
                  to.position.z - from.position.z};
  SightRay s;
  s.ray.origin = from.position;
  s.ray.direction = d;
  s.ray.t_min = margin;
  s.ray.t_max = 1.0f - margin;
  s.ray.mask = from.mask & to.mask;
  s.ray.exclude[0] = from.exclude;
  s.ray.exclude[1] = to.exclude;
  s.ray.exclude_group[0] = from.exclude_group;
  s.ray.exclude_group[1] = to.exclude_group;
  s.in_range = fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)) <= range * range;
  return s;
}

}  // namespace sightline
