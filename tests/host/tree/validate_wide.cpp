#include "tests/host/tree/validate_wide.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <algorithm>
#include <cstring>

namespace sightline::detail {
namespace {

/// The planes of one child.
struct Planes {
  float low[3], high[3];

  Planes(const WideNode& node, int slot) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = node.low[axis][slot];
      high[axis] = node.high[axis][slot];
    }
  }
  bool missing() const {
    bool all = true;
    for (int axis = 0; axis < 3; ++axis) {
      all = all && low[axis] == infinity && high[axis] == -infinity;
    }
    return all;
  }
  /// False for a NaN anywhere.
  bool contain(const Planes& inner) const {
    bool all = true;
    for (int axis = 0; axis < 3; ++axis) {
      all = all && low[axis] <= inner.low[axis] && high[axis] >= inner.high[axis];
    }
    return all;
  }
  Aabb box() const { return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}}; }
};

class WideBvhChecker {
 public:
  WideBvhChecker(const WideBvh& bvh, const ShapesView& shapes)
      : bvh_(bvh), shapes_(shapes), depth_(bvh.nodes.size()), leaf_seen_(shapes.bounded()) {}

  // Children have greater numbers, so that every node is checked after its parent.
  std::string run() {
    int deepest = 0;
    if (!depth_.empty()) depth_[0] = 1;
    for (std::uint32_t i = 0; i < depth_.size(); ++i) {
      if (depth_[i] == 0) return name(i) + " is not reached";
      if (depth_[i] > bvh_max_depth) return name(i) + " lies too deep";
      deepest = std::max(deepest, depth_[i]);
      check_node(i);
      if (!problem_.empty()) return problem_;
    }
    for (std::uint32_t id = 0; id < shapes_.bounded(); ++id) {
      if (!leaf_seen_[id]) return "shape " + std::to_string(id) + " is in no leaf";
    }
    if (deepest != bvh_.depth) return "the tree's depth is " + std::to_string(deepest);
    return {};
  }

 private:
  static std::string name(std::uint32_t node) { return "node " + std::to_string(node); }

  void check_node(std::uint32_t i) {
    bool ended = false, inner = false;
    for (int slot = 0; slot < wide_width && problem_.empty(); ++slot) {
      const Planes planes(bvh_.nodes[i], slot);
      const BvhChild child = bvh_.nodes[i].child[slot];
      if (planes.missing()) {
        ended = true;
        if (child != bvh_leaf_bit) problem_ = name(i) + " names a child that is missing";
      } else if (ended) {
        problem_ = name(i) + " has a child after a missing one";
      } else if (is_leaf(child)) {
        check_leaf(child & ~bvh_leaf_bit, planes.box());
        if (inner && problem_.empty()) problem_ = name(i) + " has a leaf after an inner child";
      } else {
        inner = true;
        check_inner(i, child, planes);
      }
    }
    if (problem_.empty() && Planes(bvh_.nodes[i], 0).missing()) problem_ = name(i) + " is empty";
  }

  void check_inner(std::uint32_t i, std::uint32_t child, const Planes& planes) {
    if (child >= depth_.size()) {
      problem_ = name(child) + " is past the end";
    } else if (child <= i) {
      problem_ = name(child) + " comes before its parent";
    } else if (depth_[child] != 0) {
      problem_ = name(child) + " is reached twice";
    } else {
      depth_[child] = depth_[i] + 1;
      for (int slot = 0; slot < wide_width; ++slot) {
        const Planes below(bvh_.nodes[child], slot);
        if (!below.missing() && !planes.contain(below)) {
          problem_ = name(child) + " reaches out of its box";
        }
      }
    }
  }

  void check_leaf(std::uint32_t id, const Aabb& box) {
    const std::string shape = "shape " + std::to_string(id);
    if (id >= shapes_.bounded()) {
      problem_ = shape + " is past the end";
    } else if (leaf_seen_[id]) {
      problem_ = shape + " is in two leaves";
    } else if (std::memcmp(&box, &shapes_.bounds[id], sizeof(Aabb)) != 0) {
      problem_ = "the leaf of " + shape + " has not its bounds";
    } else {
      leaf_seen_[id] = true;
    }
  }

  const WideBvh& bvh_;
  ShapesView shapes_;
  std::vector<int> depth_;  ///< of the nodes; 0: not reached
  std::vector<bool> leaf_seen_;
  std::string problem_;
};

}  // namespace

std::string problem_of(const WideBvh& bvh, const ShapesView& shapes) {
  return WideBvhChecker(bvh, shapes).run();
}

}  // namespace sightline::detail
