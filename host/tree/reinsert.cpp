#include "host/tree/reinsert.hpp"

#include "host/common/fp_environment.hpp"
#include "host/tree/box8.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

namespace sightline::detail {
namespace {

/// One of the two children of a node.
struct ChildSlot {
  std::uint32_t node;
  std::uint32_t side;

  ChildSlot sibling() const { return {node, 1 - side}; }
};

/// A slot and its rank, by which a heap has the largest first; ties by the slot.
struct Ranked {
  float rank;
  ChildSlot place;

  bool operator<(const Ranked& other) const {
    if (rank != other.rank) return rank < other.rank;
    return place.node != other.place.node ? place.node > other.place.node
                                          : place.side > other.place.side;
  }
};

class Heap {
 public:
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }
  void push(const Ranked& entry) {
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end());
  }
  Ranked pop() {
    std::pop_heap(entries_.begin(), entries_.end());
    const Ranked top = entries_.back();
    entries_.pop_back();
    return top;
  }

 private:
  std::vector<Ranked> entries_;
};

class Reinserter {
 public:
  explicit Reinserter(PageVector<BvhNode>& nodes) : nodes_(nodes), parent_(nodes.size()) {
    tbb::parallel_for(
        tbb::blocked_range<std::uint32_t>(0, static_cast<std::uint32_t>(nodes.size())),
        [&](const auto& range) {
          for (std::uint32_t i = range.begin(); i < range.end(); ++i) {
            for (std::uint32_t side = 0; side < 2; ++side) adopt({i, side});
          }
        });
  }

  /// Tries to move `count` children; returns whether that gained more than a fiftieth of their
  /// areas.
  bool pass(std::size_t count) {
    collect(count);
    double gain = 0;
    for (const ChildSlot& place : largest_) {
      if (place.node != 0) gain += move(place);
    }
    return gain > 0.02 * area_tried_;
  }
  bool moved() const { return moved_; }

 private:
  /// Steps of a search, so that no input makes it traverse the whole tree.
  static constexpr int most_steps = 150;

  const Aabb& box(const ChildSlot& p) const { return nodes_[p.node].bounds[p.side]; }
  BvhChild& child(const ChildSlot& p) { return nodes_[p.node].child[p.side]; }

  void adopt(const ChildSlot& p) {
    if (!is_leaf(child(p))) parent_[child(p)] = p.node;
  }
  void put(const ChildSlot& p, const Aabb& b, BvhChild c) {
    nodes_[p.node].bounds[p.side] = b;
    child(p) = c;
    adopt(p);
  }
  /// The slot of a node other than the root.
  ChildSlot place_of(std::uint32_t node) const {
    const std::uint32_t parent = parent_[node];
    return {parent, nodes_[parent].child[1] == node};
  }
  Aabb box_of(std::uint32_t node) const {
    return inner_box(unite(nodes_[node].bounds[0], nodes_[node].bounds[1]));
  }

  /// Collects the slots with the largest boxes: a box is never larger than the one that contains
  /// it.
  void collect(std::size_t count) {
    largest_.clear();
    area_tried_ = 0;
    heap_.clear();
    const auto push_both = [&](std::uint32_t node) {
      for (std::uint32_t side = 0; side < 2; ++side) {
        heap_.push({half_area(nodes_[node].bounds[side]), {node, side}});
      }
    };
    push_both(0);
    while (largest_.size() < count && !heap_.empty()) {
      const Ranked top = heap_.pop();
      largest_.push_back(top.place);
      area_tried_ += static_cast<double>(top.rank);
      if (!is_leaf(child(top.place))) push_both(child(top.place));
    }
  }

  /// Moves a child to its best position; returns the reduction of the sum of areas.
  double move(const ChildSlot& from) {
    const Ranked best = best_place(from);
    if (!(best.rank > 0)) return 0;
    const std::uint32_t node = from.node;
    const ChildSlot up = place_of(node), to = best.place;
    const Aabb moved_box = box(from), other_box = box(to);
    const BvhChild moved_child = child(from), other_child = child(to);
    put(up, box(from.sibling()), child(from.sibling()));
    put({node, 0}, moved_box, moved_child);
    put({node, 1}, other_box, other_child);
    put(to, box_of(node), node);
    refit_above(up.node);
    refit_above(to.node);
    moved_ = true;
    return static_cast<double>(best.rank);
  }

  void refit_above(std::uint32_t node) {
    for (; node != 0; node = parent_[node]) {
      const ChildSlot p = place_of(node);
      nodes_[p.node].bounds[p.side] = box_of(node);
    }
  }

  /// The slot whose child this one should become the sibling of, and the gain; 0: none is better.
  Ranked best_place(const ChildSlot& from) {
    const Aabb& moved = box(from);
    const float area = half_area(moved);
    begin_search(from);
    Ranked best = {0, {}};
    for (int steps = 0; steps < most_steps && !heap_.empty(); ++steps) {
      const auto [gained, place] = heap_.pop();
      if (!(gained - area > best.rank)) break;
      const Aabb& here = box(place);
      const float merged = half_area(unite(moved, here));
      if (gained - merged > best.rank) best = {gained - merged, place};
      const BvhChild below = child(place);
      const float left = gained - (merged - half_area(here));
      if (is_leaf(below) || !(left - area > best.rank)) continue;
      heap_.push({left, {below, 0}});
      heap_.push({left, {below, 1}});
    }
    return best;
  }

  /// Starts the search at every slot from which a path leads down to a new position, ranked by the
  /// gain so far: the child's node vanishes, and boxes that contained the child shrink. On the way
  /// down growing boxes reduce the gain.
  void begin_search(const ChildSlot& from) {
    heap_.clear();
    ChildSlot at = place_of(from.node);
    float gained = half_area(box(at));
    Aabb rest = box(from.sibling());
    heap_.push({gained, from.sibling()});
    for (;;) {
      heap_.push({gained, at.sibling()});
      rest = unite(rest, box(at.sibling()));
      if (at.node == 0) return;
      at = place_of(at.node);
      gained += half_area(box(at)) - half_area(rest);
    }
  }

  PageVector<BvhNode>& nodes_;
  PageVector<std::uint32_t> parent_;
  std::vector<ChildSlot> largest_;
  double area_tried_ = 0;
  Heap heap_;
  bool moved_ = false;
};

/// Renumbers the tree in depth-first order; returns its depth.
int renumber(PageVector<BvhNode>& nodes) {
  struct PendingNode {
    std::uint32_t node, new_parent, side;
    int depth;
  };
  PageVector<BvhNode> ordered(nodes.size());
  std::vector<PendingNode> todo = {{0, 0, 0, 1}};
  std::uint32_t count = 0;
  int deepest = 0;
  while (!todo.empty()) {
    const PendingNode now = todo.back();
    todo.pop_back();
    deepest = std::max(deepest, now.depth);
    const std::uint32_t number = count++;
    ordered[number] = nodes[now.node];
    if (number != 0) ordered[now.new_parent].child[now.side] = number;
    for (const std::uint32_t side : {1u, 0u}) {
      const BvhChild child = nodes[now.node].child[side];
      if (!is_leaf(child)) todo.push_back({child, number, side, now.depth + 1});
    }
  }
  nodes = std::move(ordered);
  return deepest;
}

}  // namespace

SIGHTLINE_NOINLINE int reinsert(PageVector<BvhNode>& nodes) {
  Reinserter reinserter(nodes);
  const std::size_t places = 2 * nodes.size();
  // A quarter of a small tree's children: trying more took longer than building it.
  const std::size_t least = std::clamp<std::size_t>(places / 4, 32, 128);
  for (const std::size_t part : {1000u, 500u, 250u}) {
    if (!reinserter.pass(std::max(places / part, least))) break;
  }
  return reinserter.moved() ? renumber(nodes) : 0;
}

}  // namespace sightline::detail
