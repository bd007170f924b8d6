// What kind of thing a file holds.
#pragma once

#include <string>

namespace sightline::io {

/// What the file says that it holds or, where others wrote it, what its tensors, keys or columns
/// are of: "scene", "points", "rays", "areas", "flat scene", "nav", or a kind of result. "array" of
/// an `.npy`. Throws Error{io}, Error{bad_input}.
std::string kind_of_file(const std::string& name);

}  // namespace sightline::io
