// Rounds of PLOC over all clusters in Morton order: what H-PLOC's trees are held to, which come
// close to them. Clusters find their nearest neighbours, and mutual pairs merge.
//
// Source: Meister and Bittner, "Parallel locally-ordered clustering for bounding volume hierarchy
// construction" (2018), sections 3 and 4; ties, stalls and the bound of the depth derived here.
#pragma once

#include "kernels/build/hploc.cuh"
#include "kernels/build/tree.cuh"

#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>

namespace sightline::kernels {

/// Subtrees in Morton order: their boxes, and how their parents will refer to them.
struct Clusters {
  Aabb* box;
  BvhChild* child;
};

inline constexpr std::uint32_t ploc_radius = hploc_radius;

/// nearest[i] = the cluster within the radius whose union with i has the smallest box.
///
/// Ties are broken by i ^ j, which is symmetric and distinct for all neighbours of one cluster. So
/// every chain of nearest neighbours ends in a mutual pair, and where all boxes are equal the pairs
/// are (2k, 2k + 1), which halves the clusters.
struct FindNearest {
  const Aabb* box;
  std::uint32_t count;
  std::uint32_t* nearest;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t first = i < ploc_radius ? 0 : i - ploc_radius;
    const std::uint32_t end = count - i > ploc_radius ? i + ploc_radius + 1 : count;
    const Aabb own = box[i];
    std::uint32_t best = i;
    float least = infinity;
    for (std::uint32_t j = first; j < end; ++j) {
      if (j == i) continue;
      const float area = half_area(unite(own, box[j]));
      if (area < least || (area == least && (i ^ j) < (i ^ best))) {
        least = area;
        best = j;
      }
    }
    nearest[i] = best;
  }
};

/// nearest[i] = the other of (2k, 2k + 1); the last of an odd number stays alone.
struct FindOther {
  std::uint32_t count;
  std::uint32_t* nearest;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    nearest[i] = (i ^ 1u) < count ? i ^ 1u : i;
  }
};

/// 1 for the right cluster of a merging pair, which disappears; 0 for all others.
struct IsRight {
  const std::uint32_t* nearest;
  SIGHTLINE_HD std::uint32_t operator()(std::uint32_t i) const {
    return nearest[i] < i && nearest[nearest[i]] == i ? 1 : 0;
  }
};
struct Stays {
  IsRight is_right;
  SIGHTLINE_HD std::uint32_t operator()(std::uint32_t i) const { return 1 - is_right(i); }
};

/// Moves every remaining cluster to its new place; pairs become nodes from first_node on, numbered
/// by their right clusters.
struct MergePairs {
  Clusters from, to;
  IsRight is_right;
  const std::uint32_t* place;  ///< how many clusters before this one remain
  BvhNode* nodes;
  std::uint32_t first_node;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    if (is_right(i)) return;
    const std::uint32_t right = is_right.nearest[i];
    if (right > i && is_right.nearest[right] == i) {
      const std::uint32_t node = first_node + (right - place[right]);
      write_node(nodes[node], from.box[i], from.child[i], from.box[right], from.child[right]);
      to.box[place[i]] = unite(from.box[i], from.box[right]);
      to.child[place[i]] = node;
    } else {
      to.box[place[i]] = from.box[i];
      to.child[place[i]] = from.child[i];
    }
  }
};

/// Rounds that would merge fewer pairs than this pair all neighbours instead: sorted sizes make
/// long chains of nearest neighbours with one mutual pair at the end. So n clusters are visited
/// fewer than 16 n times until they are few, and few clusters take bvh_max_depth rounds at most.
constexpr std::uint32_t fewest_pairs(std::uint32_t count) { return count > 1024 ? count / 16 : 1; }

/// Merges clusters [count] until one is left, node 0; rounds alternate between `clusters` and
/// `spare`. Places and node numbers depend on the boxes alone.
///
/// Depth: a merge adds at most one level a round, so a tree of r rounds is at most r nodes deep.
/// Every round keeps rounds + levels_for(count) <= bvh_max_depth. It holds before the first
/// (0 + 31). A round of PLOC merges at least one pair, adds 1 to the rounds and at worst takes
/// nothing off levels_for(count), so it is made only below the bound. At the bound, and then to
/// the end, pairs (2k, 2k + 1) merge: levels_for(ceil(n / 2)) = levels_for(n) - 1 keeps it.
template <class Policy>
void merge_all(const Policy& policy, Clusters clusters, Clusters spare, std::uint32_t count,
               BvhNode* nodes, TreeRounds* rounds, const Scratch& scratch) {
  const ScratchArray<std::uint32_t> nearest(scratch, count), place(scratch, count);
  const IsRight is_right{nearest.data()};
  const thrust::counting_iterator<std::uint32_t> first(0);
  rounds->begin[0] = tree_nodes(count);
  while (count > 1) {
    std::uint32_t pairs = 0;
    if (rounds->count + levels_for(count) < bvh_max_depth) {
      thrust::for_each_n(policy, first, count, FindNearest{clusters.box, count, nearest.data()});
      pairs = thrust::transform_reduce(policy, first, first + count, is_right, std::uint32_t{0},
                                       thrust::plus<std::uint32_t>());
    }
    if (pairs < fewest_pairs(count)) {
      thrust::for_each_n(policy, first, count, FindOther{count, nearest.data()});
      pairs = count / 2;
    }
    const auto stays = thrust::make_transform_iterator(first, Stays{is_right});
    thrust::exclusive_scan(policy, stays, stays + count, place.data(), std::uint32_t{0});
    const std::uint32_t first_node = rounds->begin[rounds->count] - pairs;
    thrust::for_each_n(policy, first, count,
                       MergePairs{clusters, spare, is_right, place.data(), nodes, first_node});
    rounds->begin[++rounds->count] = first_node;
    count -= pairs;
    const Clusters merged = spare;
    spare = clusters;
    clusters = merged;
  }
}

/// The cluster of one shape.
struct PutLeaf {
  const Aabb* bounds;
  Clusters out;  ///< child [n] holds the ids on entry
  void operator()(std::uint32_t i) const {
    const std::uint32_t id = out.child[i];
    out.box[i] = bounds[id];
    out.child[i] = id | bvh_leaf_bit;
  }
};

/// The tree by rounds.
template <class Policy>
void build_by_rounds_on(const Policy& policy, const ShapesView& shapes, BvhNode* nodes,
                        TreeRounds* rounds, const Scratch& scratch) {
  if (build_few_on(policy, shapes, nodes, rounds)) return;
  *rounds = {};
  const std::uint32_t n = shapes.bounded();
  const ScratchArray<Aabb> bounds(scratch, n), boxes(scratch, n);
  const ScratchArray<BvhChild> ids(scratch, n), children(scratch, n);
  const ScratchArray<std::uint64_t> codes(scratch, n);
  order_shapes(policy, shapes, bounds.data(), ids.data(), codes.data());
  const Clusters leaves{boxes.data(), ids.data()};
  thrust::for_each_n(policy, thrust::counting_iterator<std::uint32_t>(0), n,
                     PutLeaf{bounds.data(), leaves});
  merge_all(policy, leaves, {bounds.data(), children.data()}, n, nodes, rounds, scratch);
}

}  // namespace sightline::kernels
