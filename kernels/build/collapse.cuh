// Wide trees made of binary ones, level by level from the root, written once on Thrust.
//
// Source: opening the largest child is Wald, Benthin and Boulos, "Getting rid of packets" (2008);
// the numbering by one scan a level derived here.
#pragma once

#include "kernels/build/copy16.cuh"
#include "kernels/build/quantise.cuh"
#include "kernels/launch/scratch.cuh"
#include "kernels/traverse/records.cuh"

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstring>

namespace sightline::kernels {

/// c ? a : b by values rather than by address, so that a GPU keeps both in registers.
SIGHTLINE_HD Aabb chosen(bool c, const Aabb& a, const Aabb& b) {
  const auto of = [c](const Vec3& p, const Vec3& q) {
    return Vec3{c ? p.x : q.x, c ? p.y : q.y, c ? p.z : q.z};
  };
  return {of(a.min, b.min), of(a.max, b.max)};
}

/// The up to 4 children of the wide node that replaces a binary node: inner nodes first, the
/// largest first, so that any-hit rays begin where a hit is likeliest; then leaves. Arrays are
/// indexed by constants alone, as chosen() says.
struct OpenedNode {
  static constexpr int width = QuantisedNode::width;
  BvhChild child[width] = {};  ///< 0, which is no child, where there are fewer
  Aabb box[width] = {};
  int children = 0, inner = 0;

  /// Replaces the inner child with the largest box by its children until there is no room for more.
  /// So a node that is not full has leaves alone.
  SIGHTLINE_HD OpenedNode(const BvhNode* nodes, std::uint32_t root) {
    add(copied(nodes[root]));
    while (children < width) {
      int widest = -1;
      float most = 0;
      BvhChild opened = 0;
      for_each_slot<width>([&](auto k) {
        const float area = half_area(box[k]);
        const bool is_widest = is_inner(k) && (widest < 0 || area > most);
        widest = is_widest ? int{k} : widest;
        most = is_widest ? area : most;
        opened = is_widest ? child[k] : opened;
      });
      if (widest < 0) break;
      --children;
      for_each_slot<width>([&](auto k) {
        if (k == children) put(widest, child[k], box[k]);
      });
      put(children, 0, {});
      add(copied(nodes[opened]));
    }
    for_each_slot<width>([&](auto end) { bubble(end, std::make_integer_sequence<int, end>()); });
    for_each_slot<width>([&](auto k) { inner += is_inner(k); });
  }

 private:
  SIGHTLINE_HD bool is_inner(int k) const { return child[k] != 0 && !is_leaf(child[k]); }
  SIGHTLINE_HD void put(int at, BvhChild c, const Aabb& b) {
    for_each_slot<width>([&](auto k) {
      child[k] = k == at ? c : child[k];
      box[k] = chosen(k == at, b, box[k]);
    });
  }
  SIGHTLINE_HD void add(const BvhNode& node) {
    for_each_slot<2>([&](auto k) {
      if (is_empty(node.bounds[k])) return;  // a missing child
      put(children++, node.child[k], node.bounds[k]);
    });
  }
  SIGHTLINE_HD bool before(int a, int b) const {
    if (is_inner(a) != is_inner(b)) return is_inner(a);
    return half_area(box[a]) > half_area(box[b]);
  }
  /// Sorts child `end` into those before it.
  template <int... k>
  SIGHTLINE_HD void bubble(int end, std::integer_sequence<int, k...>) {
    if (end < children) (swap_unordered<sizeof...(k) - 1 - k>(), ...);
  }
  template <int k>
  SIGHTLINE_HD void swap_unordered() {
    const bool swaps = before(k + 1, k);
    const BvhChild c = child[k];
    const Aabb b = box[k];
    child[k] = swaps ? child[k + 1] : c;
    box[k] = chosen(swaps, box[k + 1], b);
    child[k + 1] = swaps ? c : child[k + 1];
    box[k + 1] = chosen(swaps, b, box[k + 1]);
  }
};

/// What OpenNode tells PlaceChildren: see OpenedNode::child.
struct alignas(16) Children {
  BvhChild child[QuantisedNode::width];
};

/// A node to be made.
struct WideSource {
  std::uint32_t binary;  ///< which it replaces
  std::uint32_t parent;
};

/// Writes a level's nodes but for where their children and records are, and how many nodes of the
/// next level (upper half) and units of records (lower half) each takes.
struct OpenNode {
  WidenJob job;
  const WideSource* source;  ///< of this level
  std::uint32_t first;       ///< the level's first node
  Children* children;
  std::uint64_t* taken;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    const OpenedNode opened(job.bvh.nodes, source[i].binary);
    QuantisedNode node;
    std::memset(static_cast<void*>(&node), 0, sizeof node);  // what is no child
    node.seldom.parent = source[i].parent;
    quantise(opened.box, opened.children, node);
    node.set_children(static_cast<std::uint32_t>(opened.inner),
                      static_cast<std::uint32_t>(opened.children));
    Children own;
    std::uint32_t unit = 0;
    for (int k = 0; k < QuantisedNode::width; ++k) {
      own.child[k] = opened.child[k];
      if (!is_leaf(opened.child[k])) continue;
      const Kind kind = job.shapes.kind_of(opened.child[k] & ~bvh_leaf_bit);
      node.seldom.leaf |= (static_cast<std::uint32_t>(kind) << 5 | unit) << (8 * k);
      unit += units_of(kind);
    }
    children[i] = own;
    copy_units(job.nodes[first + i], node);
    taken[i] = static_cast<std::uint64_t>(opened.inner) << 32 | unit;
  }
};

/// Gives the children of a level's nodes their places: inner nodes in the next level, leaves among
/// the records.
struct PlaceChildren {
  WidenJob job;
  const Children* children;
  const std::uint64_t* taken;  ///< by these nodes and those before
  WideSource* source;
  std::uint32_t* place;                  ///< by shape: where its record begins
  std::uint32_t first, end, first_unit;  ///< the level is [first, end)
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    const std::uint64_t before = i == 0 ? 0 : taken[i - 1];
    QuantisedNode& node = job.nodes[first + i];
    std::uint32_t next = end + static_cast<std::uint32_t>(before >> 32);
    std::uint32_t unit = first_unit + static_cast<std::uint32_t>(before);
    node.first_child = next;
    node.seldom.first_record = unit;
    const Children own = children[i];
    for (int k = 0; k < QuantisedNode::width; ++k) {
      const BvhChild child = own.child[k];
      if (!is_leaf(child)) {
        if (child != 0) source[next++] = {child, first + i};
        continue;
      }
      const std::uint32_t id = child & ~bvh_leaf_bit;
      place[id] = unit;
      const std::uint32_t units = units_of(job.shapes.kind_of(id));
      for (std::uint32_t u = 0; u < longest_record; ++u) {
        if (u < units) job.ids[unit + u] = id;
      }
      unit += units;
    }
  }
};

/// In the order of ids, in which neighbours are of one kind, and columns are read in one piece.
struct PutRecord {
  WidenJob job;
  const std::uint32_t* place;
  SIGHTLINE_HD void operator()(std::uint32_t id) const {
    job.shapes.visit_bounded(id, [&](const auto& s) { put_record(s, job.records + place[id]); });
  }
};

struct PutRoot {
  WideSource* source;
  SIGHTLINE_HD void operator()(std::uint32_t) const { *source = {0, no_node}; }
};

template <class Policy>
std::uint32_t widen_levels(const Policy& policy, const WidenJob& job, const Scratch& scratch) {
  const thrust::counting_iterator<std::uint32_t> from_0(0);
  const std::uint32_t n = job.shapes.bounded();
  const ScratchArray<std::uint32_t> place(scratch, n);
  const ScratchArray<WideSource> source(scratch, most_wide_nodes(n));
  thrust::for_each_n(policy, from_0, 1, PutRoot{source.data()});
  std::uint32_t first = 0, end = 1, unit = 0;
  while (first < end) {
    const std::uint32_t nodes = end - first;
    const ScratchArray<Children> children(scratch, nodes);
    const ScratchArray<std::uint64_t> taken(scratch, nodes);
    std::uint64_t* const last = taken.data() + nodes - 1;
    thrust::for_each_n(policy, from_0, nodes,
                       OpenNode{job, source.data() + first, first, children.data(), taken.data()});
    thrust::inclusive_scan(policy, taken.data(), last + 1, taken.data());
    const std::uint64_t sum = thrust::reduce(policy, last, last + 1);  // reads the last
    thrust::for_each_n(policy, from_0, nodes,
                       PlaceChildren{job, children.data(), taken.data(), source.data(),
                                     place.data(), first, end, unit});
    first = end;
    end += static_cast<std::uint32_t>(sum >> 32);
    unit += static_cast<std::uint32_t>(sum);
  }
  thrust::for_each_n(policy, from_0, n, PutRecord{job, place.data()});
  return end;
}

/// launch.hpp's widen_tree; throws where that returns an error. No path of the wide tree is longer
/// than the binary one's, since children are descendants there too.
template <class Policy>
void widen_tree_on(const Policy& policy, const WidenJob& job, std::uint32_t* node_count,
                   const Scratch& scratch) {
  *node_count = 0;
  if (job.bvh.node_count == 0) return;
  *node_count = widen_levels(policy, job, scratch);
}

}  // namespace sightline::kernels
