// Sweeps: spheres and capsules that move along rays. Shared by all backends.
#pragma once

#include <sightline/geometry/sweep/sweep.hpp>
#include <sightline/geometry/sweep/sweeps_view.hpp>

namespace sightline {

/// A MovingSphere or a Capsule, and the query of its ray.
template <class Mover>
struct SweepQuery {
  Query query;
  Mover mover;
};

template <class Mover>
SIGHTLINE_HD SweepQuery<Mover> sweep_query(const Ray& ray, const Mover& mover, Inside inside) {
  return {make_query(ray, mover, inside), mover};
}

/// The shape's answer, given the near end of its gate.
template <class Mover, class Shape>
SIGHTLINE_HD Found cast_past_gate(const SweepQuery<Mover>& q, const Shape& shape, float gate_near) {
  return sweep_past_gate(q.query, q.mover, shape, gate_near);
}

/// The answer of the shape with this id, gate included; filters are the caller's.
template <class Mover>
SIGHTLINE_HD Found cast_shape(const SweepQuery<Mover>& q, const ShapesView& shapes,
                              std::uint32_t id) {
  return shapes.visit(id, [&](const auto& s) -> Found {
    const ScaledRay& ray = q.query.ray;
    float gate_near = ray.t_min;
    if constexpr (is_bounded<std::decay_t<decltype(s)>>) {
      const SlabInterval gate = slab(ray.line, ray.t_min, ray.t_max, grown(bounds(s), q.mover));
      if (is_empty(gate)) return {};
      gate_near = gate.t_near;
    }
    return cast_past_gate(q, s, gate_near);
  });
}

/// The answer for the caller, with the normal if `with_normal`.
template <class Mover>
SIGHTLINE_HD Hit hit_of(const SweepQuery<Mover>& q, const ShapesView& shapes, const Best& best,
                        const Ray& ray, bool with_normal) {
  Hit h = hit_of(q.query, best, ray.t_min, ray.t_max);
  if (best.id != none && is_thin(q.mover)) h.flags |= back_flag(q.query.ray.line, shapes, best.id);
  if (with_normal && best.id != none) {
    h.normal = shapes.visit(best.id, [&](const auto& s) {
      return normal_of_sweep(q.query, q.mover, s, best.started_inside);
    });
  }
  return h;
}

/// Calls f(query, ray) for sweep i.
template <class Function>
SIGHTLINE_HD auto visit_sweep(const SweepsView& sweeps, std::uint64_t i, Inside inside,
                              Function&& f) {
  const Ray ray = sweeps.rays[i];
  if (sweeps.b == nullptr) {
    return f(sweep_query(ray, MovingSphere{sweeps.rays.radius[i]}, inside), ray);
  }
  return f(sweep_query(ray, sweeps.capsule(i), inside), ray);
}

}  // namespace sightline
