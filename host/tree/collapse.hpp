// Chooses which nodes of a binary tree remain when its nodes get eight children.
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

/// The choice minimises the sum of the remaining nodes' areas, and so the number of nodes that rays
/// visit. Every node costs a little more than its area, since it takes memory.
/// Source: Ylitie, Karras, Laine, "Efficient incoherent ray traversal on GPUs through compressed
/// wide BVHs" (2017), section 4.
class Collapse {
 public:
  /// Children must have greater numbers than their node. Uses the threads of the arena. Throws
  /// std::bad_alloc and Error{out_of_memory}.
  explicit Collapse(const BvhView& bvh);

  /// The children of a remaining node.
  WideChildren children_of(std::uint32_t node) const;

  /// Its peak memory, and what it keeps.
  static BuildBytes bytes(std::uint64_t binary_nodes);

 private:
  /// For two to eight slots that a node may fill, four bits each: the slots of its first child if
  /// the node vanishes, or 0 if it remains. For eight slots: if it remains.
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
