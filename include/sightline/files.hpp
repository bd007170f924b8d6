// Scenes, points and rays in the files that the program `sightline` reads
// (docs/reference/formats.md): in a library of its own, sightline::files.
#pragma once

#include <sightline/scene.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace sightline::files {

/// Text by name. Of scenes "unit" and "up" mean something: "m" and "z" unless given.
using Metadata = std::map<std::string, std::string>;

// All throw Error{io}, Error{out_of_memory}, and Error{bad_input} naming file, kind, index and
// reason. Files are written whole or not at all. Writers throw Error{usage} too: where a name's
// ending asks for another format, and for metadata that could not be read back.

/// Reads a container, JSON or CSV, whichever the file is. Adds to `notes`, where given, a sentence
/// for each change that reading makes, such as sizes that float does not hold far from the origin.
Scene read_scene(const std::string& name, Metadata* metadata = nullptr,
                 std::vector<std::string>* notes = nullptr);
/// Writes a container, whose metadata may take 100 MB and states "sightline.file" and
/// "sightline.format" by itself.
void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata = {});
/// The content hash, which the program prints: the same in memory and in any file.
std::string scene_hash(const Scene& scene);

/// Reads points: `.npy` [n,3], CSV, JSON or a container, of which the positions are taken; binary64
/// is rounded to float.
std::vector<Vec3> read_points(const std::string& name);
/// Writes `.npy` when the name ends so, else a container.
void write_points(const std::string& name, std::span<const Vec3> points);

/// Reads rays, of a container, CSV or JSON, with all that the file says of them. Throws
/// Error{bad_input} for rays with radii, which a Ray has not.
std::vector<Ray> read_rays(const std::string& name);
/// Writes a container with every column of the rays.
void write_rays(const std::string& name, std::span<const Ray> rays);

}  // namespace sightline::files
