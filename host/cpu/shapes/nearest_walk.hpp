// Distances of the wide tree's boxes from a point or a segment, eight at a time.
#pragma once

#include "host/cpu/shapes/walk.hpp"

#include <sightline/geometry/distance/segment_boxes.hpp>

namespace sightline::detail {

/// Squared distances of a box to a node's boxes, monotone in box_distance() of each; +inf for
/// missing children.
inline Float8 squared_distances(const WideNode& node, const Aabb& q) {
  const Float8 zero = {};
  const auto gap = [&](int axis, float from, float to) {
    const Float8 before = planes8(node.low[axis]) - to, after = from - planes8(node.high[axis]);
    const Float8 larger = before > after ? before : after;
    return larger > zero ? larger : zero;
  };
  const Float8 x = gap(0, q.min.x, q.max.x), y = gap(1, q.min.y, q.max.y);
  const Float8 z = gap(2, q.min.z, q.max.z);
  return (x * x + y * y) + z * z;
}

/// The same for a point, monotone in signed_distance_bound(): -1 for a box that contains it.
inline Float8 squared_distances(const WideNode& node, const Vec3& p, float = infinity) {
  const auto in = [&](int axis, float x) {
    return (planes8(node.low[axis]) <= x) & (planes8(node.high[axis]) >= x);
  };
  const Float8 square = squared_distances(node, Aabb{p, p});
  return in(0, p.x) & in(1, p.y) & in(2, p.z) ? Float8{} - 1 : square;
}

/// Half the areas of a node's boxes.
inline Float8 half_areas(const WideNode& node) {
  const auto extent = [&](int axis) { return planes8(node.high[axis]) - planes8(node.low[axis]); };
  const Float8 x = extent(0), y = extent(1), z = extent(2);
  return x * y + y * z + z * x;
}

/// The same for a segment, as in culling_bound(): its pieces are tested only where the segment's
/// own box reaches a box that is smaller than it.
inline Float8 squared_distances(const WideNode& node, const SegmentBoxes& q, float most) {
  const Float8 whole = squared_distances(node, q.whole);
  if (bits_of_lanes((whole <= most) & (half_areas(node) <= half_area(q.whole))) == 0) return whole;
  Float8 least = Float8{} + infinity;
  for (const Aabb& piece : q.piece) {
    const Float8 square = squared_distances(node, piece);
    least = square < least ? square : least;
  }
  return whole > least ? whole : least;
}

/// An upper bound of the squares of boxes whose bound is at most the limit. A bound is less than
/// the root by a factor of at most 2^-21, and 0 for squares below 2^-100.
inline float squared_limit(float limit) {
  return limit < 0 ? 0.0f : limit * limit * (1 + 0x1p-18f) + 0x1p-99f;
}

/// For walk_near_first(): the children whose bounds may be within a limit of a point or of a
/// segment's boxes, and their squared distances. The limit is squared by squared_limit().
template <class Place>
struct NearBoxes {
  const Place& place;

  // A call per node would cost 5 %.
  [[gnu::always_inline]] Seen<float> operator()(const WideNode& node, float most) const {
    const Float8 squares = squared_distances(node, place, most);
    Seen<float> seen;
    seen.children = bits_of_lanes((squares <= most) & (squares < infinity));
    std::memcpy(seen.bound, &squares, sizeof(squares));
    return seen;
  }
};

}  // namespace sightline::detail
