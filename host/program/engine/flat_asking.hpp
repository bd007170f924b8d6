// The files of circles and segments that flat asks with and verify asks again.
#pragma once

#include "host/files/formats/flat_file.hpp"

namespace sightline::cli {

/// [n,3] f32: x, y, radius.
io::RowsFile open_circles(const std::string& file);
/// [n,4] f32: the two ends.
io::RowsFile open_segments(const std::string& file);
std::string hash_of_circles(const io::RowsFile& file);
std::string hash_of_segments(const io::RowsFile& file);

}  // namespace sightline::cli
