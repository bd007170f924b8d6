// Overlaps of query shapes with the shapes of a scene: the kernels' bodies, one lane a query.
#pragma once

#include "kernels/traverse/wide_walk.cuh"

#include <sightline/geometry/overlap/box_box.hpp>
#include <sightline/geometry/queries/overlap_query.hpp>

namespace sightline::kernels {

/// Calls leaf(shape, unit) for every shape whose bounds may overlap the box until leaf returns
/// true; wide.ids[unit] is its id.
template <class Box, class Leaf>
SIGHTLINE_HD void for_each_in(const WideView& wide, const Box& box, Leaf&& leaf) {
  const auto children_in = [&](const QuantisedNode& node) {
    std::uint32_t in = 0;
    for (int k = 0; k < node.children(); ++k) {
      if (overlaps(box, child_box(node, k))) in |= 1u << k;
    }
    return in;
  };
  for_each_seen(wide, children_in, leaf);
}

/// Calls leaf(id) for every shape that the query overlaps until leaf returns true: planes first,
/// then the others in the order of the tree, or of their ids where there is none. Without
/// `triangles` the scene has none.
template <bool triangles, class Shape, class Leaf>
SIGHTLINE_HD void for_each_overlap(const DeviceScene& scene, const OverlapQuery<Shape>& q,
                                   Leaf&& leaf) {
  const ShapesView& shapes = scene.shapes;
  bool stopped = false;
  const auto test = [&](std::uint32_t id) {
    if (overlaps_shape<triangles>(q, shapes, id)) stopped = leaf(id);
    return stopped;
  };
  for (std::uint32_t id = scene.has_tree ? shapes.bounded() : 0; id < shapes.size(); ++id) {
    if (test(id)) return;
  }
  if (!scene.has_tree) return;
  for_each_in(scene.wide, q.bounds, [&](const auto& shape, std::uint32_t unit) {
    if (!overlaps_other<triangles>(q, shape)) return false;
    const std::uint32_t id = scene.wide.ids[unit];
    return (q.mask & shapes.mask_of(id)) != 0 && leaf(id);
  });
}

template <class Shape>
SIGHTLINE_HD OverlapQuery<Shape> overlap_query_at(const QueryShapes& queries, std::uint64_t i) {
  return overlap_query(static_cast<const Shape*>(queries.shapes)[i],
                       queries.mask == nullptr ? 0xFFFFFFFFu : queries.mask[i]);
}

/// Calls f(ShapeTag, whether the scene has triangles) for the kernel of a job, of which those for
/// scenes without triangles need fewer registers.
template <class Job, class F>
void with_overlap_kernel(const Job& job, F&& f) {
  with_query_kind(job.queries.kind, [&]<class S>(ShapeTag<S> kind) {
    if constexpr (!std::is_same_v<S, Triangle>) {
      if (job.scene.shapes.count(Kind::triangle) == 0) return f(kind, std::false_type());
    }
    f(kind, std::true_type());
  });
}

/// Counts the shapes that query i overlaps.
template <class Shape, bool triangles>
SIGHTLINE_HD void count_overlaps_of(const CountOverlapsJob& job, std::uint64_t i) {
  std::uint32_t count = 0;
  for_each_overlap<triangles>(job.scene, overlap_query_at<Shape>(job.queries, i),
                              [&](std::uint32_t) { return ++count == job.most; });
  job.counts[i] = count;
}

/// Writes a piece of a row. for_each(leaf) calls leaf(id) for the whole row, in the same order each
/// time, until leaf returns true.
template <class ForEach>
SIGHTLINE_HD void fill_piece(const RowPiece& piece, std::uint32_t* ids, ForEach&& for_each) {
  std::uint32_t found = 0;
  for_each([&](std::uint32_t id) {
    if (found >= piece.skip) ids[piece.begin + (found - piece.skip)] = id;
    return ++found == piece.skip + piece.count;
  });
}

/// Writes the piece of query i's row that the job wants.
template <class Shape, bool triangles>
SIGHTLINE_HD void fill_overlaps_of(const FillOverlapsJob& job, std::uint64_t i) {
  fill_piece(job.pieces[i], job.ids, [&](auto&& leaf) {
    for_each_overlap<triangles>(job.scene, overlap_query_at<Shape>(job.queries, i), leaf);
  });
}

}  // namespace sightline::kernels
