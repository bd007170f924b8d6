// Views of sweeps.
#pragma once

#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/ray.hpp>

namespace sightline {

/// Spheres [n] whose centres move along the rays, or capsules whose ends a do; the rays have the
/// radii.
struct SweepsView {
  RaysView rays;
  const Vec3* b = nullptr;  ///< [n]: the capsules' other ends at t = 0; null: spheres

  SIGHTLINE_HD Capsule capsule(std::uint64_t i) const {
    return {rays.origin[i], b[i], rays.radius[i]};
  }

  /// Sweeps [first, first + n).
  SweepsView slice(std::uint64_t first, std::uint64_t n) const {
    return {rays.slice(first, n), b == nullptr ? b : b + first};
  }
};

}  // namespace sightline
