// Scenes in files: the container, and JSON written by hand (read only).
#pragma once

#include "host/files/core/tensor.hpp"

#include <sightline/queries/ray.hpp>
#include <sightline/scene.hpp>

namespace sightline::io {

/// Reads a container, or JSON when the name ends in ".json". Metadata of the file (units, up axis,
/// and whatever else it carries) goes to `metadata` when given.
/// Throws Error{io}, or Error{bad_input} naming file, kind, index and reason.
Scene read_scene(const std::string& name, Metadata* metadata = nullptr);

/// Reads a scene from JSON text; `file` names it in errors.
Scene parse_scene_json(const std::string& file, const std::string& text,
                       Metadata* metadata = nullptr);

/// Writes a container; `metadata` may say "unit" and "up" ("m" and "z" unless given).
void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata = {});

/// The content hash of a scene: shapes, masks, groups, labels; the same in memory and in any file.
std::string scene_hash(const Scene& scene);

}  // namespace sightline::io
