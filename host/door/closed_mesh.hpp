// Meshes that are closed: each of their directed edges comes as often as its reverse.
#pragma once

#include "host/door/mesh_faces.hpp"

#include <cstdint>

namespace sightline::detail {

/// Throws Error{bad_input} that names the first open edge, by its face and its points. Corners with
/// equal coordinates are one place; an edge between equal places is none. Takes 40 bytes an edge.
void check_closed(std::span<const Vec3> vertices, Faces faces);

}  // namespace sightline::detail
