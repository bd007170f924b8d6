// The plain walk of a single lane's ray through the tree of a scene.
#pragma once

#include "kernels/traverse/node_order.cuh"
#include "kernels/traverse/wide_walk.cuh"

namespace sightline::kernels {

/// Calls leaf(id), nearest children first, for every shape whose grown box the ray enters at or
/// before `limit`, which leaf may lower; stops when leaf returns true. grow(box) must contain the
/// box, and be monotone.
template <class Grow, class Leaf>
SIGHTLINE_HD void for_each_along(const WideView& wide, const ScaledRay& ray, const float& limit,
                                 Grow&& grow, Leaf&& leaf) {
  using Order = NearFirst;
  Waiting stack[bvh_max_depth];  // the children still to visit, of each node on the path
  int size = 0;
  if (wide.nodes == nullptr) return;
  std::uint32_t current = 0;
  for (;;) {
    const QuantisedNode& node = wide.nodes[current];
    std::uint32_t seen = 0;
    Order order;
    for_each_slot<4>([&](auto k) {
      const SlabInterval along = slab(ray.line, ray.t_min, ray.t_max, grow(child_box(node, k)));
      if (!is_empty(along) && !(along.t_near > limit)) seen |= 1u << k;
      order.add(k, ordered_bits(along.t_near + 0.0f));
    });
    for (std::uint32_t leaves = seen & node.leaf_slots(); leaves != 0; leaves &= leaves - 1) {
      if (leaf(wide.ids[leaf_of(node, lowest_one(leaves)).unit])) return;
    }
    const std::uint32_t inner = seen & node.inner_slots();
    if (inner != 0) {
      current = order.take_first(node.first_child, inner, stack[size]);
      if (!Order::is_empty(stack[size])) ++size;
      continue;
    }
    while (size > 0 && Order::no_nearer_than(stack[size - 1]) > ordered_bits(limit + 0.0f)) {
      --size;
    }
    if (size == 0) return;
    current = Order::take(stack[size - 1]);
    if (Order::is_empty(stack[size - 1])) --size;
  }
}

}  // namespace sightline::kernels
