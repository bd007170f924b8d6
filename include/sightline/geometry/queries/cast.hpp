// A ray against one shape: filter, gate, line test, policy, normal. Every backend and traversal
// uses this file, so that their answers are the same bits.
#pragma once

#include <sightline/geometry/intersect/certain_boxes.hpp>
#include <sightline/geometry/intersect/certain_cylinder.hpp>
#include <sightline/geometry/intersect/certain_rounds.hpp>
#include <sightline/geometry/intersect/certain_triangle.hpp>
#include <sightline/geometry/intersect/policy.hpp>
#include <sightline/geometry/intersect/ray_aabb.hpp>
#include <sightline/geometry/intersect/ray_capsule.hpp>
#include <sightline/geometry/intersect/ray_cylinder.hpp>
#include <sightline/geometry/intersect/ray_obb.hpp>
#include <sightline/geometry/intersect/ray_plane.hpp>
#include <sightline/geometry/intersect/ray_sphere.hpp>
#include <sightline/geometry/intersect/slab.hpp>
#include <sightline/geometry/queries/mask_filter.hpp>
#include <sightline/geometry/shapes/all_shapes.hpp>

namespace sightline {

/// A scaled ray with its filters.
struct Query {
  ScaledRay ray;
  RayPolicy policy;
  std::uint32_t mask;
  std::uint32_t exclude[2];
  std::uint32_t exclude_group[2];
};

SIGHTLINE_HD Query make_query(const Ray& ray, RayPolicy policy) {
  return {scale(ray),
          policy,
          ray.mask,
          {ray.exclude[0], ray.exclude[1]},
          {ray.exclude_group[0], ray.exclude_group[1]}};
}

/// The shape's answer, given its interval and the near end of its gate.
template <class Shape>
SIGHTLINE_HD Found apply_policy(const Query& q, const Shape& shape, const Interval& i,
                                float gate_near) {
  Found found = apply_policy(i, q.ray.t_min, q.ray.t_max, gate_near, q.policy);
  found.hit = on_side(q.ray.line, shape, found.hit, q.policy.side);
  return found;
}
/// The same, given the near end of the gate alone.
template <class Shape>
SIGHTLINE_HD Found cast_past_gate(const Query& q, const Shape& shape, float gate_near) {
  if (!may_hit(q.ray.line, shape)) return {};
  const Interval i = interval(q.ray.line, shape);
  return apply_policy(q, shape, i, gate_near);
}

/// The answer of the shape with this id, gate included; filters are the caller's.
SIGHTLINE_HD Found cast_shape(const Query& q, const ShapesView& shapes, std::uint32_t id) {
  float gate_near = q.ray.t_min;
  if (id < shapes.bounded()) {
    const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, shapes.bounds[id]);
    if (is_empty(gate)) return {};
    gate_near = gate.t_near;
  }
  return shapes.visit(id, [&](const auto& s) { return cast_past_gate(q, s, gate_near); });
}

/// The hit with the least (t, id) so far.
struct Best {
  float t = largest_float;
  std::uint32_t id = none;
  bool started_inside = false;

  SIGHTLINE_HD void offer(const Found& f, std::uint32_t candidate) {
    if (!f.hit) return;
    if (f.t < t || (f.t == t && candidate < id)) *this = {f.t, candidate, f.started_inside};
  }
};

/// The outward unit normal of a hit (docs/reference/contract.md): against the direction where a
/// solid contains the start, at the exit where `surface` answers it, else at the entry.
template <class Shape>
SIGHTLINE_HD Vec3 normal_of_hit(const Query& q, const Shape& shape, bool started_inside) {
  const Line& line = q.ray.line;
  Vec3 n = -unit(line.direction);
  if (!(started_inside && q.policy == Inside::solid))
    n = surface_normal(line, shape, started_inside);
  return {n.x + 0.0f, n.y + 0.0f, n.z + 0.0f};
}

/// hit_flags::back if the line, which meets the shape, meets the back of a triangle; else 0.
template <class Shape>
SIGHTLINE_HD std::uint8_t back_flag(const Line& line, const Shape& shape) {
  if constexpr (std::is_same_v<Shape, Triangle>) {
    return meets_side(line, shape, Side::back) ? hit_flags::back : 0;
  }
  return 0;
}
/// The same for the shape with this id.
SIGHTLINE_HD std::uint8_t back_flag(const Line& line, const ShapesView& shapes, std::uint32_t id) {
  constexpr int kind = static_cast<int>(Kind::triangle);
  if (id < shapes.begin[kind] || id >= shapes.begin[kind + 1]) return 0;
  return back_flag(line, shapes.get<Triangle>(id - shapes.begin[kind]));
}

/// The answer for the caller, without hit_flags::back.
SIGHTLINE_HD Hit hit_of(const Query& q, const Best& best, float t_min, float t_max) {
  Hit h;
  if (q.ray.bad) h.flags = hit_flags::bad_ray;
  if (best.id == none) return h;
  h.t = unscaled_t(q.ray, best.t, t_min, t_max);
  h.id = best.id;
  h.flags = static_cast<std::uint8_t>(hit_flags::hit |
                                      (best.started_inside ? hit_flags::started_inside : 0));
  return h;
}

/// The same with all flags, and with the normal if `with_normal`.
SIGHTLINE_HD Hit hit_of(const Query& q, const ShapesView& shapes, const Best& best, const Ray& ray,
                        bool with_normal) {
  Hit h = hit_of(q, best, ray.t_min, ray.t_max);
  if (best.id != none) h.flags |= back_flag(q.ray.line, shapes, best.id);
  if (with_normal && best.id != none) {
    h.normal = shapes.visit(
        best.id, [&](const auto& s) { return normal_of_hit(q, s, best.started_inside); });
  }
  return h;
}

/// cast_past_gate() by floats and doubles where these are sure, as the cpu backend's lanes do: the
/// same bits sooner. A hit further than `nearest` may be left out. Proofs:
/// docs/project/proofs/rays.md, "Certain hits".
template <class Shape, class Fallback = ExactFallback>
SIGHTLINE_HD Found cast_certainly_first(const Query& q, const Shape& shape, float gate_near,
                                        float nearest = largest_float,  // a hit's t is finite
                                        Fallback&& fallback = Fallback()) {
  const ScaledRay& ray = q.ray;
  const float reach = min(ray.t_max, nearest);
  if (!(gate_near <= reach)) return {};
  const Interval i = interval_ahead(ray.line, shape, ray.t_min, reach, q.policy, true, fallback);
  return apply_policy(q, shape, i, gate_near);
}

/// One ray against one shape (an Aabb, ObbFrame, Sphere, Capsule, Cylinder, Triangle or Plane); the
/// id of a hit is 0, and its normal takes most of the time. Masks and exclusions are ignored. The
/// shape must be valid (see Scene).
template <class Shape>
SIGHTLINE_HD Hit cast(const Ray& ray, const Shape& shape, RayPolicy policy = {},
                      bool with_normal = true) {
  const Query q = make_query(ray, policy);
  Best best;
  if (!q.ray.bad) {
    float gate_near = q.ray.t_min;
    bool passes = true;
    if constexpr (is_bounded<Shape>) {
      const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, bounds(shape));
      passes = !is_empty(gate);
      gate_near = gate.t_near;
    }
    if (passes) best.offer(cast_certainly_first(q, shape, gate_near), 0);
  }
  Hit h = hit_of(q, best, ray.t_min, ray.t_max);
  if (best.id != none) h.flags |= back_flag(q.ray.line, shape);
  if (with_normal && best.id != none) h.normal = normal_of_hit(q, shape, best.started_inside);
  return h;
}
SIGHTLINE_HD Hit cast(const Ray& ray, const Obb& shape, RayPolicy policy = {},
                      bool with_normal = true) {
  return cast(ray, frame(shape), policy, with_normal);
}

}  // namespace sightline
