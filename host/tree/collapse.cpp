#include "host/tree/collapse.hpp"

#include "host/tree/bottom_up.hpp"
#include "host/tree/box8.hpp"

namespace sightline::detail {
namespace {

/// The cost of a subtree by the number of slots of a wide node that it may fill: lane s - 1 for s
/// slots.
using SlotCosts = Float8;
static_assert(wide_width == 8);

/// The missing child of a node, if there is one, else -1; builders leave one out over a single
/// shape.
int missing_child(const BvhNode& node) {
  return is_empty(node.bounds[0]) ? 0 : is_empty(node.bounds[1]) ? 1 : -1;
}

/// The cost of a node beside its area: three times the mean area of the lowest nodes, those over
/// two shapes, from a sample. A third of it would make up to 20% more nodes for at most 2% fewer
/// visits.
SIGHTLINE_NOINLINE float node_cost(const BvhView& bvh) {
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
  return cost > 0 ? cost : 1;  // boxes that are points or lines: the fewest nodes
}

/// The least cost of two children that share the slots, at least two, and the first one's share.
struct Division {
  SlotCosts cost = SlotCosts{} + infinity;
  Int8 first = {};

  Division(const SlotCosts& a, const SlotCosts& b) {
    // b behind eight impossible slots: read from 8 - k on, it is shifted by k slots.
    Float8 shifted[2] = {Float8{} + infinity, b};
    for (int k = 1; k < wide_width; ++k) {
      Float8 rest;
      std::memcpy(&rest, reinterpret_cast<const float*>(shifted) + wide_width - k, sizeof(rest));
      const Float8 sum = a[k - 1] + rest;
      const Int8 better = sum < cost;
      cost = better ? sum : cost;
      first = better ? Int8{} + k : first;
    }
  }
};

/// The costs of all subtrees, from which the choices follow.
class Weighing {
 public:
  explicit Weighing(const BvhView& bvh)
      : bvh_(bvh), node_cost_(node_cost(bvh)), costs_(bvh.node_count) {}

  /// Whether a child of the node has not been weighed yet.
  template <class Ready>
  bool waits(std::uint32_t i, const Ready& ready) const {
    const BvhNode& node = bvh_.nodes[i];
    return (is_inner(node, 0) && !ready(node.child[0])) ||
           (is_inner(node, 1) && !ready(node.child[1]));
  }

  /// Weighs a node; returns its shares.
  SIGHTLINE_NOINLINE std::uint32_t weigh(std::uint32_t i) {
    const BvhNode& node = bvh_.nodes[i];
    if (const int missing = missing_child(node); missing >= 0) {
      // Its only child takes its place.
      costs_[i] = is_inner(node, 1 - missing) ? costs_[node.child[1 - missing]] : SlotCosts{};
      return 0x11111110u;
    }
    const Division division(costs_of(node.child[0]), costs_of(node.child[1]));
    const float remains = division.cost[wide_width - 1] +
                          half_area(unite(node.bounds[0], node.bounds[1])) + node_cost_;
    const Int8 vanishes = division.cost < remains;
    costs_[i] = vanishes ? division.cost : Float8{} + remains;
    std::uint32_t shares = 0;
    for (int s = 1; s < wide_width; ++s) {
      const bool by_eight = s == wide_width - 1;
      const int share = by_eight || vanishes[s] != 0 ? division.first[s] : 0;
      shares |= static_cast<std::uint32_t>(share) << (4 * s);
    }
    return shares;
  }

 private:
  SlotCosts costs_of(BvhChild child) const { return is_leaf(child) ? SlotCosts{} : costs_[child]; }

  BvhView bvh_;
  float node_cost_;  ///< of a node, beside its area
  PageVector<SlotCosts> costs_;
};

}  // namespace

BuildBytes Collapse::bytes(std::uint64_t binary_nodes) {
  return {binary_nodes * (sizeof(SlotCosts) + sizeof(Shares)), binary_nodes * sizeof(Shares)};
}

Collapse::Collapse(const BvhView& bvh) : bvh_(bvh), shares_(bvh.node_count) {
  Weighing weighing(bvh);
  const auto waits = [&](std::uint32_t node, const auto& ready) {
    return weighing.waits(node, ready);
  };
  for_each_bottom_up(bvh.node_count, waits,
                     [&](std::uint32_t node) { shares_[node] = weighing.weigh(node); });
}

WideChildren Collapse::children_of(std::uint32_t node) const {
  WideChildren children;
  share_out(children, node, share_of_first(node, wide_width), wide_width);
  return children;
}

/// Divides the slots among the children of a node that vanishes.
void Collapse::share_out(WideChildren& children, std::uint32_t i, int first, int slots) const {
  const BvhNode& node = bvh_.nodes[i];
  const int missing = missing_child(node);
  if (missing != 0) place(children, node.bounds[0], node.child[0], missing < 0 ? first : slots);
  if (missing != 1) {
    if (!is_empty(node.bounds[1])) {
      place(children, node.bounds[1], node.child[1], missing < 0 ? slots - first : slots);
    }
  }
}

/// Fills up to `slots` slots: with the child itself, or with what is below it where that is
/// cheaper.
void Collapse::place(WideChildren& children, const Aabb& box, BvhChild child, int slots) const {
  const int first = is_leaf(child) || slots < 2 ? 0 : share_of_first(child, slots);
  if (first > 0) {
    share_out(children, child, first, slots);
  } else {
    children.at[children.count++] = {box, child};
  }
}

}  // namespace sightline::detail
