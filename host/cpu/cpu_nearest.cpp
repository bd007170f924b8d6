#include "host/cpu/cpu_nearest.hpp"

#include "host/near_rows.hpp"

#include <atomic>

namespace sightline::detail {
namespace {

/// A child to be visited, and how near something in it may be at least.
struct Waiting {
  BvhChild child;
  float bound;
};

/// Puts the children of a node that may hold something within the limit on the stack, the nearest
/// last; returns how many there are then.
template <class Query>
int push_children(const WideNode& node, const Query& q, float limit, Waiting* stack, int size) {
  const int begin = size;
  for (int c = 0; c < wide_width; ++c) {
    const Aabb box = {{node.low[0][c], node.low[1][c], node.low[2][c]},
                      {node.high[0][c], node.high[1][c], node.high[2][c]}};
    const float bound = culling_bound(box, q, limit);
    if (bound > limit || is_empty(box)) continue;
    int i = size++;
    for (; i > begin && stack[i - 1].bound < bound; --i) stack[i] = stack[i - 1];
    stack[i] = {node.child[c], bound};
  }
  return size;
}

template <class Query>
void walk(const WalkScene& scene, const Query& q, const NearList& list) {
  const ShapesView& shapes = scene.shapes;
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    offer_shape(list, shapes, q, id);
  }
  if (scene.bvh.nodes.empty()) return;
  Waiting stack[bvh_max_depth * wide_width];
  int size = push_children(scene.bvh.nodes[0], q, list.limit(), stack, 0);
  while (size > 0) {
    const Waiting next = stack[--size];
    if (next.bound > list.limit()) continue;
    if ((next.child & bvh_leaf_bit) != 0) {
      offer_shape(list, shapes, q, next.child & ~bvh_leaf_bit);
    } else {
      size = push_children(scene.bvh.nodes[next.child], q, list.limit(), stack, size);
    }
  }
}

template <class Asked, class Out>
NearestReport near_rows(const WalkScene& scene, const Asked& asked, std::uint32_t k, float range,
                        const Out& out) {
  std::atomic<std::uint64_t> found{0}, bad{0};
  scene.threads.for_each_part(
      asked.count, scene.threads.part_of(asked.count, 64, 512), [&] { return NearRow(k, range); },
      [&](NearRow& row, std::uint64_t begin, std::uint64_t end) {
        std::uint64_t found_here = 0, bad_here = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
          const auto q = asked[i];
          row.list().clear();
          if (is_bad(q)) {
            ++bad_here;
          } else {
            walk(scene, q, row.list());
          }
          found_here += row.store(scene.shapes, q, i, out);
        }
        found += found_here;
        bad += bad_here;
      });
  return {asked.count, found, bad};
}

}  // namespace

NearestReport cpu_nearest(const WalkScene& scene, const PointsView& points, std::uint32_t k,
                          float range, const NearestView& out) {
  return near_rows(scene, points, k, range, out);
}

NearestReport cpu_clearance(const WalkScene& scene, const PointPairsView& segments, std::uint32_t k,
                            float range, const ClearanceView& out) {
  return near_rows(scene, segments, k, range, out);
}

}  // namespace sightline::detail
