// The walk of one ray through the wide tree, eight boxes at a time.
#pragma once

#include "host/cpu/walk/box_walk.hpp"

#include <sightline/intersect/slab.hpp>

namespace sightline::detail {

/// Eight boxes, an axis of planes after the other.
struct Boxes8 {
  Float8 low[3], high[3];
};

/// How a walk sees boxes: as they are.
struct AsTheyAre {
  const Boxes8& operator()(const Boxes8& boxes) const { return boxes; }
};

/// A node's children as a ray sees them.
struct Children {
  std::uint32_t seen;        ///< a bit for each whose interval is not empty
  float t_near[wide_width];  ///< where the interval begins: for a leaf, its gate's near end
};

/// The same bits as slab() of every box, missing children being unseen.
inline Children children_along(const Line& line, float t_min, float t_max, const Boxes8& boxes) {
  Float8 t_near = Float8{} + t_min, t_far = Float8{} + t_max;
  const auto cut = [&](int axis, float o, float d, float inverse) {
    const bool backward = d < 0.0f;
    const Float8 n = ((backward ? boxes.high : boxes.low)[axis] - o) * inverse;
    const Float8 f = ((backward ? boxes.low : boxes.high)[axis] - o) * inverse;
    t_near = n > t_near ? n : t_near;
    t_far = f < t_far ? f : t_far;
  };
  cut(0, line.origin.x, line.direction.x, line.inverse.x);
  cut(1, line.origin.y, line.direction.y, line.inverse.y);
  cut(2, line.origin.z, line.direction.z, line.inverse.z);
  t_near *= 1.0f - 4 * 0x1p-23f;
  Children c;
  c.seen = bits_of_lanes(t_near <= t_far);
  std::memcpy(c.t_near, &t_near, sizeof(t_near));
  return c;
}

/// The same of a node, its boxes seen as `grow` says.
template <class Grow>
Children children_along(const WideNode& node, const Line& line, float t_min, float t_max,
                        const Grow& grow) {
  const Boxes8 boxes = {{planes8(node.low[0]), planes8(node.low[1]), planes8(node.low[2])},
                        {planes8(node.high[0]), planes8(node.high[1]), planes8(node.high[2])}};
  return children_along(line, t_min, t_max, grow(boxes));
}

/// Calls leaf(id, gate_near) for every shape whose gate is not empty and does not begin beyond
/// `limit`, which leaf may lower, near ones first; until one says true. A box is passed over only
/// when its interval is empty or begins beyond the limit, never at it: ties are visited.
/// `grow` maps Boxes8 to Boxes8, monotonely: a box in another stays in it (AsTheyAre: rays without
/// a radius). The gate is the shape's own box, grown so.
template <class Grow, class Leaf>
void for_each_along(const WideBvh& bvh, const Line& line, float t_min, float t_max,
                    const float& limit, const Grow& grow, const Leaf& leaf) {
  struct Waiting {
    BvhChild child;
    float t_near;
  };
  Waiting stack[bvh_max_depth * wide_width];
  if (bvh.nodes.empty()) return;
  int size = 0;
  stack[size++] = {0, -infinity};
  while (size > 0) {
    const Waiting next = stack[--size];
    if (next.t_near > limit) continue;
    if ((next.child & bvh_leaf_bit) != 0) {
      if (leaf(next.child & ~bvh_leaf_bit, next.t_near)) return;
      continue;
    }
    const WideNode& node = bvh.nodes[next.child];
    const Children children = children_along(node, line, t_min, t_max, grow);
    const int begin = size;
    for (std::uint32_t rest = children.seen; rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      const float t_near = children.t_near[c];
      if (t_near > limit) continue;
      int i = size++;
      for (; i > begin && stack[i - 1].t_near < t_near; --i) stack[i] = stack[i - 1];
      stack[i] = {node.child[c], t_near};
    }
  }
}

/// The same of all shapes along the ray, in any order, for questions without a limit.
template <class Grow, class Leaf>
void for_each_along(const WideBvh& bvh, const Line& line, float t_min, float t_max,
                    const Grow& grow, const Leaf& leaf) {
  BvhChild stack[bvh_max_depth * wide_width];
  if (bvh.nodes.empty()) return;
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const WideNode& node = bvh.nodes[stack[--size]];
    const Children children = children_along(node, line, t_min, t_max, grow);
    for (std::uint32_t rest = children.seen; rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      const BvhChild child = node.child[c];
      if ((child & bvh_leaf_bit) == 0) {
        stack[size++] = child;
      } else if (leaf(child & ~bvh_leaf_bit, children.t_near[c])) {
        return;
      }
    }
  }
}

}  // namespace sightline::detail
