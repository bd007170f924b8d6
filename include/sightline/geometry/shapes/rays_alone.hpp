// Kinds of shapes that rays are asked about, and no other query yet.
#pragma once

#include <sightline/shapes.hpp>

namespace sightline {

/// Scenes with such shapes refuse overlaps, distances and sweeps (host/common/rays_alone.hpp). The
/// functions of these kinds are there for the code that handles every kind.
template <class Shape>
concept RaysAlone = std::is_same_v<Shape, Triangle> || std::is_same_v<Shape, Cylinder>;

/// Calls f(ShapeTag<S>{}) for the kind of an overlap query. Kinds that rays alone know have been
/// refused.
template <class F>
void with_query_kind(Kind kind, F&& f) {
  with_bounded_kind(kind, [&]<class S>(ShapeTag<S> tag) {
    if constexpr (!RaysAlone<S>) f(tag);
  });
}

/// Calls f(kind, count) for the first of these kinds that a Scene or a ShapesView has shapes of.
template <class Shapes, class F>
void with_rays_alone(const Shapes& shapes, F&& f) {
  bool is_first = true;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if constexpr (RaysAlone<S>) {
      const std::uint32_t n = shapes.count(kind_for<S>);
      if (n > 0 && is_first) f(kind_for<S>, n);
      is_first = is_first && n == 0;
    }
  });
}

/// Ends the program of a host that calls such a function.
SIGHTLINE_HD void end_unknown_query() {
#if !defined(__CUDA_ARCH__)
  __builtin_trap();
#endif
}

}  // namespace sightline
