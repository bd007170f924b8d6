// OpenEXR files of plain channels, for data that other programs read.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sightline::io {

/// One channel [height, width], row by row from the top: its first value, and the bytes from one
/// value to the next. The values are read, and must stay, until the file is written.
struct ExrChannel {
  std::string name;
  std::variant<const float*, const std::uint32_t*> first;
  std::size_t stride = 4;
};

/// Whether this program was built with OpenEXR.
bool can_write_exr();

/// Writes an uncompressed scan-line file; whole or not at all. Channels may come in any order.
/// Throws Error{io}; Error{internal} for sizes or names that the format does not take; Error{usage}
/// without OpenEXR.
void write_exr(const std::string& name, std::uint64_t width, std::uint64_t height,
               const std::vector<ExrChannel>& channels);

}  // namespace sightline::io
