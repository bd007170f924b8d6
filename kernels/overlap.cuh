// Overlaps of shapes that ask with the shapes of a scene: the bodies of the kernels, a lane for
// each shape that asks.
#pragma once

#include "kernels/launch.hpp"
#include "kernels/records.cuh"
#include "kernels/team.cuh"

#include <sightline/box_walk.hpp>
#include <sightline/overlap_query.hpp>

namespace sightline::kernels {

/// The float box of a child of a wide node. It contains the child's own: planes in real numbers do,
/// and rounding a number that lies below a float, or above, leaves it there.
template <int N>
SIGHTLINE_HD Aabb child_box(const QuantisedNode<N>& node, int k) {
  const auto plane = [&](const std::uint32_t(&row)[N / 4], int axis) {
    return fma(mantissa(row[k / 4], k % 4), step_of(node.header, axis), node.base[axis]);
  };
  return {{plane(node.low[0], 0), plane(node.low[1], 1), plane(node.low[2], 2)},
          {plane(node.high[0], 0), plane(node.high[1], 1), plane(node.high[2], 2)}};
}

/// Calls leaf(shape, unit) for every shape whose bounds may overlap the box, until one says true;
/// wide.ids[unit] is its id.
template <int N, class Box, class Leaf>
SIGHTLINE_HD void for_each_in(const WideView& wide, const Box& box, Leaf&& leaf) {
  struct Waiting {
    std::uint32_t first, slots;
  };
  Waiting stack[bvh_max_depth];  // of each node on the path what is left of it
  int size = 0;
  const auto* const nodes = static_cast<const QuantisedNode<N>*>(wide.nodes);
  if (nodes == nullptr) return;
  std::uint32_t current = 0;
  for (;;) {
    const QuantisedNode<N>& node = nodes[current];
    std::uint32_t in = 0;
    for (int k = 0; k < node.children(); ++k) {
      if (overlaps(box, child_box(node, k))) in |= 1u << k;
    }
    for (std::uint32_t rest = in & node.leaf_slots(); rest != 0; rest &= rest - 1) {
      const std::uint32_t slot = lowest_one(rest);
      const std::uint32_t byte = node.leaf[slot / 4] >> (8 * (slot % 4)) & 0xFFu;
      const std::uint32_t unit = node.first_record + (byte & 31u);
      bool stop = false;
      visit_record(wide.records + unit, static_cast<Kind>(byte >> 5),
                   [&](const auto& shape) { stop = leaf(shape, unit); });
      if (stop) return;
    }
    in &= node.inner_slots();
    if (in != 0) stack[size++] = {node.first_child, in};
    if (size == 0) return;
    Waiting& top = stack[size - 1];
    current = top.first + lowest_one(top.slots);
    top.slots &= top.slots - 1;
    if (top.slots == 0) --size;
  }
}

/// Calls leaf(id) for every shape of the scene that the query overlaps, until one says true: planes
/// first, the others in the order of the tree, or of their ids where there is none.
template <class Shape, class Leaf>
SIGHTLINE_HD void for_each_overlap(const DeviceScene& scene, const OverlapQuery<Shape>& q,
                                   Leaf&& leaf) {
  const ShapesView& shapes = scene.shapes;
  bool stopped = false;
  const auto judge = [&](std::uint32_t id) {
    if (overlaps_shape(q, shapes, id)) stopped = leaf(id);
    return stopped;
  };
  for (std::uint32_t id = scene.has_tree ? shapes.bounded() : 0; id < shapes.size(); ++id) {
    if (judge(id)) return;
  }
  if (!scene.has_tree) return;
  if (scene.layout == NodeLayout::binary) return sightline::for_each_in(scene.bvh, q.bounds, judge);
  const auto judge_record = [&](const auto& shape, std::uint32_t unit) {
    if (!overlaps(q.bounds, bounds(shape)) || !overlaps(q.shape, shape)) return false;
    const std::uint32_t id = scene.wide.ids[unit];
    return (q.mask & shapes.mask_of(id)) != 0 && leaf(id);
  };
  if (scene.layout == NodeLayout::wide4) {
    for_each_in<4>(scene.wide, q.bounds, judge_record);
  } else {
    for_each_in<8>(scene.wide, q.bounds, judge_record);
  }
}

template <class Shape>
SIGHTLINE_HD OverlapQuery<Shape> asking_query(const Asking& asking, std::uint64_t i) {
  return overlap_query(static_cast<const Shape*>(asking.shapes)[i],
                       asking.mask == nullptr ? 0xFFFFFFFFu : asking.mask[i]);
}

/// Shape i of those that ask.
template <class Shape>
SIGHTLINE_HD void count_overlaps_of(const CountOverlapsJob& job, std::uint64_t i) {
  std::uint32_t count = 0;
  for_each_overlap(job.scene, asking_query<Shape>(job.asking, i),
                   [&](std::uint32_t) { return ++count == job.most; });
  job.counts[i] = count;
}

/// Writes a piece of a row. for_each(leaf) calls leaf(id) for all of the row, in the same order
/// each time, until it says true.
template <class ForEach>
SIGHTLINE_HD void fill_piece(const RowPiece& piece, std::uint32_t* ids, ForEach&& for_each) {
  std::uint32_t found = 0;
  for_each([&](std::uint32_t id) {
    if (found >= piece.skip) ids[piece.begin + (found - piece.skip)] = id;
    return ++found == piece.skip + piece.count;
  });
}

/// The same: of what it overlaps, the piece of its row that the job wants.
template <class Shape>
SIGHTLINE_HD void fill_overlaps_of(const FillOverlapsJob& job, std::uint64_t i) {
  fill_piece(job.pieces[i], job.ids, [&](auto&& leaf) {
    for_each_overlap(job.scene, asking_query<Shape>(job.asking, i), leaf);
  });
}

}  // namespace sightline::kernels
