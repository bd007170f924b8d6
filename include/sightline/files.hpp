/// @file
/// Scenes, points and rays in the files of the program `sightline` (docs/reference/formats.md). The
/// functions are in a library of their own, the CMake target `sightline::files`.
#pragma once

#include <sightline/scene.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

/// Readers and writers of files. Each throws Error{io} if the file cannot be read or written, and
/// Error{out_of_memory}. A file is written whole or not at all.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_sphere({{0, 0, 1}, 0.5f});
/// files::write_scene("ball.safetensors", scene, {{"unit", "m"}, {"up", "z"}});
/// files::Metadata metadata;
/// const Scene same = files::read_scene("ball.safetensors", &metadata);  // metadata["up"] is "z"
/// @endcode
namespace sightline::files {

/// Text by name. A scene's "unit" and "up" have a meaning; their defaults are "m" and "z".
using Metadata = std::map<std::string, std::string>;

/// Returns the scene of a container, JSON or CSV file. The contents determine the format.
/// @param name      path of the file
/// @param metadata  receives the metadata of the file; may be null
/// @param notes     receives one sentence for each change that reading makes, such as sizes that
///                  float does not hold far from the origin; may be null
/// @throws Error{bad_input} naming file, kind, index and reason if the contents are refused
Scene read_scene(const std::string& name, Metadata* metadata = nullptr,
                 std::vector<std::string>* notes = nullptr);
/// Writes a scene as a container.
/// @param name      path of the file
/// @param scene     the scene
/// @param metadata  UTF-8 text, at most 100 MB; the file states "sightline.file" and
///                  "sightline.format" by itself
/// @throws Error{usage} if the ending of the name belongs to another format, or if the metadata
///         could not be read back
void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata = {});
/// Returns the content hash that the program prints. It is the same in memory and in any file.
/// @param scene  the scene
std::string scene_hash(const Scene& scene);

/// Returns the positions of a file of points: `.npy` [n, 3], CSV, JSON or a container. Numbers in
/// binary64 are rounded to float.
/// @param name  path of the file
/// @throws Error{bad_input} naming file, index and reason if the contents are refused
std::vector<Vec3> read_points(const std::string& name);
/// Writes points as `.npy` if the name ends so, else as a container.
/// @param name    path of the file
/// @param points  positions [n]
/// @throws Error{usage} if the ending of the name belongs to another format
void write_points(const std::string& name, std::span<const Vec3> points);

/// Returns the rays of a container, CSV or JSON file, with every column that the file has.
/// @param name  path of the file
/// @throws Error{bad_input} naming file, index and reason if the contents are refused, or if the
///         rays have radii, which a Ray cannot hold
std::vector<Ray> read_rays(const std::string& name);
/// Writes rays as a container with every column.
/// @param name  path of the file
/// @param rays  rays [n]
/// @throws Error{usage} if the ending of the name belongs to another format
void write_rays(const std::string& name, std::span<const Ray> rays);

}  // namespace sightline::files
