// The walk of one ray through any tree of a scene, by a lane for itself.
#pragma once

#include "kernels/wide_walk.cuh"

#include <sightline/traverse.hpp>

namespace sightline::kernels {

/// Calls leaf(id) for every shape whose box, looked at as grow(box), the ray may meet no further
/// than `limit`, which leaf may lower, near ones first; until one says true. `grow` is as in
/// traverse().
template <int N, class Grow, class Leaf>
SIGHTLINE_HD void for_each_along(const WideView& wide, const ScaledRay& ray, const float& limit,
                                 Grow&& grow, Leaf&& leaf) {
  struct Waiting {
    std::uint32_t node;
    float t_near;
  };
  Waiting stack[bvh_max_depth * (N - 1) + 1];  // of each node on the path all children but one
  const auto* const nodes = static_cast<const QuantisedNode<N>*>(wide.nodes);
  if (nodes == nullptr) return;
  int size = 0;
  stack[size++] = {0, ray.t_min};
  while (size > 0) {
    const Waiting next = stack[--size];
    if (next.t_near > limit) continue;
    const QuantisedNode<N>& node = nodes[next.node];
    const int begin = size;
    for (int k = 0; k < node.children(); ++k) {
      const SlabInterval seen = slab(ray.line, ray.t_min, ray.t_max, grow(child_box(node, k)));
      if (is_empty(seen) || seen.t_near > limit) continue;
      if (k >= node.inner()) {
        const std::uint32_t byte = node.leaf[k / 4] >> (8 * (k % 4)) & 0xFFu;
        if (leaf(wide.ids[node.first_record + (byte & 31u)])) return;
        continue;
      }
      int i = size++;
      for (; i > begin && stack[i - 1].t_near < seen.t_near; --i) stack[i] = stack[i - 1];
      stack[i] = {node.first_child + static_cast<std::uint32_t>(k), seen.t_near};
    }
  }
}

/// The same in whatever tree the scene has.
template <class Grow, class Leaf>
SIGHTLINE_HD void for_each_along(const DeviceScene& scene, const ScaledRay& ray, const float& limit,
                                 Grow&& grow, Leaf&& leaf) {
  if (scene.layout == NodeLayout::binary) {
    traverse(scene.bvh, ray, limit, grow, [&](std::uint32_t id, float) { return leaf(id); });
  } else if (scene.layout == NodeLayout::wide4) {
    for_each_along<4>(scene.wide, ray, limit, grow, leaf);
  } else {
    for_each_along<8>(scene.wide, ray, limit, grow, leaf);
  }
}

}  // namespace sightline::kernels
