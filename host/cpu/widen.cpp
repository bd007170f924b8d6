#include "host/cpu/wide_bvh.hpp"

#include "host/fp_environment.hpp"

#include <sightline/error.hpp>

#include <algorithm>
#include <new>
#include <span>

namespace sightline::detail {
namespace {

/// A child on its way into a wide node.
struct Candidate {
  Aabb box;
  BvhChild child;
};

bool is_leaf(BvhChild child) { return (child & bvh_leaf_bit) != 0; }

/// The children of one wide node, at most eight.
class Children {
 public:
  Children(const BvhView& bvh, std::uint32_t root) : bvh_(bvh) {
    add_children_of(root);
    for (int widest = largest(); widest >= 0 && count_ < wide_width; widest = largest()) {
      const BvhChild opened = at_[widest].child;
      at_[widest] = at_[--count_];
      add_children_of(opened);
    }
  }
  std::span<Candidate> all() { return {at_, static_cast<std::size_t>(count_)}; }

 private:
  void add_children_of(std::uint32_t node) {
    for (int k = 0; k < 2; ++k) {
      const Aabb& box = bvh_.nodes[node].bounds[k];
      if (!is_empty(box)) at_[count_++] = {box, bvh_.nodes[node].child[k]};
    }
  }

  /// The inner child of the largest half area, the first among equals; -1: all are leaves.
  int largest() const {
    int best = -1;
    float best_area = -1;
    for (int k = 0; k < count_; ++k) {
      if (is_leaf(at_[k].child) || !(half_area(at_[k].box) > best_area)) continue;
      best = k;
      best_area = half_area(at_[k].box);
    }
    return best;
  }

  BvhView bvh_;
  Candidate at_[wide_width];
  int count_ = 0;
};

void store(WideNode& node, int slot, const Aabb& box, BvhChild child) {
  node.low[0][slot] = box.min.x;
  node.low[1][slot] = box.min.y;
  node.low[2][slot] = box.min.z;
  node.high[0][slot] = box.max.x;
  node.high[1][slot] = box.max.y;
  node.high[2][slot] = box.max.z;
  node.child[slot] = child;
}

struct Todo {
  std::uint32_t from;  ///< node of the binary tree
  std::uint32_t to;    ///< of the wide one
  int depth;
};

SIGHTLINE_NOINLINE void widen_all(const BvhView& bvh, WideBvh& wide) {
  std::vector<Todo> todo = {{0, 0, 1}};
  wide.nodes.emplace_back();
  while (!todo.empty()) {
    const Todo now = todo.back();
    todo.pop_back();
    wide.depth = std::max(wide.depth, now.depth);
    Children children(bvh, now.from);
    int slot = 0;
    for (Candidate& c : children.all()) {
      if (!is_leaf(c.child)) {
        const auto number = static_cast<std::uint32_t>(wide.nodes.size());
        wide.nodes.emplace_back();
        todo.push_back({c.child, number, now.depth + 1});
        c.child = number;
      }
      store(wide.nodes[now.to], slot++, c.box, c.child);
    }
    while (slot < wide_width) store(wide.nodes[now.to], slot++, empty_aabb(), bvh_leaf_bit);
  }
}

}  // namespace

WideBvh widen(const BvhView& bvh) {
  WideBvh wide;
  if (bvh.node_count == 0) return wide;
  try {
    const FpEnvironment environment;
    widen_all(bvh, wide);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "the wide tree over " + std::to_string(bvh.node_count) + " nodes needs more than " +
                    std::to_string(wide.nodes.size() * sizeof(WideNode)) + " bytes");
  }
  return wide;
}

}  // namespace sightline::detail
