// Kinds of shapes that some queries do not take yet.
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

/// Kinds that a query may refuse.
enum class Refused {
  rays_alone,       ///< what has no overlaps, distances and sweeps yet
  without_columns,  ///< these, and triangles, of which navigation and cover know no columns yet
};
template <class Shape>
constexpr bool is_refused(Refused which) {
  return RaysAlone<Shape> || (which == Refused::without_columns && std::is_same_v<Shape, Triangle>);
}

/// Calls f(kind, count) for the first such kind that a Scene or a ShapesView has shapes of, if any.
template <class Shapes, class F>
void with_refused(const Shapes& shapes, Refused which, F&& f) {
  bool is_first = true;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    const std::uint32_t n = is_refused<S>(which) ? shapes.count(kind_for<S>) : 0;
    if (n > 0 && is_first) f(kind_for<S>, n);
    is_first = is_first && n == 0;
  });
}

/// Ends the program of a host that calls such a function.
SIGHTLINE_HD void end_unknown_query() {
#if !defined(__CUDA_ARCH__)
  __builtin_trap();
#endif
}

}  // namespace sightline
