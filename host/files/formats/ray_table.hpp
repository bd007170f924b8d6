// Rays as tables and lists: CSV and JSON, which are read only.
#pragma once

#include "host/files/core/file_format.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/rounding.hpp"

namespace sightline::io {

/// Reads CSV with a header such as origin_x,origin_y,origin_z,direction_x,direction_y,direction_z,
/// or JSON: {"rays": [...]}, or the list alone, of objects with "origin" and "direction". Throws
/// Error{io}, or Error{bad_input} naming file, line or index, and reason.
RayTable read_ray_table(const std::string& name, FileFormat format, Notes* notes = nullptr);

}  // namespace sightline::io
