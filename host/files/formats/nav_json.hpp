// A navigation map as JSON, for editors.
#pragma once

#include "host/files/core/tensor.hpp"

#include <sightline/nav.hpp>

namespace sightline::io {

/// What writing the file takes in memory, at most.
std::uint64_t nav_json_bytes(const NavMap& map);

/// Regions, walkable floors as runs of cells along x, and jumps; `metadata` may say "unit". Throws
/// Error{io}.
void write_nav_json(const std::string& name, const NavMap& map, const Metadata& metadata);

}  // namespace sightline::io
