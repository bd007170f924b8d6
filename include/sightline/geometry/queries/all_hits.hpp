// All shapes that a ray hits, in order: shared by all backends.
#pragma once

#include <sightline/geometry/queries/cast.hpp>

namespace sightline {

/// One of a ray's hits: where the scaled ray meets a shape and where it leaves it.
struct Crossing {
  float t;
  std::uint32_t id;
  float t_out;  ///< of the shape's interval, neither clamped nor gated
  bool started_inside;
};
/// By (t, id): the order of rows.
SIGHTLINE_HD bool comes_before(const Crossing& a, const Crossing& b) {
  return a.t < b.t || (a.t == b.t && a.id < b.id);
}

/// One shape's answer, and where the line leaves the shape.
struct FoundThrough {
  Found found;
  float t_out;
};
/// The same answer as cast_past_gate(), to the bit.
template <class Shape>
SIGHTLINE_HD FoundThrough cast_through(const Query& q, const Shape& shape, float gate_near) {
  if (!may_hit(q.ray.line, shape)) return {};
  const Interval i = interval(q.ray.line, shape);
  return {apply_policy(q, shape, i, gate_near), i.t_out};
}

/// Calls use(crossing) if the ray hits the shape, whose gate is not empty; masks and exclusions are
/// the caller's.
template <class Shape, class Use>
SIGHTLINE_HD void use_crossing(const Query& q, const Shape& shape, std::uint32_t id,
                               float gate_near, Use&& use) {
  const FoundThrough r = cast_through(q, shape, gate_near);
  if (r.found.hit) use(Crossing{r.found.t, id, r.t_out, r.found.started_inside});
}

/// The same for the shape with this id, gate included; filters are the caller's.
template <class Use>
SIGHTLINE_HD void use_crossing(const Query& q, const ShapesView& shapes, std::uint32_t id,
                               Use&& use) {
  float gate_near = q.ray.t_min;
  if (id < shapes.bounded()) {
    const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, shapes.bounds[id]);
    if (is_empty(gate)) return;
    gate_near = gate.t_near;
  }
  shapes.visit(id, [&](const auto& s) { use_crossing(q, s, id, gate_near, use); });
}

/// A crossing's t in units of the caller's ray, which has these ends.
SIGHTLINE_HD float t_of(const ScaledRay& ray, const Crossing& c, float t_min, float t_max) {
  return unscaled_t(ray, c.t, t_min, t_max);
}
/// Its t_out, given t: at least t, at most t_max; +inf where the shape is never left and the ray
/// never ends.
SIGHTLINE_HD float t_out_of(const ScaledRay& ray, float t_out, float t, float t_max) {
  const float u =
      t_out == infinity ? infinity : min(times_power_of_two(t_out, -ray.exponent), largest_float);
  return min(max(u, t), t_max) + 0.0f;
}

/// The flags of a row, for a ray with `count` hits of which at most `first` are kept.
SIGHTLINE_HD std::uint8_t row_flags(bool bad, std::uint32_t count, bool first_started_inside,
                                    std::uint32_t first) {
  int flags = bad ? hit_flags::bad_ray : 0;
  if (count > 0) flags |= hit_flags::hit;
  if (first_started_inside) flags |= hit_flags::started_inside;
  if (count > first) flags |= hit_flags::overflow;
  return static_cast<std::uint8_t>(flags);
}

}  // namespace sightline
