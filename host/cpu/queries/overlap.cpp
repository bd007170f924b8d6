// Overlaps on the cpu backend: by the few shapes that there are, or by the tree.
#include "host/backend/bodies.hpp"
#include "host/cpu/queries/overlap_spheres.hpp"
#include "host/cpu/queries/overlap_tree.hpp"

namespace sightline::detail {
namespace {

template <class Asked>
auto answer_of(const CpuScene& scene, const Asked& asked) {
  if constexpr (!std::is_same_v<Asked, OverlapAll>) {
    if (scene.shapes.size() <= most_tested_in_turn &&
        SpheresOverFew::are_these(scene.shapes, asked.queries)) {
      return answer_spheres(SpheresOverFew{scene, asked.queries}, asked);
    }
  }
  if (scene.shapes.bounded() <= most_tested_in_turn) {
    return answer_overlaps(OverlapsWithFew{scene, asked.queries}, asked);
  }
  const LeafShapes leaves = scene.leaf_shapes(asked.queries.size());
  return answer_overlaps(OverlapsInTree{scene.simd.shapes, leaves, scene.threads, asked.queries},
                         asked);
}

}  // namespace

OverlapReport answer_query(const CpuScene& scene, const OverlapAny& asked) {
  if (asked.body == 1) return answer_of(scene, asked);
  const bool few = scene.shapes.size() <= most_for_bodies;
  if (asked.body >= 8 && few && SpheresOverFew::are_these(scene.shapes, asked.queries)) {
    return answer_bodies_of_spheres(SpheresOverFew{scene, asked.queries}, asked);
  }
  return answer_bodies(asked, [&](const OverlapAny& each) { return answer_of(scene, each); });
}
OverlapReport answer_query(const CpuScene& scene, const OverlapCount& asked) {
  return answer_of(scene, asked);
}
OverlapRows answer_query(const CpuScene& scene, const OverlapAll& asked) {
  return answer_of(scene, asked);
}

}  // namespace sightline::detail
