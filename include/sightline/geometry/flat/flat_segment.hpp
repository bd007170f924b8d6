// Segments against every 2D shape.
#pragma once

#include <sightline/geometry/flat/segment_box.hpp>
#include <sightline/geometry/flat/segment_polygon.hpp>
#include <sightline/geometry/flat/segment_round.hpp>
#include <sightline/geometry/flat/segment_sector.hpp>

namespace sightline {

/// A convex shape has one part.
template <class Shape>
SIGHTLINE_HD FlatParts parts(const Segment2& s, const Shape& c) {
  const FlatInterval i = interval(s, c);
  return {i.hit ? 1 : 0, {i, nothing()}};
}

template <class Shape>
SIGHTLINE_HD FlatHit cast(const Segment2& s, const Shape& c, Inside inside = Inside::solid) {
  return apply_policy(interval(s, c), inside);
}

}  // namespace sightline
