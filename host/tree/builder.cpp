#include "host/tree/builder.hpp"

#include "host/common/fp_environment.hpp"
#include "host/tree/reinsert.hpp"
#include "host/tree/split.hpp"

#include <sightline/error.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

namespace sightline::detail {
namespace {

constexpr std::uint64_t most_shapes = std::uint64_t{bvh_leaf_bit};
constexpr std::uint32_t task_size = 4096;    // larger ranges become tasks of their own
constexpr std::size_t part_size = 1u << 14;  // shapes per task

std::uint64_t node_count_for(std::uint64_t shapes) { return shapes < 2 ? shapes : shapes - 1; }

/// The smallest k with 2^k >= n, n >= 1.
int levels_for(std::uint32_t n) { return static_cast<int>(std::bit_width(n - 1)); }

/// Shapes [first, first + count) of one of the two arrays, which become the node `node`, with
/// `depth` nodes above it.
struct ShapeRange {
  std::uint32_t first, count, node;
  std::int16_t depth, array;
  BuildExtent extent;
};

class BvhBuilder {
 public:
  BvhBuilder(const ShapesView& shapes, std::span<BvhNode> nodes)
      : shapes_(shapes), nodes_(nodes), items_{PageVector<BuildItem>(shapes.bounded()), {}} {}

  SIGHTLINE_NOINLINE void build_all() {
    const BuildExtent extent = take_items();
    const auto count = static_cast<std::uint32_t>(items_[0].size());
    if (count == 1) {
      fill(nodes_[0], items_[0][0].bounds(), items_[0][0].id() | bvh_leaf_bit, empty_aabb(),
           bvh_leaf_bit);
      return;
    }
    items_[1].resize(count);
    const ShapeRange root = {0, count, 0, 0, 0, extent};
    tasks_.run_and_wait([this, &root] {
      const FpEnvironment environment;
      build(root);
    });
  }

 private:
  BuildExtent take_items() {
    const std::size_t count = items_[0].size(), parts = count / part_size + 1;
    std::vector<BuildExtent> extents(parts);
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
      const FpEnvironment environment;
      take_part(part * part_size, std::min(count, (part + 1) * part_size), extents[part]);
    });
    for (const BuildExtent& part : extents) extents[0].add(part);
    return extents[0];
  }

  SIGHTLINE_NOINLINE void take_part(std::size_t begin, std::size_t end, BuildExtent& extent) {
    for (std::size_t id = begin; id < end; ++id) {
      const auto number = static_cast<std::uint32_t>(id);
      const BuildItem item(bounds_of(shapes_, number), number);
      extent.add(item);
      items_[0][id] = item;
    }
  }

  // A range of n shapes fills n - 1 nodes from its own on: then its left child's, then its right
  // child's. So every range knows its nodes' numbers without waiting for another.
  //
  // Depth: every range keeps depth + levels_for(n) <= bvh_max_depth, so that a range of two, whose
  // levels_for is 1, ends a path of at most bvh_max_depth nodes. It holds at the root (0 + 31).
  // Equal halves keep it: levels_for(ceil(n / 2)) = levels_for(n) - 1. Any other split adds 1 to
  // the depth and may leave levels_for(n) as it is, so it is made only below the bound.
  SIGHTLINE_NOINLINE void build(ShapeRange r) {
    for (;;) {
      const int deepest = r.depth + levels_for(r.count);
      if (deepest > bvh_max_depth) {
        throw Error(ErrorKind::internal, "the tree over " + std::to_string(shapes_.bounded()) +
                                             " shapes is deeper than " +
                                             std::to_string(bvh_max_depth) + " nodes");
      }
      const auto items = items_of(r.array, r.first, r.count);
      const Cut cut = deepest < bvh_max_depth
                          ? cut_by_sah(items, items_of(!r.array, r.first, r.count), r.extent)
                          : cut_equally(items);
      const auto depth = static_cast<std::int16_t>(r.depth + 1);
      const auto array = static_cast<std::int16_t>(r.array != std::int16_t{cut.moved});
      const ShapeRange a = {r.first, cut.left, r.node + 1, depth, array, cut.extent[0]};
      const ShapeRange b = {r.first + cut.left, r.count - cut.left, r.node + cut.left, depth, array,
                            cut.extent[1]};
      fill(nodes_[r.node], box_of(a), link(a), box_of(b), link(b));
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

  void descend(const ShapeRange& r) {
    if (r.count < task_size) return build(r);
    tasks_.run([this, r] {
      const FpEnvironment environment;
      build(r);
    });
  }

  std::span<BuildItem> items_of(int array, std::uint32_t first, std::uint32_t count) {
    return {items_[array].data() + first, count};
  }

  /// Fills all 64 bytes, since trees are compared as bytes.
  static void fill(BvhNode& node, const Aabb& box_a, BvhChild a, const Aabb& box_b, BvhChild b) {
    std::memset(static_cast<void*>(&node), 0, sizeof(node));
    node.bounds[0] = box_a;
    node.bounds[1] = box_b;
    node.child[0] = a;
    node.child[1] = b;
  }

  Aabb box_of(const ShapeRange& r) const {
    return r.count == 1 ? items_[r.array][r.first].bounds() : aabb_of_union(r.extent.box);
  }
  BvhChild link(const ShapeRange& r) const {
    return r.count == 1 ? items_[r.array][r.first].id() | bvh_leaf_bit : r.node;
  }

  ShapesView shapes_;
  std::span<BvhNode> nodes_;
  PageVector<BuildItem> items_[2];
  tbb::task_group tasks_;
};

}  // namespace

BuildBytes bvh_bytes(std::uint64_t bounded_shapes) {
  const std::uint64_t nodes = node_count_for(bounded_shapes), kept = nodes * sizeof(BvhNode);
  const std::uint64_t items = 2 * bounded_shapes * sizeof(BuildItem);
  const std::uint64_t reinserting =
      bounded_shapes > 2 ? nodes * (sizeof(BvhNode) + sizeof(std::uint32_t)) : 0;
  return {kept + std::max(items, reinserting), kept};
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
    bvh.nodes.resize(node_count_for(count));
    BvhBuilder(shapes, bvh.nodes).build_all();
    // Builders never exceed the depth, but reinsertion may.
    if (count > 2 && reinsert(bvh.nodes) > bvh_max_depth) BvhBuilder(shapes, bvh.nodes).build_all();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "the tree over " + std::to_string(count) +
                                              " shapes needs " +
                                              std::to_string(bvh_bytes(count).peak) + " bytes");
  }
  return bvh;
}

}  // namespace sightline::detail
