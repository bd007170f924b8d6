// The directory of a WAD file: names, and byte ranges that lie within the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sightline::io {

using Bytes = std::span<const std::uint8_t>;

/// Little-endian numbers; the caller has checked the length.
inline std::uint32_t u16_at(Bytes b, std::uint64_t i) {
  return static_cast<std::uint32_t>(b[i]) | static_cast<std::uint32_t>(b[i + 1]) << 8;
}
inline std::int32_t i16_at(Bytes b, std::uint64_t i) {
  return static_cast<std::int16_t>(u16_at(b, i));
}
inline std::uint32_t u32_at(Bytes b, std::uint64_t i) {
  return u16_at(b, i) | u16_at(b, i + 2) << 16;
}

struct WadLump {
  std::string name;  ///< up to 8 characters, in capitals
  Bytes bytes;
};

/// All lumps in file order. Throws Error{bad_input} when the directory or a lump leaves the file.
std::vector<WadLump> read_directory(const std::string& file, Bytes bytes);

/// Whether lump i is the marker of a map: lumps that only maps have follow it.
bool is_map_marker(const std::vector<WadLump>& lumps, std::uint64_t i);

/// The lumps of the map that begins at marker i, up to the first that no map has.
std::span<const WadLump> lumps_of_map(const std::vector<WadLump>& lumps, std::uint64_t i);

std::string in_capitals(std::string name);

}  // namespace sightline::io
