// The gate of sweeps: the bounds of a shape or node, grown by the moving shape.
#pragma once

#include <sightline/geometry/sweep/parts.hpp>

namespace sightline {

/// A box that contains every point within the radius of s; s itself for radius 0. Every operation
/// is monotone, so that nested boxes stay nested.
SIGHTLINE_HD Aabb grown(const Aabb& s, const MovingSphere& m) {
  const float r = m.radius;
  if (r == 0) return s;
  return {{next_down(s.min.x - r), next_down(s.min.y - r), next_down(s.min.z - r)},
          {next_up(s.max.x + r), next_up(s.max.y + r), next_up(s.max.z + r)}};
}

/// A box that contains m.a wherever the moved capsule and s have a common point.
SIGHTLINE_HD Aabb grown(const Aabb& s, const Capsule& m) {
  // The box is extended by a - b, each end rounded outward where it moves.
  const auto low = [](float x, float by) { return by < 0 ? next_down(x + next_down(by)) : x; };
  const auto high = [](float x, float by) { return by > 0 ? next_up(x + next_up(by)) : x; };
  const Vec3 by = {m.a.x - m.b.x, m.a.y - m.b.y, m.a.z - m.b.z};
  const Aabb spread = {{low(s.min.x, by.x), low(s.min.y, by.y), low(s.min.z, by.z)},
                       {high(s.max.x, by.x), high(s.max.y, by.y), high(s.max.z, by.z)}};
  return grown(spread, MovingSphere{m.radius});
}

}  // namespace sightline
