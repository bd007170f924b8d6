// Whether a circle and a 2D shape have a common point, in either order. Touching overlaps.
#pragma once

#include <sightline/geometry/flat/circle_box.hpp>
#include <sightline/geometry/flat/circle_polygon.hpp>
#include <sightline/geometry/flat/circle_round.hpp>
#include <sightline/geometry/flat/circle_sector.hpp>

namespace sightline {

SIGHTLINE_HD bool overlaps(const Capsule2& a, const Circle& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Sector& a, const Circle& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const ConvexPolygon& a, const Circle& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Aabb2& a, const Circle& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Obb2& a, const Circle& b) { return overlaps(b, a); }

}  // namespace sightline
