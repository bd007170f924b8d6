// Counts what the plain traversal visits (include/sightline/geometry/queries/traverse.hpp).
#pragma once

#include <sightline/geometry/queries/traverse.hpp>

#include <utility>

namespace sightline::testing {

/// The inner nodes whose boxes are tested for one ray's closest hit, or for any hit.
inline std::uint64_t nodes_visited(const BvhView& bvh, const ShapesView& shapes, const Query& q,
                                   bool any) {
  struct Entry {
    BvhChild child;
    float t_near;
  };
  Entry stack[bvh_max_depth + 1];
  int size = 0;
  std::uint64_t visited = 0;
  Best best;
  if (q.ray.bad || bvh.node_count == 0) return 0;
  const auto offer = [&](std::uint32_t id, float gate_near) {
    if (!passes_filter(q, shapes, id)) return;
    best.offer(shapes.visit(id, [&](const auto& s) { return cast_past_gate(q, s, gate_near); }),
               id);
  };
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) offer(id, q.ray.t_min);
  stack[size++] = {0, q.ray.t_min};
  while (size > 0 && !(any && best.id != none)) {
    const Entry entry = stack[--size];
    if (entry.t_near > best.t) continue;
    if (entry.child & bvh_leaf_bit) {
      offer(entry.child & ~bvh_leaf_bit, entry.t_near);
      continue;
    }
    ++visited;
    const BvhNode& node = bvh.nodes[entry.child];
    Entry children[2];
    int n = 0;
    for (int k = 0; k < 2; ++k) {
      const SlabInterval i = slab(q.ray.line, q.ray.t_min, q.ray.t_max, node.bounds[k]);
      if (!is_empty(i) && !(i.t_near > best.t)) children[n++] = {node.child[k], i.t_near};
    }
    // The nearer one on top of the stack.
    if (n == 2 && !(children[1].t_near < children[0].t_near)) std::swap(children[0], children[1]);
    for (int k = 0; k < n; ++k) stack[size++] = children[k];
  }
  return visited;
}

}  // namespace sightline::testing
