// Circles against circles and capsules. Touching overlaps.
#pragma once

#include <sightline/geometry/flat/reach.hpp>
#include <sightline/geometry/flat/sound.hpp>

namespace sightline {

SIGHTLINE_HD bool overlaps(const Circle& a, const Circle& b) {
  if (!is_sound(a) || !is_sound(b)) return false;
  const double reach = widened(a.radius) + b.radius;
  return square(wide_diff(b.center, a.center)) <= reach * reach;
}

SIGHTLINE_HD bool overlaps(const Circle& a, const Capsule2& b) {
  if (!is_sound(a) || !is_sound(b)) return false;
  return within_reach(wide_diff(b.b, b.a), wide_diff(a.center, b.a), wide_diff(a.center, b.b),
                      widened(a.radius) + b.radius);
}

}  // namespace sightline
