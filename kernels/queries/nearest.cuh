// The nearest shapes to points or segments: the kernels' bodies, one lane a query, whose list is
// its row of the output.
#pragma once

#include "kernels/queries/overlap.cuh"

#include <sightline/geometry/queries/nearest.hpp>

namespace sightline::kernels {

/// A distance as 16 bits: coarse(a) > coarse(b) implies a > b, but unequal distances may share
/// them.
SIGHTLINE_HD std::uint16_t coarse(float distance) {
  const std::uint32_t bits = bits_of(distance + 0.0f);  // -0 is 0
  return static_cast<std::uint16_t>((bits >> 31 != 0 ? ~bits : bits | 0x80000000u) >> 16);
}

/// The children of a node that are still to be visited.
struct NearChildren {
  std::uint32_t first;                        ///< the node of child 0
  std::uint16_t bound[QuantisedNode::width];  ///< coarse(), of their culling bounds
};
inline constexpr std::uint16_t not_waiting = 0xFFFF;  // beyond infinity

/// Calls leaf(shape, unit), nearest nodes first, for every shape whose bounds may be within
/// limit(); wide.ids[unit] is its id.
template <class Query, class Limit, class Leaf>
SIGHTLINE_HD void for_each_near(const WideView& wide, const Query& q, Limit&& limit, Leaf&& leaf) {
  constexpr int width = QuantisedNode::width;
  NearChildren stack[bvh_max_depth];  // of each node on the path
  int size = 0;
  if (wide.nodes == nullptr) return;
  std::uint32_t current = 0;
  for (;;) {
    const QuantisedNode& node = wide.nodes[current];
    for (int k = node.inner(); k < node.children(); ++k) {
      if (culling_bound(child_box(node, k), q, limit()) > limit()) continue;
      const LeafRecord at = leaf_of(node, static_cast<std::uint32_t>(k));
      visit_record(wide.records + at.unit, at.kind,
                   [&](const auto& shape) { leaf(shape, at.unit); });
    }
    NearChildren& waiting = stack[size++];
    waiting.first = node.first_child;
    for (int k = 0; k < width; ++k) {
      waiting.bound[k] = not_waiting;
      if (k >= node.inner()) continue;
      const float bound = culling_bound(child_box(node, k), q, limit());
      if (!(bound > limit())) waiting.bound[k] = coarse(bound);
    }
    for (;; --size) {
      if (size == 0) return;
      NearChildren& top = stack[size - 1];
      int nearest = 0;
      for (int k = 1; k < width; ++k) {
        if (top.bound[k] <= top.bound[nearest]) nearest = k;
      }
      if (top.bound[nearest] > coarse(limit())) continue;
      top.bound[nearest] = not_waiting;
      current = top.first + static_cast<std::uint32_t>(nearest);
      break;
    }
  }
}

template <class Query>
SIGHTLINE_HD void find_nearest(const DeviceScene& scene, const Query& q, const NearList& list) {
  const ShapesView& shapes = scene.shapes;
  for (std::uint32_t id = scene.has_tree ? shapes.bounded() : 0; id < shapes.size(); ++id) {
    offer_shape(list, shapes, q, id);
  }
  if (!scene.has_tree) return;
  for_each_near(
      scene.wide, q, [&] { return list.limit(); },
      [&](const auto& shape, std::uint32_t unit) {
        const std::uint32_t id = scene.wide.ids[unit];
        if (passes_filter(q, shapes, id)) list.offer({distance_to(shape, q), id});
      });
}

/// Point or segment i: its row of distances and ids, then of the optional outputs.
template <class Job>
SIGHTLINE_HD void nearest_of(const Job& job, std::uint64_t i) {
  const auto q = job.queries[i];
  const std::uint64_t first = i * job.k;
  const NearList list = {job.out.distance + first, job.out.id + first, job.k, job.range};
  list.clear();
  if (!is_bad(q)) find_nearest(job.scene, q, list);
  for (std::uint32_t j = 0; j < job.k; ++j) {
    store_places(job.out, first + j, job.scene.shapes, q, list.id[j]);
  }
}

}  // namespace sightline::kernels
