// The two straight edges of a sector, and the directions between them.
#pragma once

#include <sightline/flat_shapes.hpp>
#include <sightline/geometry/flat/wide_vec2.hpp>

namespace sightline {

SIGHTLINE_HD double sine_of(const Sector& s) { return widened(max(0.0f, s.sine)); }

/// The directions of the left and the right edge, away from the center; of equal length, not 1.
struct SectorEdges {
  WideVec2 left, right;
};
SIGHTLINE_HD SectorEdges edges_of(const Sector& s) {
  const WideVec2 forward = widened(s.direction) * widened(s.cosine);
  const WideVec2 aside = left_of(widened(s.direction)) * sine_of(s);
  return {forward + aside, forward - aside};
}

/// Whether x, relative to the center, is within the half angle of the direction; the center itself
/// is. With the angle's cosine times |x| |direction| as `along` and its sine as `aside` this is
/// sin(half angle - angle) >= 0. For a half angle of 0 the opposite direction would pass too, so
/// the sign of `along` is tested.
SIGHTLINE_HD bool in_wedge(const Sector& s, const WideVec2& x) {
  const WideVec2 direction = widened(s.direction);
  const double along = dot(direction, x), across = cross(direction, x);
  const double aside = across < 0 ? -across : across;
  return sine_of(s) * along >= widened(s.cosine) * aside && (s.cosine <= 0.0f || along >= 0);
}

}  // namespace sightline
