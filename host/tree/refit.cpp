#include "host/tree/refit.hpp"

#include "host/common/fp_environment.hpp"
#include "host/tree/bottom_up.hpp"

#include <type_traits>

namespace sightline::detail {
namespace {

// What a node of either tree has: its children's boxes by slot, and their union, to which missing
// children, whose boxes are empty, add nothing.

template <class Node>
constexpr int slots = static_cast<int>(std::extent_v<decltype(Node::child)>);

Aabb box_of(const BvhNode& node, int slot) { return node.bounds[slot]; }
void set_box(BvhNode& node, int slot, const Aabb& box) { node.bounds[slot] = box; }
bool is_missing(const BvhNode& node, int slot) { return is_empty(node.bounds[slot]); }
Aabb union_of(const BvhNode& node) { return inner_box(unite(node.bounds[0], node.bounds[1])); }

bool is_missing(const WideNode& node, int slot) { return node.low[0][slot] > node.high[0][slot]; }
Aabb union_of(const WideNode& node) {
  float low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = node.low[axis][0];
    high[axis] = node.high[axis][0];
    for (int slot = 1; slot < wide_width; ++slot) {
      low[axis] = min(low[axis], node.low[axis][slot]);
      high[axis] = max(high[axis], node.high[axis][slot]);
    }
  }
  return inner_box({{low[0], low[1], low[2]}, {high[0], high[1], high[2]}});
}

template <class Node>
SIGHTLINE_NOINLINE void refit_node(Node& node, const PageVector<Node>& nodes,
                                   const ShapesView& shapes) {
  for (int slot = 0; slot < slots<Node>; ++slot) {
    if (is_missing(node, slot)) continue;
    const BvhChild child = node.child[slot];
    const bool leaf = is_leaf(child);
    set_box(node, slot, leaf ? bounds_of(shapes, child & ~bvh_leaf_bit) : union_of(nodes[child]));
  }
}

template <class Node>
void refit(PageVector<Node>& nodes, const ShapesView& shapes) {
  const auto waits = [&](std::uint32_t i, const auto& ready) {
    for (int slot = 0; slot < slots<Node>; ++slot) {
      const BvhChild child = nodes[i].child[slot];
      if (!is_leaf(child) && !is_missing(nodes[i], slot) && !ready(child)) return true;
    }
    return false;
  };
  for_each_bottom_up(static_cast<std::uint32_t>(nodes.size()), waits,
                     [&](std::uint32_t i) { refit_node(nodes[i], nodes, shapes); });
}

template <class Node>
SIGHTLINE_NOINLINE double sum_of_areas(const PageVector<Node>& nodes) {
  double sum = 0;
  for (const Node& node : nodes) {
    for (int slot = 0; slot < slots<Node>; ++slot) {
      if (!is_missing(node, slot)) sum += static_cast<double>(half_area(box_of(node, slot)));
    }
  }
  return sum;
}

}  // namespace

void refit_bvh(Bvh& bvh, const ShapesView& shapes) { refit(bvh.nodes, shapes); }
void refit_bvh(WideBvh& bvh, const ShapesView& shapes) { refit(bvh.nodes, shapes); }

double bvh_area(const Bvh& bvh) {
  const FpEnvironment environment;
  return sum_of_areas(bvh.nodes);
}
double bvh_area(const WideBvh& bvh) {
  const FpEnvironment environment;
  return sum_of_areas(bvh.nodes);
}

}  // namespace sightline::detail
