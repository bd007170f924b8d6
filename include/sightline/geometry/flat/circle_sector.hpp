// Circles against sectors. Touching overlaps.
#pragma once

#include <sightline/geometry/flat/sound.hpp>
#include <sightline/geometry/flat/wedge.hpp>

namespace sightline {

/// Whether w is within `reach` of the segment of this length along e.
SIGHTLINE_HD bool reaches_edge(const WideVec2& e, double length, const WideVec2& w, double reach) {
  const double along = dot(w, e), ee = square(e);
  if (square(w) <= reach * reach) return true;
  if (along <= 0) return false;
  if (along * along <= length * length * ee) {
    const double across = cross(w, e);
    return across * across <= reach * reach * ee;
  }
  const double scale = wide_sqrt(ee);  // instead of dividing by it
  return square(w * scale - e * length) <= reach * reach * ee;
}

/// Between the edges' directions the arc is nearest, elsewhere an edge.
SIGHTLINE_HD bool overlaps(const Circle& a, const Sector& b) {
  if (!is_sound(a) || !is_sound(b)) return false;
  const WideVec2 w = wide_diff(a.center, b.center);
  if (in_wedge(b, w)) {
    const double reach = widened(a.radius) + b.radius;
    return square(w) <= reach * reach;
  }
  const SectorEdges edges = edges_of(b);
  return reaches_edge(edges.left, b.radius, w, a.radius) ||
         reaches_edge(edges.right, b.radius, w, a.radius);
}

}  // namespace sightline
