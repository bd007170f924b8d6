// A ray against a shape of a leaf, gate included.
#pragma once

#include <sightline/queries/line_of_sight.hpp>

namespace sightline::kernels {

/// The gate of a shape; an unbounded one has none, so the ray's interval.
template <class Shape>
SIGHTLINE_HD SlabInterval gate_of(const ScaledRay& ray, const Shape& shape) {
  if constexpr (is_bounded<Shape>) {
    return slab(ray.line, ray.t_min, ray.t_max, bounds(shape));
  } else {
    return {ray.t_min, ray.t_max};
  }
}

/// The shape's answer; a hit further than `nearest` may be left out.
template <class Shape>
SIGHTLINE_HD Found cast_gated(const Query& q, const Shape& shape, float nearest) {
  const SlabInterval gate = gate_of(q.ray, shape);
  if (is_empty(gate) || gate.t_near > nearest) return {};
  return cast_surely_first(q, shape, gate.t_near, nearest);
}

/// What floats are sure of; where they are not, what exact(interval, gate_near) answers, if the
/// gate is open: no sure hit has a closed one (docs/accuracy.md, "Gates"). `both_ends`: see
/// surely().
template <class Shape, class Exact>
SIGHTLINE_HD bool hits_gated(const Query& q, const Shape& shape, bool both_ends, Exact&& exact) {
  const ScaledRay& ray = q.ray;
  const Sure sure = surely(ray.line, shape, ray.t_min, ray.t_max, q.inside, both_ends);
  if (sure.hit || sure.miss) return sure.hit;
  const SlabInterval gate = gate_of(ray, shape);
  return !is_empty(gate) && exact(staged_interval(ray.line, shape), gate.t_near);
}

/// Whether the ray hits the shape.
template <class Shape>
SIGHTLINE_HD bool hits_gated(const Query& q, const Shape& shape) {
  return hits_gated(q, shape, false, [&](const Interval& i, float gate_near) {
    return apply_policy(i, q.ray.t_min, q.ray.t_max, gate_near, q.inside).hit;
  });
}
/// Whether the shape blocks the sight along the ray.
template <class Shape>
SIGHTLINE_HD bool blocks_gated(const Query& q, const Shape& shape) {
  return hits_gated(q, shape, true,
                    [&](const Interval& i, float gate_near) { return blocks(q, i, gate_near); });
}

}  // namespace sightline::kernels
