// One ray, or another body, through the tree, eight boxes at a time.
#pragma once

#include "host/cpu/rays/slab.hpp"
#include "host/cpu/simd/compress.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// Children of a node in lanes.
inline constexpr int child_lanes = native_lanes < wide_width ? native_lanes : wide_width;
using ChildVec = FloatVec<child_lanes>;

struct OneRay {
  float origin[3], inverse[3];
  float t_min, reach;
  std::uint32_t octant;       ///< bit i: backward along axis i
  bool from_the_end = false;  ///< whether what is near its end comes first
};

/// The nodes around a point, one in the other, from the root on. A walk that goes back along them
/// meets what is near the point first, without coming down from the root.
class NodePath {
 public:
  static constexpr std::uint32_t no_child = 0;  ///< the root is no node's child

  HWY_INLINE NodePath(const WideNode* nodes, const Vec3& point) {
    const Vec3T<ChildVec> here = broadcast<child_lanes>(point);
    std::uint32_t child = 0;
    do {
      node_[size_++] = child;
      const WideNode& node = nodes[child];
      child = no_child;
      for (int part = 0; part < wide_width && child == no_child; part += child_lanes) {
        const std::uint32_t around = inner_around(node, part, here);
        if (around != 0) child = node.child[part + __builtin_ctz(around)];
      }
    } while (child != no_child);
    node_[size_] = no_child;
  }
  int size() const { return size_; }
  /// Node k, k < size(), of which node k + 1 is a child; no_child for k == size().
  std::uint32_t operator[](int k) const { return node_[k]; }

 private:
  /// The inner children `part`, `part` + 1, ... around the point.
  HWY_INLINE static std::uint32_t inner_around(const WideNode& node, int part,
                                               const Vec3T<ChildVec>& here) {
    constexpr int m = child_lanes;
    const FloatTag<m> d;
    const hn::RebindToSigned<WordTag<m>> integers;
    const auto child = hn::BitCast(integers, hn::Load(WordTag<m>(), node.child + part));
    const auto is_leaf = hn::RebindMask(d, hn::Lt(child, hn::Zero(integers)));
    const auto spans = [&](int axis, ChildVec p) SIGHTLINE_LAMBDA {
      return (ChildVec(hn::Load(d, node.low[axis] + part)) <= p) &
             (p <= ChildVec(hn::Load(d, node.high[axis] + part)));
    };
    return bits_of_mask<m>(spans(0, here.x) & spans(1, here.y) & spans(2, here.z) &
                           !LaneMask<m>(is_leaf));
  }

  std::uint32_t node_[bvh_max_depth + 1];
  int size_ = 0;
};

/// Puts the children of a node into falling order of `near`, so that the nearest is taken first.
HWY_INLINE void sort_stack(float* near, std::uint32_t* child, int count) {
  for (int i = 1; i < count; ++i) {
    const float t = near[i];
    const std::uint32_t c = child[i];
    int k = i;
    for (; k > 0 && near[k - 1] < t; --k) near[k] = near[k - 1], child[k] = child[k - 1];
    near[k] = t, child[k] = c;
  }
}

/// Calls found(leaf), eight times the node plus the slot, for leaves that are entered, until one
/// returns true; returns whether one did. Goes back along the path, and down into the nodes beside
/// it. enters(node, part, near) says which of the children `part`, `part` + 1, ... (child_lanes of
/// them) are; where they are `sorted`, the inner ones of a node are taken in rising order of what
/// it writes to `near`.
template <bool sorted, class Enters, class Found>
HWY_INLINE bool walk_boxes(const WideNode* nodes, const NodePath& path, const Enters& enters,
                           const Found& found) {
  constexpr int m = child_lanes;
  const FloatTag<m> d;
  const WordTag<m> words;
  const hn::RebindToSigned<WordTag<m>> integers;
  constexpr int room = bvh_max_depth * wide_width + 8;
  std::uint32_t stack[room];
  float nearness[sorted ? room : 1];
  int size = 0, path_left = path.size();
  while (size > 0 || path_left > 0) {
    std::uint32_t at, visited = NodePath::no_child;
    if (size > 0) {
      at = stack[--size];
    } else {
      visited = path[path_left];
      at = path[--path_left];
    }
    const WideNode& node = nodes[at];
    const int first = size;
    std::uint32_t leaves = 0;
    for (int part = 0; part < wide_width; part += m) {
      const auto child = hn::Load(words, node.child + part);
      const auto is_new = hn::RebindMask(d, hn::Ne(child, hn::Set(words, visited)));
      ChildVec near;
      const LaneMask<m> entered = enters(node, part, near) & LaneMask<m>(is_new);
      const auto leaf = hn::RebindMask(d, hn::Lt(hn::BitCast(integers, child), hn::Zero(integers)));
      const Compress<m> inner(hn::AndNot(leaf, entered.m));
      hn::StoreU(inner(child), words, stack + size);
      if constexpr (sorted) hn::StoreU(inner(near.v), d, nearness + size);
      size += inner.count();
      leaves |= bits_of_mask<m>(hn::And(leaf, entered.m)) << part;
    }
    for (; leaves != 0; leaves &= leaves - 1) {
      if (found(at * wide_width + static_cast<std::uint32_t>(__builtin_ctz(leaves)))) return true;
    }
    if constexpr (sorted) sort_stack(nearness + first, stack + first, size - first);
  }
  return false;
}

/// The same for a ray: inner children nearest first. suits(node, part, t_near) says which of the
/// children may be entered, at t_near.
template <class Suits, class Found>
HWY_INLINE bool walk_one(const WideNode* nodes, const NodePath& path, const OneRay& ray,
                         const Suits& suits, const Found& found) {
  constexpr int m = child_lanes;
  const auto enters = [&](const WideNode& node, int part, ChildVec& near) SIGHTLINE_LAMBDA {
    const FloatTag<m> d;
    LaneSlab<m> gate = {ChildVec(ray.t_min), ChildVec(ray.reach)};
    for (int axis = 0; axis < 3; ++axis) {
      const PlaneRows planes = planes_of(node, ray.octant, axis);
      gate.cut(hn::Load(d, planes.nearer + part), hn::Load(d, planes.further + part),
               ChildVec(ray.origin[axis]), ChildVec(ray.inverse[axis]));
    }
    const LaneMask<m> entered = gate.enters();
    near = ray.from_the_end ? ChildVec(0) - gate.t_far : gate.t_near;
    return entered & suits(node, part, gate.t_near);
  };
  return walk_boxes<true>(nodes, path, enters, found);
}

}  // namespace sightline::detail::HWY_NAMESPACE
