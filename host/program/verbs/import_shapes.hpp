// import of files that hold nothing but shapes: Godot scenes and tables.
#pragma once

#include "host/files/core/container.hpp"
#include "host/program/jobs/job.hpp"

#include <sightline/scene.hpp>

namespace sightline::cli {

struct ImportArguments {
  std::string file;
  std::string map;
  std::optional<std::uint32_t> grid, floors;
  bool drawn_walls = false;
  std::string root;
  bool strict = false;
  std::string kind;      ///< of the shapes of an .npy, or of CSV without kinds, or ""
  std::string unit, up;  ///< instead of what the file says, or ""
  std::string output;
  std::string points_output;
};

/// Imports a Godot scene or a table of shapes; false for a WAD file.
/// Throws Error{usage} for options of another kind of file, Error{bad_input} for a file that it
/// does not read, naming the Python call where there is one, and as the importers do.
bool import_shapes(Job& job, const ImportArguments& arguments);

/// Imports a Godot scene.
void import_godot_scene(Job& job, const ImportArguments& arguments);

/// Writes a scene, unless the run is dry, and tells its hash.
void write_imported(Job& job, const ImportArguments& arguments, const Scene& scene,
                    const io::Metadata& metadata);

}  // namespace sightline::cli
