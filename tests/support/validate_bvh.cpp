#include "tests/support/validate_bvh.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <cstring>
#include <vector>

namespace sightline::detail {
namespace {

bool is_missing(const Aabb& b) {
  return b.min.x == infinity && b.min.y == infinity && b.min.z == infinity &&
         b.max.x == -infinity && b.max.y == -infinity && b.max.z == -infinity;
}

/// False for a NaN anywhere.
bool contains_box(const Aabb& outer, const Aabb& inner) {
  return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
         outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

struct VisitedNode {
  std::uint32_t node;
  int depth;  ///< nodes on the path, including this one
};

class BvhChecker {
 public:
  BvhChecker(const BvhView& bvh, const ShapesView& shapes)
      : bvh_(bvh), shapes_(shapes), node_seen_(bvh.node_count), leaf_seen_(shapes.bounded()) {}

  std::string run() {
    if (bvh_.node_count != 0) push(0, 0);
    while (problem_.empty() && !todo_.empty()) {
      const VisitedNode step = todo_.back();
      todo_.pop_back();
      for (int k = 0; k < 2 && problem_.empty(); ++k) check_child(step, k);
    }
    if (!problem_.empty()) return problem_;
    for (std::uint32_t i = 0; i < bvh_.node_count; ++i) {
      if (!node_seen_[i]) return "node " + std::to_string(i) + " is not reached";
    }
    for (std::uint32_t id = 0; id < shapes_.bounded(); ++id) {
      if (!leaf_seen_[id]) return "shape " + std::to_string(id) + " is in no leaf";
    }
    return {};
  }

 private:
  void push(std::uint32_t node, int depth) {
    if (node >= bvh_.node_count) {
      problem_ = "node " + std::to_string(node) + " is past the end";
    } else if (node_seen_[node]) {
      problem_ = "node " + std::to_string(node) + " is reached twice";
    } else if (depth + 1 > bvh_max_depth) {
      problem_ = "node " + std::to_string(node) + " lies too deep";
    } else {
      node_seen_[node] = true;
      todo_.push_back({node, depth + 1});
    }
  }

  void check_child(const VisitedNode& step, int k) {
    const BvhNode& node = bvh_.nodes[step.node];
    if (is_missing(node.bounds[k])) return;
    const BvhChild child = node.child[k];
    if (is_leaf(child)) return check_leaf(child & ~bvh_leaf_bit, node.bounds[k]);
    push(child, step.depth);
    for (int j = 0; j < 2 && problem_.empty(); ++j) {
      const Aabb& below = bvh_.nodes[child].bounds[j];
      if (!is_missing(below) && !contains_box(node.bounds[k], below)) {
        problem_ = "node " + std::to_string(child) + " reaches out of its box";
      }
    }
  }

  void check_leaf(std::uint32_t id, const Aabb& box) {
    if (id >= shapes_.bounded()) {
      problem_ = "shape " + std::to_string(id) + " is past the end";
    } else if (leaf_seen_[id]) {
      problem_ = "shape " + std::to_string(id) + " is in two leaves";
    } else if (std::memcmp(&box, &shapes_.bounds[id], sizeof(Aabb)) != 0) {
      problem_ = "the leaf of shape " + std::to_string(id) + " has not its bounds";
    } else {
      leaf_seen_[id] = true;
    }
  }

  BvhView bvh_;
  ShapesView shapes_;
  std::vector<bool> node_seen_, leaf_seen_;
  std::vector<VisitedNode> todo_;
  std::string problem_;
};

}  // namespace

std::string problem_of(const BvhView& bvh, const ShapesView& shapes) {
  return BvhChecker(bvh, shapes).run();
}

}  // namespace sightline::detail
