// Circles and segments at a set of 2D shapes on the cpu: a walk through a tree over their bounds,
// which is a scene of boxes, or all of them where they are few.
#include "host/backend/flat_backend.hpp"
#include "host/cpu/queries/overlap_parts.hpp"
#include "host/cpu/walk/box_walk.hpp"
#include "host/flat/flat_loops.hpp"
#include "host/flat/flat_set.hpp"
#include "host/tree/moving_tree.hpp"

namespace sightline::detail {

namespace {

/// Offers every shape whose bounds may hold the first hit, near ones first.
void search_tree(const WideBvh& bvh, const FlatShapesView& shapes, SegmentSearch& s) {
  struct Waiting {
    BvhChild child;
    double entry;
  };
  Waiting stack[bvh_max_depth * wide_width];
  if (bvh.nodes.empty()) return;
  int size = 0;
  stack[size++] = {0, 0};
  while (size > 0) {
    const Waiting next = stack[--size];
    if (next.entry > s.t) continue;
    if ((next.child & bvh_leaf_bit) != 0) {
      offer_shape(s, shapes, next.child & ~bvh_leaf_bit);
      continue;
    }
    const WideNode& node = bvh.nodes[next.child];
    const int begin = size;
    for (std::uint32_t rest = children_in(node, s.reach.bounds); rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      const Aabb box = {{node.low[0][c], node.low[1][c], node.low[2][c]},
                        {node.high[0][c], node.high[1][c], node.high[2][c]}};
      if (!overlaps(s, box)) continue;
      const double first = entry(s.reach, box);
      int i = size++;
      for (; i > begin && stack[i - 1].entry < first; --i) stack[i] = stack[i - 1];
      stack[i] = {node.child[c], first};
    }
  }
}

/// Without a tree every shape is looked at.
auto asked_by(const FlatShapesView& shapes, const WideBvh* tree, const CirclesView& circles) {
  return [&shapes, tree, &circles](std::uint64_t i, const auto& leaf) {
    if (is_bad(circles[i])) return;
    const CircleQuery q = circle_query(circles[i], circles.mask[i]);
    if (tree == nullptr) return for_each_overlap_of_all(shapes, q, leaf);
    for_each_in(*tree, q.bounds,
                [&](std::uint32_t id) { return overlaps_shape(q, shapes, id) && leaf(id); });
  };
}

class CpuFlatBackend final : public FlatBackend {
 public:
  CpuFlatBackend(const FlatShapesView& shapes, const CasterOptions& options)
      : shapes_(shapes),
        threads_(options.threads),
        // Eight boxes at a time, a tree pays from the first shapes on: docs/flat.md.
        has_tree_(options.search != Search::brute_force) {
    if (has_tree_) threads_.run([&] { tree_ = build_tree(boxes_of(shapes_)); });
  }

  OverlapReport overlap_any(const CirclesView& circles, std::uint64_t* bits) const override {
    return overlap_any_in_parts(threads_, circles.count, asked_by(shapes_, tree(), circles), bits);
  }
  OverlapReport overlap_count(const CirclesView& circles, std::uint32_t* counts) const override {
    return overlap_count_in_parts(threads_, circles.count, asked_by(shapes_, tree(), circles),
                                  counts);
  }
  OverlapRows overlap_all(const CirclesView& circles) const override {
    return overlap_all_in_parts(threads_, circles.count, asked_by(shapes_, tree(), circles));
  }

  std::uint64_t cast(const SegmentsView& segments, const HitsView& hits,
                     Inside inside) const override {
    std::atomic<std::uint64_t> found{0};
    for_each_asking_part(threads_, segments.count, [&](std::uint64_t begin, std::uint64_t end) {
      found +=
          cast_segments(segments, begin, end, inside, hits, [&](SegmentSearch& s) { search(s); });
    });
    return found;
  }

  std::string description() const override {
    return std::string("cpu: ") + (has_tree_ ? "tree of eight children a node" : "brute force") +
           ", " + std::to_string(threads_.count()) +
           (threads_.count() == 1 ? " thread" : " threads");
  }
  std::uint64_t memory_bytes() const override { return tree_.bvh.nodes.size() * sizeof(WideNode); }

 private:
  const WideBvh* tree() const { return has_tree_ ? &tree_.bvh : nullptr; }

  void search(SegmentSearch& s) const {
    if (!has_tree_) return offer_every_shape(shapes_, s);
    search_tree(tree_.bvh, shapes_, s);
  }

  FlatShapesView shapes_;
  Threads threads_;
  bool has_tree_;
  MovingTree tree_;
};

}  // namespace

std::unique_ptr<FlatBackend> make_cpu_flat_backend(const FlatShapesView& shapes,
                                                   const CasterOptions& options) {
  return std::make_unique<CpuFlatBackend>(shapes, options);
}

}  // namespace sightline::detail
