// The convex hull of points, as a closed mesh.
#pragma once

#include <sightline/vec.hpp>

#include <array>
#include <span>
#include <vector>

namespace sightline::detail {

/// Points of one hull, at most.
inline constexpr std::size_t most_hull_points = 1 << 16;

/// The faces of the points' convex hull, counterclockwise seen from outside: exact, as every
/// decision is the sign of a determinant of the stored floats. A face of more than three corners is
/// several triangles. Throws Error{bad_input} for more than most_hull_points points, for bad ones,
/// and for points that lie in one plane. Random points take n log n steps.
std::vector<std::array<std::uint32_t, 3>> hull_faces(std::span<const Vec3> points);

}  // namespace sightline::detail
