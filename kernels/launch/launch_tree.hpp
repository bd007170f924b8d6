// Trees on the device: their nodes, and the launchers that build, refit and widen them, and that
// sort points. See launch.hpp, which includes it.
#pragma once

#include <sightline/geometry/bvh/bvh.hpp>
#include <sightline/geometry/bvh/quantised_node.hpp>
#include <sightline/geometry/shapes/all_shapes.hpp>
#include <sightline/points.hpp>

#include <cstddef>

struct CUstream_st;

namespace sightline::kernels {

using Stream = CUstream_st*;

/// 16 bytes of a shape's floats: spheres take 1 unit, boxes and capsules 2, oriented boxes 4.
struct alignas(16) RecordUnit {
  float value[4];
};

/// The tree that queries read: nodes of up to 4 children, root first; the shapes' records in leaf
/// order; and their ids, one a unit. Null nodes where no shape has bounds.
struct WideView {
  const QuantisedNode* nodes = nullptr;
  const RecordUnit* records = nullptr;
  const std::uint32_t* ids = nullptr;
};

/// The bounds of every bounded shape, by id: bounds [shapes.bounded()]. The same bits as the
/// host's. shapes.bounds is not read.
void shape_bounds(Stream stream, const ShapesView& shapes, Aabb* bounds);

/// A builder's source of temporary device memory. `allocate` throws when there is none. `release`
/// may be called while work in the builder's stream still uses the memory, which may then be reused
/// by later work in that stream alone.
struct Scratch {
  void* context = nullptr;
  void* (*allocate)(void* context, std::size_t bytes) = nullptr;
  void (*release)(void* context, void* memory, std::size_t bytes) = nullptr;  ///< never throws
};

/// The order in which the nodes of a tree are refitted: round r has nodes [begin[r + 1], begin[r]),
/// whose children are leaves or nodes of earlier rounds. In host memory.
struct TreeRounds {
  int count = 0;
  std::uint32_t begin[bvh_max_depth + 1] = {};
};

/// Nodes of the tree over `bounded` shapes: one less than shapes, but one for one shape.
constexpr std::uint32_t tree_nodes(std::uint32_t bounded) {
  return bounded < 2 ? bounded : bounded - 1;
}

/// Builds the tree over the shapes with bounds (at most 2^31) by H-PLOC: nodes
/// [tree_nodes(bounded)]. The same bytes on every device and every Thrust system. Where the tree
/// would be deeper than bvh_max_depth, *too_deep is set and there is none: that depends on the
/// shapes alone. Returns the runtime's error code, 0 for success. Waits.
int build_tree(Stream stream, const ShapesView& shapes, BvhNode* nodes, TreeRounds* rounds,
               bool* too_deep, const Scratch& scratch);

/// Makes the boxes fit shapes that have moved. Does not wait.
void refit_tree(Stream stream, const ShapesView& shapes, BvhNode* nodes, const TreeRounds& rounds);

/// The sum of the half areas of all boxes, which tells when a refitted tree is outgrown. Waits.
/// Returns the runtime's error code.
int tree_area(Stream stream, const BvhNode* nodes, std::uint32_t count, double* area,
              const Scratch& scratch);

/// The most nodes of a wide tree over `bounded` shapes: a node that is not full has at least two
/// children, all of them leaves (see kernels/build/collapse.cuh).
constexpr std::uint64_t most_wide_nodes(std::uint64_t bounded) {
  return bounded / 2 + (bounded - bounded / 2) / (QuantisedNode::width - 1) + 1;
}

/// The longest record, in units: a node counts its leaves' units in 5 bits.
inline constexpr std::uint32_t longest_record = 4;
/// The units of a shape's record: its floats, in order.
template <class Shape>
inline constexpr std::uint32_t record_units_of = (sizeof(Shape) + sizeof(RecordUnit) - 1) /
                                                 sizeof(RecordUnit);
/// The units of the records of all bounded shapes.
SIGHTLINE_HD std::uint64_t record_units(const ShapesView& shapes) {
  std::uint64_t units = 0;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if (is_bounded<S>) units += std::uint64_t{record_units_of<S>} * shapes.count(kind_for<S>);
  });
  return units;
}
/// The most units that a node can address.
inline constexpr std::uint64_t most_record_units = 0xFFFFFFFFu;

/// Makes the wide tree of a binary one, with quantised boxes, and the records: nodes
/// [most_wide_nodes(bounded)], of which the first *node_count are written; records and ids
/// [record_units(shapes)], at most most_record_units. The same bytes on every device and every
/// Thrust system. Takes up to 32 bytes of scratch a node and 4 a shape, and what the scan takes.
/// Returns the runtime's error code. Waits.
struct WidenJob {
  ShapesView shapes;
  BvhView bvh;
  QuantisedNode* nodes = nullptr;
  RecordUnit* records = nullptr;
  std::uint32_t* ids = nullptr;
};
int widen_tree(Stream stream, const WidenJob& job, std::uint32_t* node_count,
               const Scratch& scratch);

/// The order of points along the Morton curve of their bounds (bad points last), ties by index:
/// order [n] and its inverse, rank[order[k]] = k. n <= 2^32 - 1. Returns the runtime's error code.
/// Waits.
int morton_order(Stream stream, const PointsView& points, std::uint32_t* order, std::uint32_t* rank,
                 const Scratch& scratch);

}  // namespace sightline::kernels
