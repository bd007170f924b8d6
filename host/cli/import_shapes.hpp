// import of files that hold nothing but shapes: molecules and voxel maps.
#pragma once

#include "host/cli/arguments.hpp"
#include "host/cli/job.hpp"

namespace sightline::cli {

/// Imports by the file's extension; false when it is none of .pdb, .ent and .3dmap.
/// Throws Error{usage} for options of another kind of file, and as the importers do.
bool import_shapes(Job& job, const ImportArguments& arguments);

}  // namespace sightline::cli
