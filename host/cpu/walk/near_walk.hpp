// How far the boxes of the wide tree are from a point or a segment, eight at a time.
#pragma once

#include "host/cpu/walk/walk.hpp"

#include <sightline/closest/segment_boxes.hpp>

namespace sightline::detail {

/// Squared distances of a box to a node's boxes, which grow with box_distance() of each; +inf for
/// missing ones.
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

/// The same of a point, which grow with signed_distance_bound(): -1 for a box that contains it.
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

/// The same of a segment, as culling_bound() has it: pieces are asked where the segment's own box
/// leaves some that are smaller than it.
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

/// What no square exceeds of a box whose bound is at most the limit. A bound is less than the root
/// by a factor of 2^-21 at most, and 0 for squares below 2^-100.
inline float squared_limit(float limit) {
  return limit < 0 ? 0.0f : limit * limit * (1 + 0x1p-18f) + 0x1p-99f;
}

/// The children whose bounds may be no further from a point, or the boxes of a segment, than a
/// limit that squared_limit() has squared, and how far, squared. For walk_near_first().
template <class Place>
struct NearPlace {
  const Place& place;

  // A call a node would cost 5 %.
  [[gnu::always_inline]] Seen<float> operator()(const WideNode& node, float most) const {
    const Float8 squares = squared_distances(node, place, most);
    Seen<float> seen;
    seen.children = bits_of_lanes((squares <= most) & (squares < infinity));
    std::memcpy(seen.bound, &squares, sizeof(squares));
    return seen;
  }
};

}  // namespace sightline::detail
