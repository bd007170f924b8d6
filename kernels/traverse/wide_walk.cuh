// A single lane's walk through a wide tree, for queries about many shapes.
#pragma once

#include "kernels/launch/launch.hpp"
#include "kernels/traverse/records.cuh"
#include "kernels/traverse/team.cuh"

namespace sightline::kernels {

/// The float box of a child of a wide node. It contains the child's bounds: the exact planes do,
/// and rounding is monotone, so a plane on one side of a float stays there.
SIGHTLINE_HD Aabb child_box(const QuantisedNode& node, int k) {
  const auto plane = [&](std::uint32_t row, int axis) {
    return above_base(node, axis, row, k) + node.base[axis];
  };
  return {{plane(node.low[0], 0), plane(node.low[1], 1), plane(node.low[2], 2)},
          {plane(node.high[0], 0), plane(node.high[1], 1), plane(node.high[2], 2)}};
}

/// The lowest node on the way down from the root whose box has the point in it; of several children
/// that do the first.
SIGHTLINE_HD std::uint32_t lowest_node_around(const WideView& wide, const Vec3& p) {
  if (wide.nodes == nullptr) return 0;
  for (std::uint32_t current = 0;;) {
    const QuantisedNode& node = wide.nodes[current];
    std::uint32_t around = 0;
    for_each_slot<4>([&](auto k) {
      const Aabb b = child_box(node, k);
      const bool is_in = b.min.x <= p.x && p.x <= b.max.x && b.min.y <= p.y && p.y <= b.max.y &&
                         b.min.z <= p.z && p.z <= b.max.z;
      if (is_in) around |= 1u << k;
    });
    around &= node.inner_slots();
    if (around == 0) return current;
    current = node.first_child + lowest_one(around);
  }
}

/// Calls leaf(shape, unit) for the shapes of every child that children_seen(node) has a bit for,
/// until leaf returns true; wide.ids[unit] is its id. Bits of missing children must be 0.
template <class See, class Leaf>
SIGHTLINE_HD void for_each_seen(const WideView& wide, See&& children_seen, Leaf&& leaf) {
  struct Unseen {
    std::uint32_t first, slots;
  };
  Unseen stack[bvh_max_depth];  // the children still to visit, of each node on the path
  int size = 0;
  if (wide.nodes == nullptr) return;
  std::uint32_t current = 0;
  for (;;) {
    const QuantisedNode& node = wide.nodes[current];
    std::uint32_t seen = children_seen(node);
    for (std::uint32_t rest = seen & node.leaf_slots(); rest != 0; rest &= rest - 1) {
      const LeafRecord at = leaf_of(node, lowest_one(rest));
      bool stop = false;
      visit_record(wide.records + at.unit, at.kind,
                   [&](const auto& shape) { stop = leaf(shape, at.unit); });
      if (stop) return;
    }
    seen &= node.inner_slots();
    if (seen != 0) stack[size++] = {node.first_child, seen};
    if (size == 0) return;
    Unseen& top = stack[size - 1];
    current = top.first + lowest_one(top.slots);
    top.slots &= top.slots - 1;
    if (top.slots == 0) --size;
  }
}

}  // namespace sightline::kernels
