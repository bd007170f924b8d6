// Traversal of the wide tree by one query.
#pragma once

#include "host/tree/box8.hpp"
#include "host/tree/wide_bvh.hpp"

#include <sightline/geometry/shapes/all_shapes.hpp>

namespace sightline::detail {

/// A vector of the numbers that lie here.
template <class V, class T>
V loaded(const T* numbers) {
  V v;
  std::memcpy(&v, numbers, sizeof(v));
  return v;
}

/// One plane of each of a node's boxes.
inline Float8 planes8(const float (&planes)[wide_width]) { return loaded<Float8>(planes); }

/// One bit a lane of a comparison.
inline std::uint32_t bits_of_lanes(const Int8& lanes) {
#if defined(__AVX__)
  return static_cast<std::uint32_t>(__builtin_ia32_movmskps256(Float8(lanes)));
#else
  std::uint32_t bits = 0;
  for (int c = 0; c < wide_width; ++c) bits |= static_cast<std::uint32_t>(lanes[c] & 1) << c;
  return bits;
#endif
}

/// The children of the node, or other eight boxes, that overlap this one, as bits. Missing children
/// have none.
template <class Node>
std::uint32_t children_in(const Node& node, const Aabb& box) {
  return bits_of_lanes((planes8(node.low[0]) <= box.max.x) & (planes8(node.high[0]) >= box.min.x) &
                       (planes8(node.low[1]) <= box.max.y) & (planes8(node.high[1]) >= box.min.y) &
                       (planes8(node.low[2]) <= box.max.z) & (planes8(node.high[2]) >= box.min.z));
}

/// The children of a node that a query visits, and the lower bound of the answers below each.
template <class Bound>
struct Seen {
  std::uint32_t children;  ///< as bits
  Bound bound[wide_width];
};

/// Prefetches an inner node.
inline void prefetch(const WideNode& node) {
  const auto* bytes = reinterpret_cast<const char*>(&node);
  for (std::size_t k = 0; k < sizeof(WideNode); k += 64) __builtin_prefetch(bytes + k);
}

/// Prefetches a bounded shape.
inline void prefetch(const ShapesView& shapes, std::uint32_t id) {
  shapes.locate_bounded(id, [&]<class S>(ShapeTag<S>, std::uint32_t i) {
    ShapeTraits<S>::fields([i](const char*, const auto* column) { __builtin_prefetch(column + i); },
                           shapes.of<S>());
  });
}

inline constexpr auto child_of = [](const WideNode& node, int c) { return node.child[c]; };

/// Calls leaf(id, bound) for the shapes that a query reaches until leaf returns true; least bounds
/// first. `see(node, limit)` returns a Seen with the children whose bound is at most the limit.
/// `limit()` may shrink meanwhile: entries beyond it are skipped, never entries at it. Some time
/// before a child is visited, ahead(node, slot) returns it, a leaf with what takes its id's place.
template <class See, class Limit, class Leaf, class Ahead = decltype(child_of)>
void walk_near_first(const WideBvh& bvh, const See& see, const Limit& limit, const Leaf& leaf,
                     const Ahead& ahead = child_of) {
  using Bound = decltype(limit());
  struct Pending {
    BvhChild child;
    Bound bound;
  };
  Pending stack[bvh_max_depth * wide_width];
  if (bvh.nodes.empty()) return;
  int size = 0;
  stack[size++] = {0, -infinity};
  while (size > 0) {
    const Pending next = stack[--size];
    const Bound most = limit();
    if (next.bound > most) continue;
    if (is_leaf(next.child)) {
      if (leaf(next.child & ~bvh_leaf_bit, next.bound)) return;
      continue;
    }
    const WideNode& node = bvh.nodes[next.child];
    const Seen<Bound> seen = see(node, most);
    const int begin = size;
    for (std::uint32_t rest = seen.children; rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      const Pending child = {ahead(node, c), seen.bound[c]};
      int i = size++;
      for (; i > begin && stack[i - 1].bound < child.bound; --i) stack[i] = stack[i - 1];
      stack[i] = child;
    }
  }
}

/// The same without a limit, in any order: leaf(node, c, seen) for the leaves among a node's
/// children. see(node) returns a Seen.
template <class See, class Leaf>
void walk_all(const WideBvh& bvh, const See& see, const Leaf& leaf) {
  BvhChild stack[bvh_max_depth * wide_width];
  if (bvh.nodes.empty()) return;
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const WideNode& node = bvh.nodes[stack[--size]];
    const auto seen = see(node);
    for (std::uint32_t rest = seen.children; rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      if (!is_leaf(node.child[c])) {
        stack[size++] = node.child[c];
      } else if (leaf(node, c, seen)) {
        return;
      }
    }
  }
}

/// For walk_all(): the children that overlap a box.
struct InBox {
  Aabb box;

  struct Overlapping {
    std::uint32_t children;
  };
  Overlapping operator()(const WideNode& node) const { return {children_in(node, box)}; }
};

}  // namespace sightline::detail
