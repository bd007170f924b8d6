// Meshes as vertices and faces.
#pragma once

#include "host/common/checks.hpp"

#include <sightline/scene.hpp>

#include <array>
#include <span>
#include <string>

namespace sightline::detail {

using Faces = std::span<const std::array<std::uint32_t, 3>>;

/// The triangles of these faces.
inline auto triangles_of(std::span<const Vec3> vertices, Faces faces) {
  if (vertices.data() == nullptr && !vertices.empty()) refuse("the vertices are null");
  if (faces.data() == nullptr && !faces.empty()) refuse("the faces are null");
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (const std::uint32_t k : faces[i]) {
      if (k < vertices.size()) continue;
      throw Error(ErrorKind::bad_input,
                  "face " + std::to_string(i) + " names vertex " + std::to_string(k) + " of " +
                      std::to_string(vertices.size()) + ", which count from 0");
    }
  }
  return [vertices, faces](std::uint64_t i) {
    const auto& [a, b, c] = faces[i];
    return Triangle{vertices[a], vertices[b], vertices[c]};
  };
}

}  // namespace sightline::detail
