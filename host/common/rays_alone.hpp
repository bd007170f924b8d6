// What does not take some kinds of shapes yet refuses them.
#pragma once

#include "host/common/checks.hpp"

#include <sightline/geometry/shapes/rays_alone.hpp>
#include <sightline/scene.hpp>

#include <string>

namespace sightline::detail {

/// Calls f(kind, plural, count) for the first kind of the scene that rays alone know, if any.
template <class F>
void with_rays_alone(const Scene& scene, F&& f) {
  bool is_first = true;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if constexpr (RaysAlone<S>) {
      const std::uint32_t n = scene.count(kind_for<S>);
      if (n > 0 && is_first) f(kind_for<S>, std::string(ShapeTraits<S>::name) + "s", n);
      is_first = is_first && n == 0;
    }
  });
}

/// Throws Error{usage} for a scene with such kinds; `queries` begins the sentence.
inline void refuse_rays_alone(const Scene& scene, const char* queries) {
  with_rays_alone(scene, [&](Kind, const std::string& shapes, std::uint32_t n) {
    refuse(std::string(queries) + " take no " + shapes + " yet, and the scene has " +
           std::to_string(n) + ": remove them");
  });
}

}  // namespace sightline::detail
