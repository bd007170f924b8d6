// Circles against boxes, by the distance to the box's nearest point. Touching overlaps.
#pragma once

#include <sightline/geometry/flat/sound.hpp>

namespace sightline {

SIGHTLINE_HD bool overlaps(const Circle& a, const Aabb2& b) {
  if (!is_sound(a) || !is_sound(b)) return false;
  const auto beyond = [](float x, float low, float high) {
    return x < low ? widened(low) - x : x > high ? widened(x) - high : 0.0;
  };
  const WideVec2 gap = {beyond(a.center.x, b.min.x, b.max.x), beyond(a.center.y, b.min.y, b.max.y)};
  return square(gap) <= widened(a.radius) * a.radius;
}

/// The axes of a box, times `length`, so that integers stay integers.
struct TurnedAxes {
  WideVec2 x, y;
  double square, length;  ///< of both axes
};
SIGHTLINE_HD TurnedAxes axes_of(const Obb2& s) {
  const WideVec2 x = {s.cosine, s.sine};
  const double length_squared = square(x);
  return {x, left_of(x), length_squared, wide_sqrt(length_squared)};
}

SIGHTLINE_HD bool overlaps(const Circle& a, const Obb2& b) {
  if (!is_sound(a) || !is_sound(b)) return false;
  const TurnedAxes axes = axes_of(b);
  const WideVec2 w = wide_diff(a.center, b.center);
  const auto beyond = [](double x, double most) {
    return x > most ? x - most : x < -most ? -x - most : 0.0;
  };
  const WideVec2 gap = {beyond(dot(axes.x, w), axes.length * b.half_extents.x),
                        beyond(dot(axes.y, w), axes.length * b.half_extents.y)};
  // Beyond one side only, no root is needed: x * x <= reach * reach * square is exact for integers.
  if (gap.x == 0 || gap.y == 0) {
    const double x = gap.x == 0 ? dot(axes.y, w) : dot(axes.x, w);
    const double reach = widened(a.radius) + (gap.x == 0 ? b.half_extents.y : b.half_extents.x);
    return x * x <= reach * reach * axes.square;
  }
  return square(gap) <= widened(a.radius) * a.radius * axes.square;
}

}  // namespace sightline
