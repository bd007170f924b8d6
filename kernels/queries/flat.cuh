// Circles and segments against a set of 2D shapes: the kernels' bodies, one lane a query.
#pragma once

#include "kernels/queries/overlap.cuh"

#include <sightline/geometry/flat/flat_query.hpp>

namespace sightline::kernels {

/// Calls leaf(id) for every box of the scene that may overlap `box` until leaf returns true;
/// without a tree, for every box.
template <class Box, class Leaf>
SIGHTLINE_HD void for_each_box_in(const DeviceScene& boxes, const Box& box, Leaf&& leaf) {
  if (!boxes.has_tree) {
    for (std::uint32_t id = 0; id < boxes.shapes.size(); ++id) {
      if (leaf(id)) return;
    }
    return;
  }
  for_each_in(boxes.wide, box,
              [&](const auto&, std::uint32_t unit) { return leaf(boxes.wide.ids[unit]); });
}

/// Calls leaf(id) for every shape that circle i overlaps, until leaf returns true.
template <class Leaf>
SIGHTLINE_HD void for_each_overlap(const FlatDeviceScene& scene, const CirclesView& circles,
                                   std::uint64_t i, Leaf&& leaf) {
  const Circle circle = circles[i];
  if (is_bad(circle)) return;
  const CircleQuery q = circle_query(circle, circles.mask[i]);
  for_each_box_in(scene.boxes, q.bounds, [&](std::uint32_t id) {
    return overlaps_shape(q, scene.shapes, id) && leaf(id);
  });
}

/// Counts the shapes that circle i overlaps.
SIGHTLINE_HD void count_flat_of(const CountFlatJob& job, std::uint64_t i) {
  std::uint32_t count = 0;
  for_each_overlap(job.scene, job.circles, i, [&](std::uint32_t) { return ++count == job.most; });
  job.counts[i] = count;
}

/// Writes the piece of circle i's row that the job wants.
SIGHTLINE_HD void fill_flat_of(const FillFlatJob& job, std::uint64_t i) {
  fill_piece(job.pieces[i], job.ids,
             [&](auto&& leaf) { for_each_overlap(job.scene, job.circles, i, leaf); });
}

/// The closest hit of segment i.
SIGHTLINE_HD void cast_flat_of(const CastFlatJob& job, std::uint64_t i) {
  const Segment2 segment = job.segments[i];
  if (is_bad(segment)) return job.hits.store(i, hit_of_bad_segment());
  SegmentSearch search = segment_search(segment, job.inside, job.segments.mask[i]);
  for_each_box_in(job.scene.boxes, search, [&](std::uint32_t id) {
    offer_shape(search, job.scene.shapes, id);
    return false;
  });
  job.hits.store(i, hit_of(search));
}

}  // namespace sightline::kernels
