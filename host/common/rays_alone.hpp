// What does not take some kinds of shapes yet refuses them.
#pragma once

#include "host/common/checks.hpp"

#include <sightline/geometry/shapes/rays_alone.hpp>
#include <sightline/scene.hpp>

#include <string>

namespace sightline::detail {

/// Throws Error{usage} for a scene with such kinds; `queries` begins the sentence.
inline void refuse_kinds(const Scene& scene, Refused which, const char* queries) {
  with_refused(scene, which, [&](Kind kind, std::uint32_t n) {
    refuse(std::string(queries) + " take no " + kind_name(kind) + "s yet, and the scene has " +
           std::to_string(n) + ": remove them");
  });
}

}  // namespace sightline::detail
