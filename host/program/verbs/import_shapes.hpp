// import of files that hold nothing but shapes: molecules, voxel maps and Godot scenes.
#pragma once

#include "host/files/core/container.hpp"
#include "host/program/arguments/arguments.hpp"
#include "host/program/engine/job.hpp"

#include <sightline/scene.hpp>

namespace sightline::cli {

/// Imports by the file's extension; false when it is none of .pdb, .ent, .3dmap and .tscn.
/// Throws Error{usage} for options of another kind of file, and as the importers do.
bool import_shapes(Job& job, const ImportArguments& arguments);

/// Imports a Godot scene.
void import_godot_scene(Job& job, const ImportArguments& arguments);

/// Writes a scene, unless the run is dry, and tells its hash.
void write_imported(Job& job, const ImportArguments& arguments, const Scene& scene,
                    const io::Metadata& metadata);

}  // namespace sightline::cli
