// Thick rays and moving capsules: complete answers, by the rules of cast.hpp.
#pragma once

#include <sightline/geometry/sweep/grown.hpp>
#include <sightline/geometry/sweep/sweep_interval.hpp>

namespace sightline {

/// A bad radius is outside of 0 .. 2^40; a bad radius or capsule makes its ray bad.
SIGHTLINE_HD bool is_bad(const MovingSphere& m) {
  return !(0.0f <= m.radius && m.radius <= domain_limit);
}
SIGHTLINE_HD bool is_bad(const Capsule& m) {
  return is_bad(MovingSphere{m.radius}) || !in_domain(m.a) || !in_domain(m.b);
}

/// The query of a sweep.
template <class Mover>
SIGHTLINE_HD Query make_query(const Ray& ray, const Mover& m, Inside inside) {
  Query q = make_query(ray, inside);
  q.ray.bad = q.ray.bad || is_bad(m);
  return q;
}

/// The shape's answer to a ball or capsule that moves along the ray, given the near end of its
/// gate, which is that of grown(bounds, mover). Radius 0 is the thin ray, and length 0 the ball, to
/// the bit.
template <class Shape>
SIGHTLINE_HD Found sweep_past_gate(const Query& q, const MovingSphere& m, const Shape& s,
                                   float gate_near) {
  if (m.radius == 0) return cast_past_gate(q, s, gate_near);
  const Interval i = sweep_interval(q.ray.line, m, s);
  return apply_policy(i, q.ray.t_min, q.ray.t_max, gate_near, q.policy);
}
SIGHTLINE_HD bool is_ball(const Capsule& m) {
  return m.a.x == m.b.x && m.a.y == m.b.y && m.a.z == m.b.z;
}
template <class Shape>
SIGHTLINE_HD Found sweep_past_gate(const Query& q, const Capsule& m, const Shape& s,
                                   float gate_near) {
  if (is_ball(m)) return sweep_past_gate(q, MovingSphere{m.radius}, s, gate_near);
  const Interval i = sweep_interval(q.ray.line, m, s);
  return apply_policy(i, q.ray.t_min, q.ray.t_max, gate_near, q.policy);
}

/// Whether what moves is a point, so that the answer is that of a thin ray.
SIGHTLINE_HD bool is_thin(const MovingSphere& m) { return m.radius == 0; }
SIGHTLINE_HD bool is_thin(const Capsule& m) { return m.radius == 0 && is_ball(m); }

/// The outward unit normal of a hit, as normal_of_hit() for thin rays.
template <class Shape>
SIGHTLINE_HD Vec3 normal_of_sweep(const Query& q, const MovingSphere& m, const Shape& s,
                                  bool started_inside) {
  if (m.radius == 0 || (started_inside && q.policy == Inside::solid))
    return normal_of_hit(q, s, started_inside);
  const Vec3 n = sweep_normal(q.ray.line, m, s, started_inside);
  return {n.x + 0.0f, n.y + 0.0f, n.z + 0.0f};
}
template <class Shape>
SIGHTLINE_HD Vec3 normal_of_sweep(const Query& q, const Capsule& m, const Shape& s,
                                  bool started_inside) {
  if (is_ball(m)) return normal_of_sweep(q, MovingSphere{m.radius}, s, started_inside);
  if (started_inside && q.policy == Inside::solid) return normal_of_hit(q, s, started_inside);
  const Vec3 n = sweep_normal(q.ray.line, m, s, started_inside);
  return {n.x + 0.0f, n.y + 0.0f, n.z + 0.0f};
}

/// A moving shape against one shape, as cast() for thin rays.
template <class Mover, class Shape>
SIGHTLINE_HD Hit cast_mover(const Ray& ray, const Mover& m, const Shape& s, Inside inside) {
  const Query q = make_query(ray, m, inside);
  Best best;
  if (!q.ray.bad && is_finite(s)) {
    float gate_near = q.ray.t_min;
    bool passes = true;
    if constexpr (is_bounded<Shape>) {
      const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, grown(bounds(s), m));
      passes = !is_empty(gate);
      gate_near = gate.t_near;
    }
    if (passes) best.offer(sweep_past_gate(q, m, s, gate_near), 0);
  }
  Hit h = hit_of(q, best, ray.t_min, ray.t_max);
  if (best.id != none && is_thin(m)) h.flags |= back_flag(q.ray.line, s);
  if (best.id != none) h.normal = normal_of_sweep(q, m, s, best.started_inside);
  return h;
}

/// A sphere whose centre moves along the ray, against one shape (an Aabb, ObbFrame, Sphere,
/// Capsule, Triangle or Plane): t and normal of the first touch; the id of a hit is 0. A radius
/// that is negative, NaN or above 2^40 makes the ray a bad one. hit_flags::back is that of a thin
/// ray, and of radius 0 alone.
template <class Shape>
SIGHTLINE_HD Hit cast_sphere(const Ray& ray, float radius, const Shape& s,
                             Inside inside = Inside::solid) {
  return cast_mover(ray, MovingSphere{radius}, s, inside);
}

SIGHTLINE_HD Hit cast_sphere(const Ray& ray, float radius, const Obb& s,
                             Inside inside = Inside::solid) {
  return cast_sphere(ray, radius, frame(s), inside);
}

/// A capsule that moves by t * direction, t_min <= t <= t_max, against one shape.
template <class Shape>
SIGHTLINE_HD Hit cast_capsule(const Capsule& moving, const Vec3& direction, const Shape& s,
                              Inside inside = Inside::solid, float t_min = 0,
                              float t_max = infinity) {
  Ray ray;
  ray.origin = moving.a;
  ray.direction = direction;
  ray.t_min = t_min;
  ray.t_max = t_max;
  return cast_mover(ray, moving, s, inside);
}
SIGHTLINE_HD Hit cast_capsule(const Capsule& moving, const Vec3& direction, const Obb& s,
                              Inside inside = Inside::solid, float t_min = 0,
                              float t_max = infinity) {
  return cast_capsule(moving, direction, frame(s), inside, t_min, t_max);
}

}  // namespace sightline
