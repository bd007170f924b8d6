// Kinds of shapes that rays and overlaps are asked about, and no other query yet.
#pragma once

#include <sightline/shapes.hpp>

namespace sightline {

/// Scenes with such shapes refuse overlaps, distances and sweeps (host/common/rays_alone.hpp). The
/// functions of these kinds are there for the code that handles every kind.
template <class Shape>
concept RaysAlone = std::is_same_v<Shape, Triangle> || std::is_same_v<Shape, Cylinder>;

/// Ends the program of a host that calls such a function.
SIGHTLINE_HD void end_unknown_query() {
#if !defined(__CUDA_ARCH__)
  __builtin_trap();
#endif
}

}  // namespace sightline
