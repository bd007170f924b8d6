// Checks any wide tree, whoever made it.
#pragma once

#include "kernels/traverse/records.cuh"
#include "tests/kernels/tree/systems.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace sightline::testing {

/// Walks a wide tree beside what it must hold; problem() is empty for a good one.
class WideChecker {
 public:
  WideChecker(const WideTree& tree, const ShapesView& shapes)
      : tree_(tree), shapes_(shapes), node_seen_(tree.node_count), seen_(shapes.bounded()) {
    if (shapes.bounded() == 0) {
      if (tree.node_count != 0) problem_ = "nodes over nothing";
      return;
    }
    visit(0, no_node, 1);
    for (std::size_t id = 0; id < seen_.size() && problem_.empty(); ++id) {
      if (!seen_[id]) problem_ = "shape " + std::to_string(id) + " is in no leaf";
    }
    for (std::size_t i = 0; i < node_seen_.size() && problem_.empty(); ++i) {
      if (!node_seen_[i]) problem_ = "node " + std::to_string(i) + " is not reached";
    }
  }
  const std::string& problem() const { return problem_; }
  int depth() const { return depth_; }

 private:
  using Exact = __float128;  // holds the planes, which are sums of floats of like size

  /// The bounds of what lies below; every box on the way is checked to hold its own.
  Aabb visit(std::uint32_t number, std::uint32_t parent, int depth) {
    Aabb all = empty_aabb();
    if (number >= tree_.node_count || node_seen_[number]) {
      problem_ = "node " + std::to_string(number) + " is past the end, or reached twice";
      return all;
    }
    node_seen_[number] = true;
    depth_ = std::max(depth_, depth);
    const QuantisedNode& node = tree_.nodes[number];
    if (node.seldom.parent != parent) {
      problem_ = "node " + std::to_string(number) + " does not know its parent";
    }
    if (node.inner() > node.children() || node.children() > QuantisedNode::width ||
        node.children() < 1) {
      problem_ = "node " + std::to_string(number) + " has no such number of children";
    }
    if (node.inner() > 0 && node.children() < QuantisedNode::width) {
      problem_ = "node " + std::to_string(number) + " has room left and nodes to open";
    }
    for (int k = 0; k < node.children() && problem_.empty(); ++k) {
      const Aabb below = k < node.inner() ? visit(node.first_child + static_cast<std::uint32_t>(k),
                                                  number, depth + 1)
                                          : leaf(node, k);
      if (problem_.empty() && !holds(node, k, below)) {
        problem_ =
            "node " + std::to_string(number) + " does not hold its child " + std::to_string(k);
      }
      all = unite(all, below);
    }
    return all;
  }

  Aabb leaf(const QuantisedNode& node, int k) {
    const std::uint32_t code = node.seldom.leaf >> (8 * k) & 0xFFu;
    const std::uint32_t unit = node.seldom.first_record + (code & 31u);
    if (unit >= tree_.ids.size()) return problem_ = "a record past the end", empty_aabb();
    const std::uint32_t id = tree_.ids[unit];
    if (id >= seen_.size() || seen_[id]) return problem_ = "a shape in two leaves", empty_aabb();
    seen_[id] = true;
    const auto kind = static_cast<Kind>(code >> 5);
    if (kind != shapes_.kind_of(id)) return problem_ = "a leaf of another kind", empty_aabb();
    kernels::RecordUnit record[4] = {};
    shapes_.visit_bounded(id, [&](const auto& s) { kernels::put_record(s, record); });
    if (std::memcmp(record, &tree_.records[unit], kernels::units_of(kind) * sizeof record[0]) !=
        0) {
      problem_ = "a record is not its shape's";
    }
    return shapes_.bounds[id];
  }

  static bool holds(const QuantisedNode& node, int k, const Aabb& box) {
    const auto plane = [&](int axis, const std::uint32_t(&row)[3]) {
      return Exact{node.base[axis]} + Exact{above_base(node, axis, row[axis], k)};
    };
    return plane(0, node.low) <= Exact{box.min.x} && plane(0, node.high) >= Exact{box.max.x} &&
           plane(1, node.low) <= Exact{box.min.y} && plane(1, node.high) >= Exact{box.max.y} &&
           plane(2, node.low) <= Exact{box.min.z} && plane(2, node.high) >= Exact{box.max.z};
  }

  const WideTree& tree_;
  ShapesView shapes_;
  std::vector<bool> node_seen_, seen_;
  std::string problem_;
  int depth_ = 0;
};

}  // namespace sightline::testing
