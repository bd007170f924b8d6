#include "host/cpu/builder.hpp"

#include "host/cpu/split.hpp"
#include "host/fp_environment.hpp"

#include <sightline/error.hpp>

#include <tbb/task_group.h>

#include <bit>
#include <new>
#include <string>

namespace sightline::detail {
namespace {

constexpr std::uint64_t most_shapes = std::uint64_t{bvh_leaf_bit};
constexpr std::uint32_t task_size = 4096;  // ranges from here on become tasks of their own

std::uint64_t node_count_for(std::uint64_t shapes) { return shapes < 2 ? shapes : shapes - 1; }

/// The smallest k with 2^k >= n, n >= 1.
int levels_for(std::uint32_t n) { return static_cast<int>(std::bit_width(n - 1)); }

/// Shapes [first, first + count) of the items, to become the node `node` below `depth` others.
struct Range {
  std::uint32_t first, count, node;
  int depth;
  BuildExtent extent;
};

class Builder {
 public:
  Builder(std::span<BuildItem> items, std::span<BvhNode> nodes) : items_(items), nodes_(nodes) {}

  SIGHTLINE_NOINLINE void build_all() {
    const auto count = static_cast<std::uint32_t>(items_.size());
    if (count == 1) {
      fill(nodes_[0], items_[0].box, items_[0].id | bvh_leaf_bit, empty_aabb(), bvh_leaf_bit);
      return;
    }
    const Range root = {0, count, 0, 0, extent_of(items_)};
    tasks_.run_and_wait([this, &root] {
      const FpEnvironment environment;
      build(root);
    });
  }

 private:
  // A range of n shapes fills the n - 1 nodes from its own on: first its left child's, then its
  // right child's. So every range knows its nodes' numbers without waiting for another.
  //
  // Depth: every range keeps depth + levels_for(n) <= bvh_max_depth, so that a range of two, whose
  // levels_for is 1, ends a path of at most bvh_max_depth nodes. It holds at the root (0 + 31).
  // Equal halves keep it: levels_for(ceil(n / 2)) = levels_for(n) - 1. Any other split adds 1 to
  // the depth and at worst nothing comes off levels_for(n), so it is made only below the bound.
  SIGHTLINE_NOINLINE void build(Range r) {
    for (;;) {
      const int deepest = r.depth + levels_for(r.count);
      if (deepest > bvh_max_depth) {
        throw Error(ErrorKind::internal, "the tree over " + std::to_string(items_.size()) +
                                             " shapes is deeper than " +
                                             std::to_string(bvh_max_depth) + " nodes");
      }
      const auto items = items_.subspan(r.first, r.count);
      const std::uint32_t left =
          deepest < bvh_max_depth ? split_by_sah(items, r.extent) : split_equally(items, r.extent);
      const Range a = child(r.first, left, r.node + 1, r.depth + 1);
      const Range b = child(r.first + left, r.count - left, r.node + left, r.depth + 1);
      fill(nodes_[r.node], a.extent.box, link(a), b.extent.box, link(b));
      const bool inner_a = a.count > 1, inner_b = b.count > 1;
      if (inner_a && inner_b) {
        descend(a);
        r = b;
      } else if (inner_a || inner_b) {
        r = inner_a ? a : b;
      } else {
        return;
      }
    }
  }

  void descend(const Range& r) {
    if (r.count < task_size) return build(r);
    tasks_.run([this, r] {
      const FpEnvironment environment;
      build(r);
    });
  }

  Range child(std::uint32_t first, std::uint32_t count, std::uint32_t node, int depth) const {
    return {first, count, node, depth, extent_of(items_.subspan(first, count))};
  }

  /// In place: a whole assignment would bring in a temporary's padding, and trees are compared as
  /// bytes.
  static void fill(BvhNode& node, const Aabb& box_a, BvhChild a, const Aabb& box_b, BvhChild b) {
    node.bounds[0] = box_a;
    node.bounds[1] = box_b;
    node.child[0] = a;
    node.child[1] = b;
  }

  BvhChild link(const Range& r) const {
    return r.count == 1 ? items_[r.first].id | bvh_leaf_bit : r.node;
  }

  std::span<BuildItem> items_;
  std::span<BvhNode> nodes_;
  tbb::task_group tasks_;
};

}  // namespace

BuildBytes bvh_bytes(std::uint64_t bounded_shapes) {
  const std::uint64_t kept = node_count_for(bounded_shapes) * sizeof(BvhNode);
  return {kept + bounded_shapes * sizeof(BuildItem), kept};
}

Bvh build_bvh(const ShapesView& shapes) {
  const std::uint32_t count = shapes.bounded();
  if (count > most_shapes) {
    throw Error(ErrorKind::usage,
                "a tree holds at most 2147483648 shapes with bounds, not " + std::to_string(count));
  }
  Bvh bvh;
  if (count == 0) return bvh;
  try {
    const FpEnvironment environment;
    std::vector<BuildItem> items(count);
    bvh.nodes.resize(node_count_for(count));
    for (std::uint32_t id = 0; id < count; ++id) items[id] = {shapes.bounds[id], id};
    Builder(items, bvh.nodes).build_all();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "the tree over " + std::to_string(count) +
                                              " shapes needs " +
                                              std::to_string(bvh_bytes(count).peak) + " bytes");
  }
  return bvh;
}

}  // namespace sightline::detail
