// Which nodes of a binary tree remain when its nodes get eight children.
#pragma once

#include "host/tree/wide_bvh.hpp"

namespace sightline::detail {

/// A child of a wide node: an inner node of the binary tree that remains, or a shape.
struct WideChild {
  Aabb box;
  BvhChild child;
};
struct WideChildren {
  WideChild at[wide_width];
  int count = 0;
};

/// The choice of the nodes that remain: the sum of their areas is least, and so the number of
/// nodes that rays visit. Every node counts a little more than its area, since it takes memory.
/// Source: Ylitie, Karras, Laine, "Efficient incoherent ray traversal on GPUs through compressed
/// wide BVHs" (2017), section 4.
class Collapse {
 public:
  /// The children of a node must have greater numbers than itself. Uses the threads of the arena.
  /// Throws std::bad_alloc and Error{out_of_memory}.
  explicit Collapse(const BvhView& bvh);

  /// The children of a node that remains.
  WideChildren children_of(std::uint32_t node) const;

  /// Bytes that it takes at its peak, and that it keeps.
  static BuildBytes bytes(std::uint64_t binary_nodes);

 private:
  /// By the slots of a wide node, two to eight, that a node may fill: how many its first child
  /// gets when it vanishes, or 0 where it remains. Of eight slots: when it remains. Four bits
  /// each.
  using Shares = std::uint32_t;

  int share_of_first(std::uint32_t node, int slots) const {
    return static_cast<int>(shares_[node] >> (4 * (slots - 1)) & 15);
  }
  void share_out(WideChildren& children, std::uint32_t node, int first, int slots) const;
  void place(WideChildren& children, const Aabb& box, BvhChild child, int slots) const;

  BvhView bvh_;
  PageVector<Shares> shares_;
};

}  // namespace sightline::detail
