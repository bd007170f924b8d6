// Circles and segments against a set of 2D shapes on the cpu: traversal of a tree over their
// bounds, which is a scene of boxes, or brute force.
#include "host/backend/every_shape.hpp"
#include "host/backend/flat_loops.hpp"
#include "host/cpu/shapes/walk.hpp"
#include "host/cpu/threads.hpp"
#include "host/flat/flat_set.hpp"
#include "host/tree/moving_tree.hpp"

namespace sightline::detail {

namespace {

/// The children whose boxes may contain a segment's first hit, and the distance of each.
struct AlongSegment {
  const SegmentSearch& s;

  Seen<double> operator()(const WideNode& node, double) const {
    Seen<double> seen;
    seen.children = children_in(node, s.reach.bounds);
    for (std::uint32_t rest = seen.children; rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      const Aabb box = box_of(node, c);
      if (overlaps(s, box)) {
        seen.bound[c] = entry(s.reach, box);
      } else {
        seen.children ^= 1u << c;
      }
    }
    return seen;
  }
};

/// The Search of flat_loops.hpp. Without a tree every shape is tested.
struct FlatTree {
  FlatShapesView shapes;
  Threads threads;
  // With eight boxes at a time, a tree is faster from the first shapes on: docs/reference/flat.md.
  bool has_tree;
  MovingTree tree;

  FlatTree(const FlatShapesView& all, const CpuOptions& options)
      : shapes(all), threads(options.threads), has_tree(options.search != Search::brute_force) {
    if (has_tree) threads.run([&] { tree = build_tree(boxes_of(shapes)); });
  }

  template <class Leaf>
  void candidates(const CircleQuery& q, const Leaf& leaf) const {
    if (!has_tree) {
      any_of_all(shapes, leaf);
      return;
    }
    walk_all(tree.bvh, InBox{q.bounds}, [&](const WideNode& node, int c, const auto&) {
      return leaf(node.child[c] & ~bvh_leaf_bit);
    });
  }
  void find(SegmentSearch& s) const {
    const auto offer = [&](std::uint32_t id, double = 0) {
      offer_shape(s, shapes, id);
      return false;
    };
    if (!has_tree) {
      any_of_all(shapes, offer);
    } else {
      walk_near_first(
          tree.bvh, AlongSegment{s}, [&] { return s.t; }, offer);
    }
  }
  template <class Use>
  void for_each_part(std::uint64_t n, const Use& use) const {
    threads.for_each_part(n, use);
  }
  std::string description() const {
    return std::string("cpu: ") + (has_tree ? "tree of eight children a node" : "brute force") +
           ", " + threads.description();
  }
  std::uint64_t memory_bytes() const { return tree.bvh.nodes.size() * sizeof(WideNode); }
};

}  // namespace

std::unique_ptr<FlatBackend> make_cpu_flat_backend(const FlatShapesView& shapes,
                                                   const CpuOptions& options) {
  return std::make_unique<FlatLoops<FlatTree>>(shapes, options);
}

}  // namespace sightline::detail
