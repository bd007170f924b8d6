#include "host/cpu/collapse.hpp"

#include "host/cpu/bottom_up.hpp"

namespace sightline::detail {
namespace {

bool is_leaf(BvhChild child) { return (child & bvh_leaf_bit) != 0; }

/// The missing child of a node, if there is one, else -1; a builder leaves one out over one shape.
int missing_child(const BvhNode& node) {
  return is_empty(node.bounds[0]) ? 0 : is_empty(node.bounds[1]) ? 1 : -1;
}

/// What a node counts for beside its area: three times the mean area of the lowest nodes, those
/// over two shapes, by a sample. A third of it would make up to 20% more nodes for at most 2% fewer
/// visits.
SIGHTLINE_NOINLINE float cost_of_a_node(const BvhView& bvh) {
  constexpr std::uint32_t sample_size = 8192;
  const std::uint32_t step = bvh.node_count / sample_size + 1;
  double sum = 0, count = 0;
  for (std::uint64_t i = 0; i < bvh.node_count; i += step) {
    const BvhNode& node = bvh.nodes[i];
    if (!is_leaf(node.child[0]) || !is_leaf(node.child[1]) || missing_child(node) >= 0) continue;
    sum += static_cast<double>(half_area(unite(node.bounds[0], node.bounds[1])));
    ++count;
  }
  const auto cost = static_cast<float>(count > 0 ? 3 * sum / count : 0);
  return cost > 0 ? cost : 1;  // where boxes are points or lines, fewest nodes
}

/// The least cost of two children that share the slots: result[s - 1] for s of them, two at least.
SlotCosts shared(const SlotCosts& a, const SlotCosts& b) {
  float shifted[2 * wide_width];  // b, behind as many slots that cannot be
  for (int s = 0; s < wide_width; ++s) {
    shifted[s] = infinity;
    shifted[wide_width + s] = b[static_cast<std::size_t>(s)];
  }
  SlotCosts least;
  least.fill(infinity);
  for (int k = 1; k < wide_width; ++k) {
    const float of_a = a[static_cast<std::size_t>(k - 1)];
    for (int s = 0; s < wide_width; ++s) {
      const float cost = of_a + shifted[wide_width + s - k];
      float& best = least[static_cast<std::size_t>(s)];
      best = cost < best ? cost : best;
    }
  }
  return least;
}

}  // namespace

Collapse::Collapse(const BvhView& bvh)
    : bvh_(bvh), node_cost_(cost_of_a_node(bvh)), costs_(bvh.node_count) {
  const auto waits = [&](std::uint32_t node, const auto& ready) {
    bool all = true;
    for (int k = 0; k < 2; ++k) {
      const BvhChild child = bvh_.nodes[node].child[k];
      all = all && (is_leaf(child) || is_empty(bvh_.nodes[node].bounds[k]) || ready(child));
    }
    return !all;
  };
  for_each_bottom_up(bvh.node_count, waits, [this](std::uint32_t node) { weigh(node); });
}

inline const SlotCosts& Collapse::costs_of(BvhChild child) const {
  static constexpr SlotCosts of_a_leaf = {};
  return is_leaf(child) ? of_a_leaf : costs_[child];
}

SIGHTLINE_NOINLINE void Collapse::weigh(std::uint32_t i) {
  const BvhNode& node = bvh_.nodes[i];
  SlotCosts& costs = costs_[i];
  if (const int missing = missing_child(node); missing >= 0) {
    // Not worth a slot's thought: its one child takes its place.
    costs = is_empty(node.bounds[1 - missing]) ? SlotCosts{} : costs_of(node.child[1 - missing]);
    return;
  }
  costs = shared(costs_of(node.child[0]), costs_of(node.child[1]));
  costs[0] = costs[wide_width - 1] + half_area(unite(node.bounds[0], node.bounds[1])) + node_cost_;
  for (std::size_t s = 1; s < wide_width; ++s) costs[s] = std::min(costs[s], costs[s - 1]);
}

WideChildren Collapse::children_of(std::uint32_t node) const {
  WideChildren children;
  share_out(children, node, wide_width);
  return children;
}

/// Divides the slots, two or more, among the node's children.
void Collapse::share_out(WideChildren& children, std::uint32_t i, int slots) const {
  const BvhNode& node = bvh_.nodes[i];
  if (const int missing = missing_child(node); missing >= 0) {
    const int other = 1 - missing;
    if (!is_empty(node.bounds[other])) {
      place(children, node.bounds[other], node.child[other], slots);
    }
    return;
  }
  const SlotCosts &a = costs_of(node.child[0]), &b = costs_of(node.child[1]);
  int best = 1;
  float least = infinity;
  for (int k = 1; k < slots; ++k) {
    const float cost =
        a[static_cast<std::size_t>(k - 1)] + b[static_cast<std::size_t>(slots - k - 1)];
    if (cost < least) {
      least = cost;
      best = k;
    }
  }
  place(children, node.bounds[0], node.child[0], best);
  place(children, node.bounds[1], node.child[1], slots - best);
}

/// Fills up to so many slots: with the child itself, or with what is below it where that costs
/// less.
void Collapse::place(WideChildren& children, const Aabb& box, BvhChild child, int slots) const {
  const SlotCosts& costs = costs_of(child);
  if (costs[static_cast<std::size_t>(slots - 1)] < costs[0]) {
    share_out(children, child, slots);
  } else {
    children.at[children.count++] = {box, child};
  }
}

}  // namespace sightline::detail
