// A scene with its wide tree, and what brute force answers over it.
#pragma once

#include "host/cpu/rays/ray_filters.hpp"
#include "host/cpu/rays/simd_kernels.hpp"
#include "host/tree/moving_tree.hpp"

#include <sightline/geometry/queries/line_of_sight.hpp>
#include <sightline/scene.hpp>

namespace sightline::testing {

/// A scene and its wide tree, which must outlive what is made of it.
struct Built {
  Scene scene;
  detail::MovingTree tree;

  explicit Built(Scene s) : scene(std::move(s)), tree(detail::build_tree(scene.view())) {}
  /// `leaf_size`: what packets are judged by; 0: none is found, infinite: all that may be are.
  detail::TraceScene trace_scene(float leaf_size = 0) const {
    const auto& nodes = tree.bvh.nodes;
    return {nodes.empty() ? nullptr : nodes.data(),
            nodes.size(),
            tree.bvh.depth,
            scene.view(),
            {{0, 0, 0}, leaf_size},
            detail::has_zero_mask(scene.view())};
  }
};

/// The answers of brute force to one ray of each question.
inline Best best_of(const ShapesView& shapes, const Query& q) {
  Best best;
  if (q.ray.bad) return best;
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    if (passes_filter(q, shapes, id)) best.offer(cast_shape(q, shapes, id), id);
  }
  return best;
}
inline bool is_blocked(const ShapesView& shapes, const Query& q) {
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    if (passes_filter(q, shapes, id) && blocks(q, shapes, id)) return true;
  }
  return false;
}

}  // namespace sightline::testing
