// One ray, or another body, through the tree, eight boxes at a time.
#pragma once

#include "host/cpu/lanes/compress.hpp"
#include "host/cpu/lanes/slab.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// Children of a node in lanes.
inline constexpr int child_lanes = native_lanes < wide_width ? native_lanes : wide_width;
using ChildVec = FloatVec<child_lanes>;

struct OneRay {
  float origin[3], inverse[3];
  float t_min, reach;
  std::uint32_t octant;  ///< bit i: backward along axis i
};

/// Calls found(leaf), eight times the node plus the slot, for leaves that are entered, until one
/// returns true; returns whether one did. enters(node, part) says which of the children `part`,
/// `part` + 1, ... (child_lanes of them) are.
template <class Enters, class Found>
HWY_INLINE bool walk_boxes(const WideNode* nodes, const Enters& enters, const Found& found) {
  constexpr int m = child_lanes;
  const FloatTag<m> d;
  const WordTag<m> words;
  const hn::RebindToSigned<WordTag<m>> integers;
  std::uint32_t stack[bvh_max_depth * wide_width + 8];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t at = stack[--size];
    const WideNode& node = nodes[at];
    std::uint32_t leaves = 0;
    for (int part = 0; part < wide_width; part += m) {
      const LaneMask<m> entered = enters(node, part);
      const auto child = hn::Load(words, node.child + part);
      const auto leaf = hn::RebindMask(d, hn::Lt(hn::BitCast(integers, child), hn::Zero(integers)));
      const Compress<m> inner(hn::AndNot(leaf, entered.m));
      hn::StoreU(inner(child), words, stack + size);
      size += inner.count();
      leaves |= bits_of_mask<m>(hn::And(leaf, entered.m)) << part;
    }
    for (; leaves != 0; leaves &= leaves - 1) {
      if (found(at * wide_width + static_cast<std::uint32_t>(__builtin_ctz(leaves)))) return true;
    }
  }
  return false;
}

/// The same for a ray. suits(node, part, t_near) says which of the children may be entered, at
/// t_near.
template <class Suits, class Found>
HWY_INLINE bool walk_one(const WideNode* nodes, const OneRay& ray, const Suits& suits,
                         const Found& found) {
  constexpr int m = child_lanes;
  const auto enters = [&](const WideNode& node, int part) SIGHTLINE_LAMBDA {
    const FloatTag<m> d;
    LaneSlab<m> gate = {ChildVec(ray.t_min), ChildVec(ray.reach)};
    for (int axis = 0; axis < 3; ++axis) {
      const PlaneRows planes = planes_of(node, ray.octant, axis);
      gate.cut(hn::Load(d, planes.nearer + part), hn::Load(d, planes.further + part),
               ChildVec(ray.origin[axis]), ChildVec(ray.inverse[axis]));
    }
    const LaneMask<m> entered = gate.enters();
    return entered & suits(node, part, gate.t_near);
  };
  return walk_boxes(nodes, enters, found);
}

}  // namespace sightline::detail::HWY_NAMESPACE
