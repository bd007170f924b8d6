// Whether two shapes have a common point, for every pair of kinds but two planes, in either order.
// Touching overlaps. NaN overlaps nothing. An Obb enters as its frame().
#pragma once

#include <sightline/geometry/overlap/box_box.hpp>
#include <sightline/geometry/overlap/plane_any.hpp>
#include <sightline/geometry/overlap/round_box.hpp>
#include <sightline/geometry/overlap/round_round.hpp>
#include <sightline/geometry/overlap/triangle_box.hpp>
#include <sightline/geometry/overlap/triangle_round.hpp>
#include <sightline/geometry/overlap/triangle_triangle.hpp>
#include <sightline/geometry/shapes/rays_alone.hpp>

namespace sightline {

template <class A, class B>
SIGHTLINE_HD auto overlaps(const A&, const B&)
    -> std::enable_if_t<RaysAlone<A> || RaysAlone<B>, bool> {
  end_unknown_query();
  return false;
}

SIGHTLINE_HD bool overlaps(const ObbFrame& a, const Aabb& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Aabb& a, const Sphere& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const ObbFrame& a, const Sphere& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Aabb& a, const Capsule& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const ObbFrame& a, const Capsule& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Sphere& a, const Capsule& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Aabb& a, const Triangle& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const ObbFrame& a, const Triangle& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Sphere& a, const Triangle& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Capsule& a, const Triangle& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Aabb& a, const Plane& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const ObbFrame& a, const Plane& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Sphere& a, const Plane& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Capsule& a, const Plane& b) { return overlaps(b, a); }
SIGHTLINE_HD bool overlaps(const Triangle& a, const Plane& b) { return overlaps(b, a); }

}  // namespace sightline
