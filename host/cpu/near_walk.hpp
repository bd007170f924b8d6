// The walk of a point through the wide tree, near boxes first.
#pragma once

#include "host/cpu/box_walk.hpp"

#include <sightline/vec.hpp>

namespace sightline::detail {

/// Squared distances of a point to a node's boxes, which grow with signed_distance_bound() of each:
/// -1 for a box that contains the point, +inf for missing ones.
inline Float8 squared_distances(const WideNode& node, const Vec3& p) {
  const Float8 zero = {};
  const auto larger = [](const Float8& a, const Float8& b) { return a > b ? a : b; };
  const auto gap = [&](int axis, float x) {
    return larger(zero, larger(planes8(node.low[axis]) - x, x - planes8(node.high[axis])));
  };
  const auto in = [&](int axis, float x) {
    return (planes8(node.low[axis]) <= x) & (planes8(node.high[axis]) >= x);
  };
  const Float8 x = gap(0, p.x), y = gap(1, p.y), z = gap(2, p.z);
  const Float8 square = (x * x + y * y) + z * z;
  return in(0, p.x) & in(1, p.y) & in(2, p.z) ? zero - 1 : square;
}

/// What no square exceeds of a box whose bound is at most the limit. A bound is less than the root
/// by a factor of 2^-21 at most, and 0 for squares below 2^-100.
inline float squared_limit(float limit) {
  return limit < 0 ? 0.0f : limit * limit * (1 + 0x1p-18f) + 0x1p-99f;
}

/// Calls leaf(id) for every shape whose bounds are no further than limit(), as far as floats can
/// tell, which leaf may lower; near ones first. ahead(id) is called some time before leaf.
template <class Limit, class Leaf, class Ahead>
void for_each_near(const WideBvh& bvh, const Vec3& p, const Limit& limit, const Leaf& leaf,
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
    const Float8 squares = squared_distances(node, p);
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
