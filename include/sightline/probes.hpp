// How far one sees from points in every direction.
#pragma once

#include <sightline/caster.hpp>

#include <span>
#include <vector>

namespace sightline {

struct ProbeOptions {
  float range = infinity;  ///< further is +inf, as nothing is
  Inside inside = Inside::solid;
};

/// The directions of a map of n x n cells: element j * n + i is cell (i, j).
std::vector<Vec3> octahedral_directions(std::uint32_t n);

/// distance [points.count, n, n]: element [p, j, i] is how far the first hit is from point p in the
/// direction of cell (i, j), as `t` of that ray, whose direction is of length 1 but for rounding;
/// +inf where there is none within range, and for bad points. Masks and exclusions of points count.
/// Takes some 10 MB, and 12 bytes for each direction. Throws Error{usage} for n = 0 or above 4096,
/// a range below 0, another size.
CastReport probe_distances(const Caster& caster, const PointsView& points, std::uint32_t n,
                           std::span<float> distance, const ProbeOptions& options = {});

}  // namespace sightline
