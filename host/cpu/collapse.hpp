// Which nodes of a binary tree remain when its nodes get eight children.
#pragma once

#include "host/cpu/wide_bvh.hpp"

#include <array>
#include <span>

namespace sightline::detail {

/// What a subtree costs its rays by the slots of a wide node that it may fill: [s - 1] for s.
using SlotCosts = std::array<float, wide_width>;

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
  /// Throws std::bad_alloc.
  explicit Collapse(const BvhView& bvh);

  /// The children of a node that remains.
  WideChildren children_of(std::uint32_t node) const;

 private:
  void weigh(std::uint32_t node);
  const SlotCosts& costs_of(BvhChild child) const;
  void share_out(WideChildren& children, std::uint32_t node, int slots) const;
  void place(WideChildren& children, const Aabb& box, BvhChild child, int slots) const;

  BvhView bvh_;
  float node_cost_;  ///< of a node, beside its area
  PageVector<SlotCosts> costs_;
};

}  // namespace sightline::detail
