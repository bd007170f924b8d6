// Wide trees made of binary ones, level by level from the root, written once on Thrust.
//
// Source: opening the largest child is Wald, Benthin and Boulos, "Getting rid of packets" (2008);
// the numbering by one scan a level derived here.
#pragma once

#include "kernels/quantise.cuh"
#include "kernels/records.cuh"
#include "kernels/scratch.cuh"

#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstring>

namespace sightline::kernels {

/// The up to N children of the wide node that replaces a binary node: inner nodes first, the
/// largest first, so that any-hit rays begin where a hit is likeliest; then leaves.
template <int N>
struct OpenedNode {
  BvhChild child[N];
  Aabb box[N];
  int children = 0, inner = 0;

  /// Replaces the inner child with the largest box by its children until there is no room for more.
  /// So a node that is not full has leaves alone.
  SIGHTLINE_HD OpenedNode(const BvhNode* nodes, std::uint32_t root) {
    add(nodes[root]);
    while (children < N) {
      int widest = -1;
      for (int k = 0; k < children; ++k) {
        if (is_inner(k) && (widest < 0 || half_area(box[k]) > half_area(box[widest]))) widest = k;
      }
      if (widest < 0) break;
      const BvhNode& opened = nodes[child[widest]];
      --children;
      child[widest] = child[children];
      box[widest] = box[children];
      add(opened);
    }
    sort();
  }

 private:
  SIGHTLINE_HD bool is_inner(int k) const { return !is_leaf(child[k]); }
  SIGHTLINE_HD void add(const BvhNode& node) {
    for (int k = 0; k < 2; ++k) {
      if (is_empty(node.bounds[k])) continue;  // a missing child
      child[children] = node.child[k];
      box[children++] = node.bounds[k];
    }
  }
  SIGHTLINE_HD bool before(int a, int b) const {
    if (is_inner(a) != is_inner(b)) return is_inner(a);
    return half_area(box[a]) > half_area(box[b]);
  }
  SIGHTLINE_HD void sort() {
    for (int i = 1; i < children; ++i) {
      for (int k = i; k > 0 && before(k, k - 1); --k) {
        const BvhChild c = child[k];
        const Aabb b = box[k];
        child[k] = child[k - 1], box[k] = box[k - 1];
        child[k - 1] = c, box[k - 1] = b;
      }
    }
    while (inner < children && is_inner(inner)) ++inner;
  }
};

/// How many nodes of the next level (upper half) and units of records (lower half) each node of a
/// level takes.
template <int N>
struct CountTaken {
  ShapesView shapes;
  const BvhNode* nodes;
  const std::uint32_t* source;  ///< of this level: the binary node that each replaces
  std::uint64_t* taken;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    const OpenedNode<N> opened(nodes, source[i]);
    std::uint64_t sum = static_cast<std::uint64_t>(opened.inner) << 32;
    for (int k = opened.inner; k < opened.children; ++k) {
      sum += units_of(shapes.kind_of(opened.child[k] & ~bvh_leaf_bit));
    }
    taken[i] = sum;
  }
};

/// Writes a level's nodes, the binary nodes that their children replace, and the records of its
/// leaves.
template <int N>
struct WriteWide {
  WidenJob job;
  const std::uint64_t* taken;  ///< by the nodes before: see CountTaken
  std::uint32_t* source;
  std::uint32_t first, end, first_unit;  ///< the level is [first, end)
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    const OpenedNode<N> opened(job.bvh.nodes, source[first + i]);
    auto& node = static_cast<QuantisedNode<N>*>(job.nodes)[first + i];
    std::memset(static_cast<void*>(&node), 0, sizeof node);  // padding included
    quantise(opened.box, opened.children, node);
    node.set_children(static_cast<std::uint32_t>(opened.inner),
                      static_cast<std::uint32_t>(opened.children));
    node.first_child = end + static_cast<std::uint32_t>(taken[i] >> 32);
    node.first_record = first_unit + static_cast<std::uint32_t>(taken[i]);
    for (int k = 0; k < opened.inner; ++k) {
      source[node.first_child + static_cast<std::uint32_t>(k)] = opened.child[k];
    }
    std::uint32_t unit = 0;
    for (int k = opened.inner; k < opened.children; ++k) {
      const std::uint32_t id = opened.child[k] & ~bvh_leaf_bit;
      const Kind kind = job.shapes.kind_of(id);
      node.leaf[k / 4] |= (static_cast<std::uint32_t>(kind) << 5 | unit) << (8 * (k % 4));
      RecordUnit* const at = job.records + node.first_record + unit;
      job.shapes.visit(id, [&](const auto& s) { put_record(s, at); });
      for (std::uint32_t u = 0; u < units_of(kind); ++u) job.ids[node.first_record + unit++] = id;
    }
  }
};

struct PutRoot {
  std::uint32_t* source;
  SIGHTLINE_HD void operator()(std::uint32_t) const { *source = 0; }
};

template <int N, class Policy>
std::uint32_t widen_levels(const Policy& policy, const WidenJob& job, const Scratch& scratch) {
  const thrust::counting_iterator<std::uint32_t> from_0(0);
  const ScratchArray<std::uint32_t> source(scratch, most_wide_nodes(job.shapes.bounded(), N));
  thrust::for_each_n(policy, from_0, 1, PutRoot{source.data()});
  std::uint32_t first = 0, end = 1, unit = 0;
  while (first < end) {
    const std::uint32_t nodes = end - first;
    const ScratchArray<std::uint64_t> taken(scratch, nodes);
    thrust::for_each_n(
        policy, from_0, nodes,
        CountTaken<N>{job.shapes, job.bvh.nodes, source.data() + first, taken.data()});
    const std::uint64_t sum = thrust::reduce(policy, taken.data(), taken.data() + nodes);
    thrust::exclusive_scan(policy, taken.data(), taken.data() + nodes, taken.data());
    thrust::for_each_n(policy, from_0, nodes,
                       WriteWide<N>{job, taken.data(), source.data(), first, end, unit});
    first = end;
    end += static_cast<std::uint32_t>(sum >> 32);
    unit += static_cast<std::uint32_t>(sum);
  }
  return end;
}

/// launch.hpp's widen_tree; throws where that returns an error. No path of the wide tree is longer
/// than the binary one's, since children are descendants there too.
template <class Policy>
void widen_tree_on(const Policy& policy, const WidenJob& job, std::uint32_t* node_count,
                   const Scratch& scratch) {
  *node_count = 0;
  if (job.bvh.node_count == 0) return;
  *node_count = job.layout == NodeLayout::wide4 ? widen_levels<4>(policy, job, scratch)
                                                : widen_levels<8>(policy, job, scratch);
}

}  // namespace sightline::kernels
