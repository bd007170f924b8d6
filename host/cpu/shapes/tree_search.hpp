// The cpu backend's scene: a tree, the shapes without bounds, and threads.
#pragma once

#include "host/backend/every_shape.hpp"
#include "host/backend/ray_queries.hpp"
#include "host/cpu/shapes/grown_boxes8.hpp"
#include "host/cpu/threads.hpp"

namespace sightline::detail {

// The `grow` of AlongRay for a query.
inline Ungrown grow_of(const Query&) { return {}; }
template <class Mover>
GrownBy<Mover> grow_of(const SweepQuery<Mover>& q) {
  return {q.mover};
}

/// The Search of ray_queries.hpp. Shapes without bounds come first, then the nearest ones.
struct TreeSearch {
  const WideBvh& bvh;
  const ShapesView& shapes;
  const Threads& threads;

  template <class Q, class Limit, class Leaf>
  void along(const Q& q, const Limit& limit, const Leaf& leaf) const {
    search(q, leaf, [&](const auto& see, const auto& counted) {
      walk_near_first(bvh, see, limit, counted);
    });
  }
  template <class Q, class Leaf>
  void along(const Q& q, const Leaf& leaf) const {
    search(q, leaf, [&](const auto& see, const auto& counted) {
      walk_all(bvh, see, [&](const WideNode& node, int c, const Seen<float>& seen) {
        return counted(node.child[c] & ~bvh_leaf_bit, seen.bound[c]);
      });
    });
  }

  std::uint64_t part_of(std::uint64_t n) const { return threads.small_part_of(n); }
  template <class Use>
  void for_each_part(std::uint64_t n, const Use& use) const {
    threads.for_each_part(n, use);
  }

 private:
  template <class Q, class Leaf, class Walk>
  void search(const Q& q, const Leaf& leaf, const Walk& walk) const {
    const ScaledRay& ray = ray_of(q).ray;
    if (ray.bad) return;
    const auto counted = [&](std::uint32_t id, float gate_near) {
      return passes_filter(ray_of(q), shapes, id) && leaf(id, gate_near);
    };
    if (any_unbounded(shapes, [&](std::uint32_t id) { return counted(id, ray.t_min); })) return;
    walk(AlongRay<decltype(grow_of(q))>{ray.line, ray.t_min, ray.t_max, grow_of(q)}, counted);
  }
};

// In place of the templates for any Search: by floats and doubles where these are sure.
inline Found found(const TreeSearch& search, const Query& q, std::uint32_t id, float gate_near) {
  return search.shapes.visit(id,
                             [&](const auto& s) { return cast_certainly_first(q, s, gate_near); });
}
inline bool blocks(const TreeSearch& search, const Query& q, std::uint32_t id, float gate_near) {
  return search.shapes.visit(
      id, [&](const auto& s) { return blocks_certainly_first(q, s, gate_near); });
}

}  // namespace sightline::detail
