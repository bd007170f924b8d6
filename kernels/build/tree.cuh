// Building trees and sorting points, written once on Thrust for any execution policy.
//
// Results do not depend on the policy: minima, maxima, integer sums and stable sorts have one
// result in any order.
#pragma once

#include "kernels/build/morton.cuh"
#include "kernels/build/refit.cuh"
#include "kernels/launch/scratch.cuh"

#include <sightline/geometry/intersect/line.hpp>
#include <sightline/points.hpp>

#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

namespace sightline::kernels {

struct Unite {
  SIGHTLINE_HD Aabb operator()(const Aabb& a, const Aabb& b) const { return unite(a, b); }
};

/// A box's centre, doubled: one rounding, and no overflow in the domain.
SIGHTLINE_HD Vec3 doubled_center(const Aabb& s) {
  return {s.min.x + s.max.x, s.min.y + s.max.y, s.min.z + s.max.z};
}
struct CenterBox {
  SIGHTLINE_HD Aabb operator()(const Aabb& s) const {
    const Vec3 c = doubled_center(s);
    return {c, c};
  }
};
struct CenterCode {
  MortonFrame frame;
  const Aabb* bounds;
  std::uint64_t* code;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    code[i] = frame.code(doubled_center(bounds[i]));
  }
};

struct PutOnlyNode {
  ShapesView shapes;
  BvhNode* nodes;
  SIGHTLINE_HD void operator()(std::uint32_t) const {
    write_node(nodes[0], bounds_of(shapes, 0), bvh_leaf_bit, empty_aabb(), bvh_leaf_bit);
  }
};

/// order [n]: 0 .. n - 1, sorted by the codes that `make_code` writes to its array [n], which is
/// sorted too.
template <class Policy, class MakeCode>
void order_by_code(const Policy& policy, const MakeCode& make_code, std::uint32_t n,
                   std::uint32_t* order) {
  thrust::for_each_n(policy, thrust::counting_iterator<std::uint32_t>(0), n, make_code);
  thrust::sequence(policy, order, order + n);
  thrust::stable_sort_by_key(policy, make_code.code, make_code.code + n, order);
}

/// The bounds of the bounded shapes [n], their ids along the Morton curve of their centres, and the
/// sorted codes.
template <class Policy>
void order_shapes(const Policy& policy, const ShapesView& shapes, Aabb* bounds, std::uint32_t* ids,
                  std::uint64_t* codes) {
  const std::uint32_t n = shapes.bounded();
  thrust::for_each_n(policy, thrust::counting_iterator<std::uint32_t>(0), n,
                     ShapeBounds{shapes, bounds});
  const Aabb centers =
      thrust::transform_reduce(policy, bounds, bounds + n, CenterBox{}, empty_aabb(), Unite{});
  order_by_code(policy, CenterCode{MortonFrame(centers), bounds, codes}, n, ids);
}

/// Builds the tree of at most one shape; returns false where there are more.
template <class Policy>
bool build_few_on(const Policy& policy, const ShapesView& shapes, BvhNode* nodes,
                  TreeRounds* rounds) {
  const std::uint32_t n = shapes.bounded();
  if (n > 1) return false;
  *rounds = {};
  if (n == 0) return true;
  thrust::for_each_n(policy, thrust::counting_iterator<std::uint32_t>(0), 1,
                     PutOnlyNode{shapes, nodes});
  rounds->count = 1;
  rounds->begin[0] = 1;
  return true;
}

/// launch.hpp's tree_area. The order of summation is the policy's, so the last bits may differ.
template <class Policy>
double tree_area_on(const Policy& policy, const BvhNode* nodes, std::uint32_t count) {
  const thrust::counting_iterator<std::uint32_t> first(0);
  return thrust::transform_reduce(policy, first, first + count, NodeArea{nodes}, 0.0,
                                  thrust::plus<double>());
}

struct PointBox {
  Vec3Column position;
  SIGHTLINE_HD Aabb operator()(std::uint32_t i) const {
    const Vec3 p = position[i];
    return in_domain(p) ? Aabb{p, p} : empty_aabb();
  }
};
struct PointCode {
  MortonFrame frame;
  Vec3Column position;
  std::uint64_t* code;
  SIGHTLINE_HD void operator()(std::uint32_t i) const {
    const Vec3 p = position[i];
    code[i] = in_domain(p) ? frame.code(p) : ~std::uint64_t{0};
  }
};
struct PutRank {
  const std::uint32_t* order;
  std::uint32_t* rank;
  SIGHTLINE_HD void operator()(std::uint32_t k) const { rank[order[k]] = k; }
};

/// launch.hpp's morton_order; throws where that returns an error. Takes 8 bytes of scratch a
/// point, and what the policy's sort takes.
template <class Policy>
void morton_order_on(const Policy& policy, const PointsView& points, std::uint32_t* order,
                     std::uint32_t* rank, const Scratch& scratch) {
  const thrust::counting_iterator<std::uint32_t> first(0);
  const auto n = static_cast<std::uint32_t>(points.count);
  if (n == 0) return;
  const Aabb box = thrust::transform_reduce(policy, first, first + n, PointBox{points.position},
                                            empty_aabb(), Unite{});
  const ScratchArray<std::uint64_t> codes(scratch, n);
  order_by_code(policy, PointCode{MortonFrame(box), points.position, codes.data()}, n, order);
  thrust::for_each_n(policy, first, n, PutRank{order, rank});
}

}  // namespace sightline::kernels
