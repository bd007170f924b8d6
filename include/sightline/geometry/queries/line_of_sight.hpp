// Line of sight between two points: the one ray that all visibility queries cast.
#pragma once

#include <sightline/geometry/queries/traverse.hpp>
#include <sightline/points.hpp>

namespace sightline {

/// A bad point sees nothing: NaN, infinite or outside the domain.
SIGHTLINE_HD bool is_bad(const SightPoint& p) { return !in_domain(p.position); }

/// Lexicographic by x, then y, then z; -0 equals +0.
SIGHTLINE_HD bool lexicographically_less(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

/// The ray of the segment between p and q: from the lexicographically smaller point to the other,
/// the direction being the difference rounded once, interval [margin, 1 - margin]. The same for (p,
/// q) and (q, p), so that sight is symmetric. `in_range` is false beyond the range.
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

/// Options of lines of sight; see VisibilityOptions.
struct SightOptions {
  float range = infinity;
  float margin = 0;
  Inside inside = Inside::solid;
};

/// The query of a pair. Without `possible` a point is bad or out of range: no sight in any scene.
struct SightQuery {
  Query query;
  bool possible;
};

SIGHTLINE_HD SightQuery sight_query(const SightPoint& p, const SightPoint& q,
                                    const SightOptions& options) {
  SightQuery s{};
  if (is_bad(p) || is_bad(q)) return s;
  const SightRay ray = sight_ray(p, q, options.margin, options.range);
  s.query = make_query(ray.ray, options.inside);
  s.possible = ray.in_range && !s.query.ray.bad;
  return s;
}

/// Whether the shape blocks the sight, given the near end of its gate: the segment's part [margin,
/// 1 - margin] hits it. Under `ignore` a ray ignores shapes that contain its start (t_in < t_min);
/// a segment has two ends, so shapes that contain its end (t_out > t_max) are ignored too. P = Q is
/// wholly inside or wholly outside a shape, and is blocked under `solid` alone. Of the line's
/// interval in the shape, or of the shape.
SIGHTLINE_HD bool blocks(const Query& q, const Interval& i, float gate_near) {
  if (q.policy == Inside::ignore && i.t_out > q.ray.t_max) return false;
  return apply_policy(i, q.ray.t_min, q.ray.t_max, gate_near, q.policy).hit;
}
template <class Shape>
SIGHTLINE_HD bool blocks(const Query& q, const Shape& shape, float gate_near) {
  return may_hit(q.ray.line, shape) && blocks(q, interval(q.ray.line, shape), gate_near);
}
/// The same by floats where these are sure.
template <class Shape>
SIGHTLINE_HD bool blocks_certainly_first(const Query& q, const Shape& shape, float gate_near) {
  const ScaledRay& ray = q.ray;
  const Certain sure = certainly(ray.line, shape, ray.t_min, ray.t_max, q.policy, true);
  if (sure.hit || sure.miss) return sure.hit;
  return blocks(q, staged_interval(ray.line, shape), gate_near);
}

/// The same for the shape with this id, gate included; filters are the caller's.
SIGHTLINE_HD bool blocks(const Query& q, const ShapesView& shapes, std::uint32_t id) {
  float gate_near = q.ray.t_min;
  if (id < shapes.bounded()) {
    const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, shapes.bounds[id]);
    if (is_empty(gate)) return false;
    gate_near = gate.t_near;
  }
  return shapes.visit(id, [&](const auto& s) { return blocks(q, s, gate_near); });
}

/// Whether p and q see each other: both are good, within range, and nothing blocks.
SIGHTLINE_HD bool sees(const BvhView& bvh, const ShapesView& shapes, const SightPoint& p,
                       const SightPoint& q, const SightOptions& options) {
  const SightQuery s = sight_query(p, q, options);
  return s.possible && !any_shape(bvh, shapes, s.query, [&](const auto& shape, float gate_near) {
           return blocks(s.query, shape, gate_near);
         });
}

/// The any-hit query of whether a good point lies in or touches a shape that its mask and
/// exclusions admit.
SIGHTLINE_HD Query touch_query(const SightPoint& p) {
  Ray ray;
  ray.origin = p.position;
  ray.mask = p.mask;
  ray.exclude[0] = p.exclude;
  ray.exclude_group[0] = p.exclude_group;
  return make_query(ray, Inside::solid);
}

}  // namespace sightline
