// The octahedral map: all directions as a square.
#pragma once

#include <sightline/geometry/exact/wide_vec.hpp>

namespace sightline {

/// The position of a direction on the map: both in [-1, 1].
struct OctahedralPlace {
  double u, v;
};

/// The unit direction of a position: the octahedron |x| + |y| + |z| = 1 seen along z, its lower
/// half folded out over the corners. Each component is rounded once.
/// Source: Cigolle et al., "A survey of efficient representations for independent unit vectors",
/// 2014.
SIGHTLINE_HD Vec3 octahedral_direction(const OctahedralPlace& p) {
  const double u = p.u < 0 ? -p.u : p.u, v = p.v < 0 ? -p.v : p.v;
  WideVec3 d = {p.u, p.v, 1 - u - v};
  if (d.z < 0) {
    d.x = p.u < 0 ? v - 1 : 1 - v;
    d.y = p.v < 0 ? u - 1 : 1 - u;
  }
  const double length = wide_sqrt(square(d));
  return narrowed(WideVec3{d.x / length, d.y / length, d.z / length});
}

/// The direction in the middle of cell (i, j) of n x n, i along u and j along v.
SIGHTLINE_HD Vec3 octahedral_direction(std::uint32_t i, std::uint32_t j, std::uint32_t n) {
  const auto middle = [n](std::uint32_t k) { return (2.0 * k + 1.0) / n - 1.0; };
  return octahedral_direction({middle(i), middle(j)});
}

/// The position of a direction of any length but 0.
SIGHTLINE_HD OctahedralPlace octahedral_place(const Vec3& direction) {
  const WideVec3 d = widened(direction);
  const auto size = [](double x) { return x < 0 ? -x : x; };
  const double sum = size(d.x) + size(d.y) + size(d.z);
  const double x = d.x / sum, y = d.y / sum;
  if (!(d.z < 0)) return {x, y};
  return {x < 0 ? size(y) - 1 : 1 - size(y), y < 0 ? size(x) - 1 : 1 - size(x)};
}

}  // namespace sightline
