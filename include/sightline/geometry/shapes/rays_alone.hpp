// Kinds of shapes that rays are asked about, and no other query yet.
#pragma once

#include <sightline/shapes.hpp>

namespace sightline {

/// Scenes with such shapes refuse overlaps, distances and sweeps (host/common/rays_alone.hpp). The
/// functions of these kinds are there for the code that handles every kind.
template <class Shape>
concept RaysAlone = std::is_same_v<Shape, Cylinder>;

/// Calls f(ShapeTag<S>{}) for the kind of an overlap query. Kinds that rays alone know have been
/// refused.
template <class F>
void with_query_kind(Kind kind, F&& f) {
  with_bounded_kind(kind, [&]<class S>(ShapeTag<S> tag) {
    if constexpr (!RaysAlone<S>) f(tag);
  });
}

/// Ends the program of a host that calls such a function.
SIGHTLINE_HD void end_unknown_query() {
#if !defined(__CUDA_ARCH__)
  __builtin_trap();
#endif
}

}  // namespace sightline
