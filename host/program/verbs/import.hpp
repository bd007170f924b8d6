// import: what its importers share.
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
  std::string faces;     ///< .npy of a mesh whose vertices are the file, or ""
  std::string unit, up;  ///< instead of what the file says, or ""
  std::string output;
  std::string points_output;
};

/// Imports a Godot scene.
void import_godot_scene(Job& job, const ImportArguments& arguments);

/// Writes a scene, unless the run is dry, and tells its hash.
void write_imported(Job& job, const ImportArguments& arguments, const Scene& scene,
                    const io::Metadata& metadata);

}  // namespace sightline::cli
