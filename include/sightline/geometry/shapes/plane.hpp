// Plane: the closed half-space below it.
#pragma once

#include <sightline/geometry/exact/two_float.hpp>
#include <sightline/shapes.hpp>

namespace sightline {

/// dot(normal, p) - offset as a two-float.
template <class F>
SIGHTLINE_HD Two<F> signed_excess(const PlaneT<F>& s, const Vec3T<F>& p) {
  return two_dot(s.normal, p) + (-s.offset);
}

/// Whether the closed half-space contains the point.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const PlaneT<F>& s, const Vec3T<F>& p) {
  return rounded(signed_excess(s, p)) <= F(0);
}

}  // namespace sightline
