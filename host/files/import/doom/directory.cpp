#include "host/files/import/doom/directory.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace sightline::io {
namespace {

/// BEHAVIOR belongs to Hexen's format, TEXTMAP to UDMF: both are known in order to be refused.
constexpr std::array<std::string_view, 14> map_lump_names = {
    "THINGS",  "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS",    "SSECTORS", "NODES",
    "SECTORS", "REJECT",   "BLOCKMAP", "BEHAVIOR", "SCRIPTS", "TEXTMAP",  "ZNODES"};

bool is_map_lump(const std::string& name) {
  return std::find(map_lump_names.begin(), map_lump_names.end(), name) != map_lump_names.end();
}

/// Names end at a zero byte; what cannot be printed becomes '?', since names go into messages.
std::string name_at(Bytes bytes, std::uint64_t at) {
  std::string name;
  for (std::uint64_t i = 0; i < 8 && bytes[at + i] != 0; ++i) {
    const std::uint8_t c = bytes[at + i];
    name += c > 32 && c < 127 ? static_cast<char>(c) : '?';
  }
  return in_capitals(name);
}

}  // namespace

std::string in_capitals(std::string name) {
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

std::vector<WadLump> read_directory(const std::string& file, Bytes bytes) {
  const auto refuse = [&file](const std::string& reason) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: {}", file, reason));
  };
  if (bytes.size() < 12)
    refuse(fmt::format("a WAD file has 12 bytes or more, not {}", bytes.size()));
  const std::string_view magic(reinterpret_cast<const char*>(bytes.data()), 4);
  if (magic != "IWAD" && magic != "PWAD")
    refuse("not a WAD file: it begins with neither IWAD nor PWAD");
  const std::uint64_t count = u32_at(bytes, 4), begin = u32_at(bytes, 8);
  if (begin > bytes.size() || count > (bytes.size() - begin) / 16) {
    refuse(fmt::format("the directory of {} lumps at byte {} leaves the file of {} bytes", count,
                       begin, bytes.size()));
  }
  std::vector<WadLump> lumps;
  lumps.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t entry = begin + 16 * i;
    const std::uint64_t at = u32_at(bytes, entry), size = u32_at(bytes, entry + 4);
    const std::string name = name_at(bytes, entry + 8);
    // Markers are empty, and some tools leave any number as their place.
    if (size != 0 && (at > bytes.size() || size > bytes.size() - at)) {
      refuse(fmt::format("lump {} ({}) of {} bytes at byte {} leaves the file of {} bytes", i, name,
                         size, at, bytes.size()));
    }
    lumps.push_back({name, size == 0 ? Bytes{} : bytes.subspan(at, size)});
  }
  return lumps;
}

bool is_map_marker(const std::vector<WadLump>& lumps, std::uint64_t i) {
  if (i + 1 >= lumps.size() || is_map_lump(lumps[i].name)) return false;
  return lumps[i + 1].name == "THINGS" || lumps[i + 1].name == "TEXTMAP";
}

std::span<const WadLump> lumps_of_map(const std::vector<WadLump>& lumps, std::uint64_t i) {
  std::uint64_t end = i + 1;
  while (end < lumps.size() && is_map_lump(lumps[end].name)) ++end;
  return std::span(lumps).subspan(i + 1, end - i - 1);
}

}  // namespace sightline::io
