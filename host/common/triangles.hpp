// What does not take triangles yet refuses them.
#pragma once

#include "host/common/checks.hpp"

#include <sightline/scene.hpp>

#include <string>

namespace sightline::detail {

/// Throws Error{usage} for a scene with triangles; `queries` begins the sentence.
inline void refuse_triangles(const Scene& scene, const char* queries) {
  const std::uint32_t n = scene.count(Kind::triangle);
  if (n == 0) return;
  refuse(std::string(queries) + " take no triangles yet, and the scene has " + std::to_string(n) +
         ": remove them");
}

}  // namespace sightline::detail
