// The plain traversal loop, which defines closest hit and any hit over a scene. Faster schedulers
// may visit nodes in another order, but use the same node test, leaf test and gate.
#pragma once

#include <sightline/geometry/bvh/bvh.hpp>
#include <sightline/geometry/queries/cast.hpp>

namespace sightline {

/// Calls leaf(id, gate_near), nearest first, for every shape whose gate is not empty and not beyond
/// `limit`, which leaf may lower; stops when leaf returns true. A box is skipped only if its
/// interval is empty or begins beyond the limit, never at it: ties are visited.
template <class Leaf>
SIGHTLINE_HD void traverse(const BvhView& bvh, const ScaledRay& ray, const float& limit,
                           Leaf&& leaf) {
  struct Entry {
    BvhChild child;
    float t_near;
  };
  Entry stack[bvh_max_depth];  // each step down leaves at most one entry
  int size = 0;
  if (bvh.node_count == 0) return;
  Entry current{0, ray.t_min};
  for (;;) {
    if (is_leaf(current.child)) {
      if (leaf(current.child & ~bvh_leaf_bit, current.t_near)) return;
    } else {
      const BvhNode& node = bvh.nodes[current.child];
      const SlabInterval a = slab(ray.line, ray.t_min, ray.t_max, node.bounds[0]);
      const SlabInterval b = slab(ray.line, ray.t_min, ray.t_max, node.bounds[1]);
      const bool visit_a = !is_empty(a) && !(a.t_near > limit);
      const bool visit_b = !is_empty(b) && !(b.t_near > limit);
      if (visit_a && visit_b) {
        const bool a_first = !(b.t_near < a.t_near);
        const Entry ea{node.child[0], a.t_near}, eb{node.child[1], b.t_near};
        stack[size++] = a_first ? eb : ea;
        current = a_first ? ea : eb;
        continue;
      }
      if (visit_a || visit_b) {
        current = visit_a ? Entry{node.child[0], a.t_near} : Entry{node.child[1], b.t_near};
        continue;
      }
    }
    do {
      if (size == 0) return;
      current = stack[--size];
    } while (current.t_near > limit);
  }
}

/// The hit with the least (t, id) among all shapes. A bad ray hits nothing.
SIGHTLINE_HD Best closest_hit(const BvhView& bvh, const ShapesView& shapes, const Query& q) {
  Best best;
  if (q.ray.bad) return best;
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    if (passes_filter(q, shapes, id)) best.offer(cast_shape(q, shapes, id), id);
  }
  traverse(bvh, q.ray, best.t, [&](std::uint32_t id, float gate_near) {
    if (passes_filter(q, shapes, id)) {
      best.offer(shapes.visit(id, [&](const auto& s) { return cast_past_gate(q, s, gate_near); }),
                 id);
    }
    return false;
  });
  return best;
}

/// Whether test(shape, gate_near) holds for any shape that counts and whose gate is not empty.
template <class Test>
SIGHTLINE_HD bool any_shape(const BvhView& bvh, const ShapesView& shapes, const Query& q,
                            Test&& test) {
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    if (passes_filter(q, shapes, id) &&
        shapes.visit(id, [&](const auto& s) { return test(s, q.ray.t_min); })) {
      return true;
    }
  }
  bool found = false;
  const float limit = largest_float;
  traverse(bvh, q.ray, limit, [&](std::uint32_t id, float gate_near) {
    found = passes_filter(q, shapes, id) &&
            shapes.visit(id, [&](const auto& s) { return test(s, gate_near); });
    return found;
  });
  return found;
}

/// Whether closest_hit hits.
SIGHTLINE_HD bool any_hit(const BvhView& bvh, const ShapesView& shapes, const Query& q) {
  if (q.ray.bad) return false;
  return any_shape(bvh, shapes, q, [&](const auto& s, float gate_near) {
    return cast_past_gate(q, s, gate_near).hit;
  });
}

}  // namespace sightline
