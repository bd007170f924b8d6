// Spheres and capsules that move along rays, as a backend reads them.
#pragma once

#include <sightline/queries/ray.hpp>
#include <sightline/shapes/capsule.hpp>

namespace sightline {

/// Spheres [n] whose centres move along the rays, or capsules whose ends a do.
struct SweepsView {
  RaysView rays;
  Column<float> radius;
  const Vec3* b = nullptr;  ///< [n]: where the capsules' other ends are at t = 0; null: spheres

  SIGHTLINE_HD Capsule capsule(std::uint64_t i) const { return {rays.origin[i], b[i], radius[i]}; }

  /// Those of [first, first + n).
  SweepsView slice(std::uint64_t first, std::uint64_t n) const {
    return {rays.slice(first, n), radius.slice(first, n), b == nullptr ? b : b + first};
  }
};

}  // namespace sightline
