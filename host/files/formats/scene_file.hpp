// Scenes in files: the container; JSON, CSV and single arrays, which are read only.
#pragma once

#include "host/files/core/tensor.hpp"
#include "host/files/formats/shape_reader.hpp"

#include <sightline/ray.hpp>
#include <sightline/scene.hpp>

namespace sightline::io {

using sightline::kind_name;

/// Reads a container, JSON or CSV, by how the file begins; with a kind also an .npy of its shapes'
/// numbers [n,...], or CSV without a column of kinds. Metadata of the file (units, up axis, names,
/// and whatever else it carries) goes to `metadata`, what was changed to `notes`, where given.
/// Throws Error{io}, or Error{bad_input} naming file, kind, index and reason.
Scene read_scene(const std::string& name, Metadata* metadata = nullptr, Notes* notes = nullptr,
                 std::optional<Kind> kind = std::nullopt, std::optional<char> up = std::nullopt);

/// Reads a scene from text; `file` names it in errors.
Scene parse_scene_json(const std::string& file, const std::string& text,
                       Metadata* metadata = nullptr, Notes* notes = nullptr,
                       std::optional<char> up = std::nullopt);
Scene parse_scene_csv(const std::string& file, std::string_view text,
                      std::optional<Kind> kind = std::nullopt, Metadata* metadata = nullptr,
                      Notes* notes = nullptr, std::optional<char> up = std::nullopt);

/// The kind of this name, and all names.
std::optional<Kind> kind_named(std::string_view name);
std::string all_kinds();

/// The mesh of vertices [v,3] and faces [f,3] of two .npy files. Throws as read_scene.
Scene read_mesh(const std::string& vertices, const std::string& faces, Notes* notes = nullptr);

/// Writes a container; `metadata` may say "unit" and "up" ("m" and "z" unless given).
void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata = {});
/// How many bytes that writes.
std::uint64_t bytes_of_scene(const Scene& scene, const Metadata& metadata = {});

/// The content hash of a scene: shapes, masks, groups, labels; the same in memory and in any file.
std::string scene_hash(const Scene& scene);

}  // namespace sightline::io
