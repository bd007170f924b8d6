// Import of Godot scenes: the collision shapes of solid bodies.
#pragma once

#include "host/files/formats/rounding.hpp"
#include "host/files/import/godot/tree.hpp"

#include <sightline/scene.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace sightline::io {

/// How often something happened, and where first: "FILE: line N: 'PATH OF THE NODE'".
struct GodotTally {
  std::uint64_t count = 0;
  std::string first;
};

/// A scene in metres, y up. Each shape's mask is its body's collision_layer, its group the body's
/// number from 0, and its label the place of its node: the index of `files` in the upper 32 bits,
/// the line in the lower. See docs/howto/import.md.
struct GodotImport {
  Scene scene;
  std::vector<std::string> files;                  ///< in the order in which they were read
  std::uint64_t nodes = 0;                         ///< of all scenes that stand in each other
  std::uint64_t bodies = 0;                        ///< that have shapes here
  std::map<std::string, std::uint64_t> taken;      ///< by class: BoxShape3D, ...
  std::map<std::string, GodotTally> approximated;  ///< of those, by reason
  double largest_volume = 1;                       ///< of an approximation over that of its shape
  std::map<std::string, GodotTally> not_solid;     ///< left out, by reason; nothing is lost by that
  std::map<std::string, GodotTally> left_out;      ///< by reason; solid, or nobody knows
  Notes notes;                                     ///< what rounding changes
};

struct GodotOptions {
  std::filesystem::path root;  ///< where res:// is; empty: found_root()
  bool strict = false;         ///< whether approximations and what is left out end the import
};

/// Where res:// is for a scene: the nearest folder around it with a project.godot, else the one
/// below which most of the files are that it names, else its own.
std::filesystem::path found_root(const std::filesystem::path& scene);

/// Reads a scene and all that stand in it. Throws Error{io}; Error{bad_input} naming file, line
/// and reason; Error{usage} where the scene lies outside of the root.
GodotImport import_godot(const std::filesystem::path& scene, const GodotOptions& options = {});

/// The same of a project that `read` reads; `name` names the scene at `path` in errors.
GodotImport import_godot(const std::string& name, const std::string& path, const GodotReader& read,
                         bool strict);

}  // namespace sightline::io
