// What does not take some kinds of shapes yet refuses them.
#pragma once

#include "host/common/checks.hpp"

#include <sightline/geometry/shapes/rays_alone.hpp>
#include <sightline/scene.hpp>

#include <string>

namespace sightline::detail {

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

/// Throws Error{usage} for a scene with such kinds; `queries` begins the sentence.
inline void refuse_kinds(const Scene& scene, Refused which, const char* queries) {
  with_refused(scene, which, [&](Kind kind, std::uint32_t n) {
    refuse(std::string(queries) + " take no " + kind_name(kind) + "s yet, and the scene has " +
           std::to_string(n) + ": remove them");
  });
}

}  // namespace sightline::detail
