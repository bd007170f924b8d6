// Building trees by H-PLOC, written once for all kinds of `Device`.
#pragma once

#include "kernels/build/hploc.cuh"
#include "kernels/build/tree.cuh"

namespace sightline::kernels {

/// A leaf of the hierarchy, and the gap after it.
struct PutPlace {
  const Aabb* bounds;
  const std::uint32_t* ids;
  Cluster* cluster;
  std::uint32_t* far_end;
  std::uint32_t count;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    cluster[i] = {bounds[ids[i]], ids[i] | bvh_leaf_bit, i};
    if (i + 1 < count) far_end[i] = none;
  }
};

/// begin[h] = how many nodes are higher than h; heights [nodes] descend.
struct CountHigher {
  const std::uint8_t* height;
  std::uint32_t nodes;
  std::uint32_t* begin;
  SIGHTLINE_HD void operator()(std::uint32_t h) const {
    std::uint32_t low = 0, high = nodes;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (height[middle] > h) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    begin[h] = low;
  }
};

/// A node in its final place, with its children's final numbers.
struct PutNode {
  const BvhNode* by_slot;
  const std::uint32_t *slot, *number;  ///< each other's inverse
  BvhNode* nodes;
  SIGHTLINE_HD BvhChild renamed(BvhChild child) const {
    return child & bvh_leaf_bit ? child : number[child];
  }
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    const BvhNode from = copied(by_slot[slot[i]]);
    write_node(nodes[i], from.bounds[0], renamed(from.child[0]), from.bounds[1],
               renamed(from.child[1]));
  }
};

/// Numbers nodes [n] by height, the root first, equal heights by slot, so that each round of
/// refitting is one height. Returns false, with nothing written, where the tree is too high.
template <class Device>
bool number_by_height(const Device& device, const BvhNode* by_slot, std::uint8_t* height,
                      std::uint32_t n, BvhNode* nodes, TreeRounds* rounds, const Scratch& scratch) {
  const auto& policy = device.policy();
  const thrust::counting_iterator<std::uint32_t> first(0);
  const ScratchArray<std::uint32_t> slot(scratch, n), number(scratch, n);
  thrust::sequence(policy, slot.data(), slot.data() + n);
  thrust::stable_sort_by_key(policy, height, height + n, slot.data(),
                             thrust::greater<std::uint8_t>());
  constexpr std::uint32_t heights = bvh_max_depth + 1;
  static_assert(bvh_max_depth < most_height && sizeof rounds->begin == heights * 4);
  const ScratchArray<std::uint32_t> begin(scratch, heights);
  thrust::for_each_n(policy, first, heights, CountHigher{height, n, begin.data()});
  device.fetch(rounds->begin, begin.data(), sizeof rounds->begin);
  if (rounds->begin[bvh_max_depth] != 0) return false;
  while (rounds->begin[rounds->count] != 0) ++rounds->count;
  thrust::for_each_n(policy, first, n, PutRank{slot.data(), number.data()});
  thrust::for_each_n(policy, first, n, PutNode{by_slot, slot.data(), number.data(), nodes});
  return true;
}

/// Returns false where the tree would be too high.
template <class Device>
bool climb_and_number(const Device& device, const ShapesView& shapes, BvhNode* nodes,
                      TreeRounds* rounds, const Scratch& scratch) {
  const auto& policy = device.policy();
  const std::uint32_t n = shapes.bounded();
  const ScratchArray<std::uint64_t> codes(scratch, n);
  const ScratchArray<Cluster> clusters(scratch, n);
  const ScratchArray<std::uint32_t> far_end(scratch, n - 1);
  {
    const ScratchArray<Aabb> bounds(scratch, n);
    const ScratchArray<std::uint32_t> ids(scratch, n);
    order_shapes(policy, shapes, bounds.data(), ids.data(), codes.data());
    thrust::for_each_n(policy, thrust::counting_iterator<std::uint32_t>(0), n,
                       PutPlace{bounds.data(), ids.data(), clusters.data(), far_end.data(), n});
  }
  const ScratchArray<BvhNode> by_slot(scratch, n - 1);
  const ScratchArray<std::uint8_t> height(scratch, n - 1);
  device.climb({n, codes.data(), clusters.data(), far_end.data(), by_slot.data(), height.data()});
  return number_by_height(device, by_slot.data(), height.data(), n - 1, nodes, rounds, scratch);
}

/// launch.hpp's build_tree; throws where that returns an error. Takes up to 124 bytes of scratch a
/// shape, and what the policy's algorithms take. Returns false where the tree would exceed
/// bvh_max_depth; that depends on the shapes alone.
///
/// Device: policy(), Thrust's; climb(job), which runs an HplocWarp for every 32 places; and
/// fetch(to, from, bytes), which copies to the host and waits.
template <class Device>
bool build_tree_on(const Device& device, const ShapesView& shapes, BvhNode* nodes,
                   TreeRounds* rounds, const Scratch& scratch) {
  if (build_few_on(device.policy(), shapes, nodes, rounds)) return true;
  *rounds = {};
  return climb_and_number(device, shapes, nodes, rounds, scratch);
}

}  // namespace sightline::kernels
