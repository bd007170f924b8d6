// The culling bound of nearest-shape queries by segments.
#pragma once

#include <sightline/geometry/distance/box_distance.hpp>
#include <sightline/geometry/distance/nearest_points.hpp>

namespace sightline {

inline constexpr int segment_pieces = 8;

/// A segment's box, and those of its eighths, which are tighter for long segments.
struct SegmentBoxes {
  Aabb whole;
  Aabb piece[segment_pieces];
};

/// The whole box is exact. The others contain their pieces: roundings in doubles are below 2^-51 of
/// the largest number, by which the boxes are padded before they are rounded outward.
SIGHTLINE_HD SegmentBoxes boxes_of(const Segment& s) {
  SegmentBoxes boxes;
  boxes.whole = {{min(s.a.x, s.b.x), min(s.a.y, s.b.y), min(s.a.z, s.b.z)},
                 {max(s.a.x, s.b.x), max(s.a.y, s.b.y), max(s.a.z, s.b.z)}};
  const auto cut = [](float a, float b, int j, float& low, float& high) {
    const double from = a, step = (widened(b) - a) * (1.0 / segment_pieces);
    const double p = from + step * j, q = from + step * (j + 1);
    const double pad = (widened(abs(a)) + widened(abs(b))) * 0x1p-50;
    low = next_down(narrowed((p < q ? p : q) - pad));
    high = next_up(narrowed((p < q ? q : p) + pad));
  };
  for (int j = 0; j < segment_pieces; ++j) {
    Aabb& box = boxes.piece[j];
    cut(s.a.x, s.b.x, j, box.min.x, box.max.x);
    cut(s.a.y, s.b.y, j, box.min.y, box.max.y);
    cut(s.a.z, s.b.z, j, box.min.z, box.max.z);
  }
  return boxes;
}

/// A lower bound of the segment's distance to anything in the box, by its own box.
SIGHTLINE_HD float whole_bound(const Aabb& box, const SegmentBoxes& q) {
  return box_distance(box, q.whole);
}
/// The same by its pieces, which cover it.
SIGHTLINE_HD float pieces_bound(const Aabb& box, const SegmentBoxes& q) {
  float least = infinity;
  for (int j = 0; j < segment_pieces; ++j) least = min(box_distance(box, q.piece[j]), least);
  return least;
}

/// The gate: the larger of both bounds.
SIGHTLINE_HD float gated_distance(float distance, const Aabb& bounds, const SegmentBoxes& q) {
  return gated_distance(gated_distance(distance, whole_bound(bounds, q)), pieces_bound(bounds, q));
}

/// The culling bound, at most the gate's. Pieces are tested only where they may matter: the
/// segment's own box is within the limit, and larger than this one.
SIGHTLINE_HD float culling_bound(const Aabb& box, const SegmentBoxes& q, float limit) {
  const float whole = whole_bound(box, q);
  if (whole > limit || half_area(q.whole) < half_area(box)) return whole;
  return max(whole, pieces_bound(box, q));
}

}  // namespace sightline
