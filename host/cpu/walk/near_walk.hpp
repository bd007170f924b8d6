// The walk of a point or a segment through the wide tree, near boxes first.
#pragma once

#include "host/cpu/walk/box_walk.hpp"

#include <sightline/closest/segment_boxes.hpp>

namespace sightline::detail {

/// Squared distances of a box to a node's boxes, which grow with box_distance() of each; +inf for
/// missing ones.
inline Float8 squared_distances(const WideNode& node, const Aabb& q) {
  const Float8 zero = {};
  const auto gap = [&](int axis, float from, float to) {
    const Float8 before = planes8(node.low[axis]) - to, after = from - planes8(node.high[axis]);
    const Float8 larger = before > after ? before : after;
    return larger > zero ? larger : zero;
  };
  const Float8 x = gap(0, q.min.x, q.max.x), y = gap(1, q.min.y, q.max.y);
  const Float8 z = gap(2, q.min.z, q.max.z);
  return (x * x + y * y) + z * z;
}

/// The same of a point, which grow with signed_distance_bound(): -1 for a box that contains it.
inline Float8 squared_distances(const WideNode& node, const Vec3& p, float = infinity) {
  const auto in = [&](int axis, float x) {
    return (planes8(node.low[axis]) <= x) & (planes8(node.high[axis]) >= x);
  };
  const Float8 square = squared_distances(node, Aabb{p, p});
  return in(0, p.x) & in(1, p.y) & in(2, p.z) ? Float8{} - 1 : square;
}

/// Half the areas of a node's boxes.
inline Float8 half_areas(const WideNode& node) {
  const auto extent = [&](int axis) { return planes8(node.high[axis]) - planes8(node.low[axis]); };
  const Float8 x = extent(0), y = extent(1), z = extent(2);
  return x * y + y * z + z * x;
}

/// The same of a segment, as culling_bound() has it: pieces are asked where the segment's own box
/// leaves some that are smaller than it.
inline Float8 squared_distances(const WideNode& node, const SegmentBoxes& q, float most) {
  const Float8 whole = squared_distances(node, q.whole);
  if (bits_of_lanes((whole <= most) & (half_areas(node) <= half_area(q.whole))) == 0) return whole;
  Float8 least = Float8{} + infinity;
  for (const Aabb& piece : q.piece) {
    const Float8 square = squared_distances(node, piece);
    least = square < least ? square : least;
  }
  return whole > least ? whole : least;
}

/// What no square exceeds of a box whose bound is at most the limit. A bound is less than the root
/// by a factor of 2^-21 at most, and 0 for squares below 2^-100.
inline float squared_limit(float limit) {
  return limit < 0 ? 0.0f : limit * limit * (1 + 0x1p-18f) + 0x1p-99f;
}

/// Calls leaf(id) for every shape whose bounds are no further than limit(), as far as floats can
/// tell, from a point or the boxes of a segment; leaf may lower it. Near ones first. ahead(id) is
/// called some time before leaf.
template <class Place, class Limit, class Leaf, class Ahead>
void for_each_near(const WideBvh& bvh, const Place& place, const Limit& limit, const Leaf& leaf,
                   const Ahead& ahead) {
  struct Waiting {
    BvhChild child;
    float square;
  };
  Waiting stack[bvh_max_depth * wide_width];
  if (bvh.nodes.empty()) return;
  int size = 0;
  stack[size++] = {0, -1};
  while (size > 0) {
    const Waiting next = stack[--size];
    const float most = squared_limit(limit());
    if (next.square > most) continue;
    if ((next.child & bvh_leaf_bit) != 0) {
      leaf(next.child & ~bvh_leaf_bit);
      continue;
    }
    const WideNode& node = bvh.nodes[next.child];
    const Float8 squares = squared_distances(node, place, most);
    float square[wide_width];
    std::memcpy(square, &squares, sizeof(squares));
    const int begin = size;
    for (std::uint32_t rest = bits_of_lanes((squares <= most) & (squares < infinity)); rest != 0;
         rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      const BvhChild child = node.child[c];
      if ((child & bvh_leaf_bit) != 0) {
        ahead(child & ~bvh_leaf_bit);
      } else {
        const auto* bytes = reinterpret_cast<const char*>(&bvh.nodes[child]);
        for (std::size_t k = 0; k < sizeof(WideNode); k += 64) __builtin_prefetch(bytes + k);
      }
      int i = size++;
      for (; i > begin && stack[i - 1].square < square[c]; --i) stack[i] = stack[i - 1];
      stack[i] = {child, square[c]};
    }
  }
}

}  // namespace sightline::detail
