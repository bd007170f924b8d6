// The walk of a box through the wide tree: whose bounds it overlaps.
#pragma once

#include "host/tree/box8.hpp"
#include "host/tree/wide_bvh.hpp"

namespace sightline::detail {

/// One plane of each of a node's boxes.
inline Float8 planes8(const float (&planes)[wide_width]) {
  Float8 v;
  std::memcpy(&v, planes, sizeof(v));
  return v;
}

/// A bit for each lane of a comparison.
inline std::uint32_t bits_of_lanes(const Int8& lanes) {
#if defined(__AVX__)
  return static_cast<std::uint32_t>(__builtin_ia32_movmskps256(Float8(lanes)));
#else
  std::uint32_t bits = 0;
  for (int c = 0; c < wide_width; ++c) bits |= static_cast<std::uint32_t>(lanes[c] & 1) << c;
  return bits;
#endif
}

/// A bit for each child of the node whose box overlaps this one. Missing children have none.
inline std::uint32_t children_in(const WideNode& node, const Aabb& box) {
  return bits_of_lanes((planes8(node.low[0]) <= box.max.x) & (planes8(node.high[0]) >= box.min.x) &
                       (planes8(node.low[1]) <= box.max.y) & (planes8(node.high[1]) >= box.min.y) &
                       (planes8(node.low[2]) <= box.max.z) & (planes8(node.high[2]) >= box.min.z));
}

/// Calls leaf(id) for every shape whose bounds overlap the box, until one says true.
template <class Leaf>
void for_each_in(const WideBvh& bvh, const Aabb& box, const Leaf& leaf) {
  struct Waiting {
    std::uint32_t node, children;
  };
  Waiting stack[bvh_max_depth];  // of each node on the path what is left of it
  if (bvh.nodes.empty()) return;
  int size = 0;
  stack[size++] = {0, children_in(bvh.nodes[0], box)};
  while (size > 0) {
    Waiting& top = stack[size - 1];
    if (top.children == 0) {
      --size;
      continue;
    }
    const int c = __builtin_ctz(top.children);
    top.children &= top.children - 1;
    const BvhChild child = bvh.nodes[top.node].child[c];
    if ((child & bvh_leaf_bit) == 0) {
      stack[size++] = {child, children_in(bvh.nodes[child], box)};
    } else if (leaf(child & ~bvh_leaf_bit)) {
      return;
    }
  }
}

}  // namespace sightline::detail
