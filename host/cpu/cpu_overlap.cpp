#include "host/cpu/cpu_overlap.hpp"

#include "host/cpu/box_walk.hpp"
#include "host/cpu/overlap_parts.hpp"

#include <sightline/overlap_query.hpp>

namespace sightline::detail {
namespace {

/// Calls leaf(id) for every shape that the asking one overlaps, until it says true; planes first.
template <class Shape, class Leaf>
void for_each_overlap(const WalkScene& scene, const OverlapQuery<Shape>& q, const Leaf& leaf) {
  const ShapesView& shapes = scene.shapes;
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    if (overlaps_shape(q, shapes, id) && leaf(id)) return;
  }
  for_each_in(scene.bvh, q.bounds, [&](std::uint32_t id) {
    if ((q.mask & shapes.mask_of(id)) == 0) return false;
    return shapes.visit(id, [&](const auto& s) { return overlaps(q.shape, s); }) && leaf(id);
  });
}

/// As overlap_loops.hpp asks for it.
auto asked_by(const WalkScene& scene, const ShapesView& asking) {
  return [&](std::uint64_t i, const auto& leaf) {
    visit_query(asking, static_cast<std::uint32_t>(i),
                [&](const auto& q) { for_each_overlap(scene, q, leaf); });
  };
}

}  // namespace

OverlapReport cpu_overlap_any(const WalkScene& scene, const ShapesView& asking,
                              std::uint64_t* bits) {
  return overlap_any_in_parts(scene.threads, asking.size(), asked_by(scene, asking), bits);
}

OverlapReport cpu_overlap_count(const WalkScene& scene, const ShapesView& asking,
                                std::uint32_t* counts) {
  return overlap_count_in_parts(scene.threads, asking.size(), asked_by(scene, asking), counts);
}

OverlapRows cpu_overlap_all(const WalkScene& scene, const ShapesView& asking) {
  return overlap_all_in_parts(scene.threads, asking.size(), asked_by(scene, asking));
}

}  // namespace sightline::detail
