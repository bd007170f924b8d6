// OpenEXR files of plain channels, for data that other programs read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sightline::io {

/// One channel [height, width], row by row from the top.
struct ExrChannel {
  std::string name;
  std::variant<std::vector<float>, std::vector<std::uint32_t>> values;
};

/// Writes an uncompressed scan-line file; whole or not at all. Channels may come in any order.
/// Throws Error{io}, and Error{internal} where sizes do not fit or names are 32 bytes or more.
/// Source: "OpenEXR File Layout", openexr.com.
void write_exr(const std::string& name, std::uint64_t width, std::uint64_t height,
               std::vector<ExrChannel> channels);

}  // namespace sightline::io
