// Brute force, where there is no tree: one lane, over every shape.
#pragma once

#include "kernels/launch/launch.hpp"
#include "kernels/traverse/team.cuh"

namespace sightline::kernels {

/// Calls leaf(shape, id, gate_near) for every shape that counts and whose gate is not empty, in the
/// order of ids, until leaf returns true. Returns whether it did.
template <class Leaf>
SIGHTLINE_HD bool any_of_all(const ShapesView& shapes, const Query& q, Leaf&& leaf) {
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    float gate_near = q.ray.t_min;
    if (id < shapes.bounded()) {
      const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, shapes.bounds[id]);
      if (is_empty(gate)) continue;
      gate_near = gate.t_near;
    }
    if (passes_filter(q, shapes, id) &&
        shapes.visit(id, [&](const auto& s) { return leaf(s, id, gate_near); })) {
      return true;
    }
  }
  return false;
}

/// The least (t, id). A bad ray hits nothing.
SIGHTLINE_HD Best closest_of_all(const ShapesView& shapes, const Query& q) {
  Best best;
  if (q.ray.bad) return best;
  any_of_all(shapes, q, [&](const auto& shape, std::uint32_t id, float gate_near) {
    // No hit is nearer than its gate; a gate that begins at the best hit may still tie.
    if (!(gate_near > best.t)) best.offer(cast_past_gate(q, shape, gate_near), id);
    return false;
  });
  return best;
}

/// Whether closest_of_all() hits.
SIGHTLINE_HD bool hits_any_of_all(const ShapesView& shapes, const Query& q) {
  return !q.ray.bad &&
         any_of_all(shapes, q, [&](const auto& shape, std::uint32_t, float gate_near) {
           return cast_past_gate(q, shape, gate_near).hit;
         });
}

/// The search of line of sight.
struct BruteSearch {
  const DeviceScene& scene;

  /// Whether test(shape, gate_near) holds for any shape that counts and whose gate is not empty.
  template <class Test>
  SIGHTLINE_HD bool any_shape(const Query& q, Test&& test) const {
    return any_of_all(scene.shapes, q, [&](const auto& shape, std::uint32_t, float gate_near) {
      return test(shape, gate_near);
    });
  }
};

}  // namespace sightline::kernels
