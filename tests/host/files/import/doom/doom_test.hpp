// What the tests of Doom maps share: a small map built by hand, and the real one where it is there.
#pragma once

#include "host/files/import/doom/wad.hpp"
#include "tests/support/places.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace sightline::io {

using Buffer = std::vector<std::uint8_t>;

inline void put16(Buffer& b, int value) {
  b.push_back(static_cast<std::uint8_t>(value & 0xFF));
  b.push_back(static_cast<std::uint8_t>(value >> 8 & 0xFF));
}
inline void put32(Buffer& b, std::uint32_t value) {
  put16(b, static_cast<int>(value & 0xFFFF));
  put16(b, static_cast<int>(value >> 16));
}

/// Lumps in order; tests change them before they ask for the file's bytes.
struct SmallWad {
  std::vector<std::pair<std::string, Buffer>> lumps;

  Buffer& lump(const std::string& name) {
    for (auto& [known, bytes] : lumps) {
      if (known == name) return bytes;
    }
    return lumps.emplace_back(name, Buffer{}).second;
  }
  Buffer bytes() const {
    Buffer file = {'P', 'W', 'A', 'D'};
    std::uint32_t at = 12;
    for (const auto& [name, data] : lumps) at += static_cast<std::uint32_t>(data.size());
    put32(file, static_cast<std::uint32_t>(lumps.size()));
    put32(file, at);
    for (const auto& [name, data] : lumps) file.insert(file.end(), data.begin(), data.end());
    at = 12;
    for (const auto& [name, data] : lumps) {
      put32(file, at);
      put32(file, static_cast<std::uint32_t>(data.size()));
      at += static_cast<std::uint32_t>(data.size());
      for (std::size_t i = 0; i < 8; ++i)
        file.push_back(i < name.size() ? static_cast<std::uint8_t>(name[i]) : 0);
    }
    return file;
  }
};

/// Three sectors in a row, from the left: 2, a closed closet, x -64..0; 0, a room of 256 x 256,
/// floor 0 and ceiling 128; 1, a room of the same size up a step to `floor1`, ceiling 112, its
/// corner at (512, 0) cut off from (512, 64) to (448, 0).
///
/// Each line has two sidedefs of its own, 2i in front and 2i + 1 behind.
inline SmallWad small_wad(int floor1 = 16) {
  SmallWad wad;
  wad.lump("E1M1");
  put16(wad.lump("THINGS"), 32), put16(wad.lump("THINGS"), 32);
  for (const int v : {0, 1, 7}) put16(wad.lump("THINGS"), v);
  wad.lump("LINEDEFS"), wad.lump("SIDEDEFS");
  const int vertices[][2] = {{0, 0},   {0, 256}, {256, 256}, {256, 0}, {512, 256}, {512, 64},
                             {448, 0}, {-64, 0}, {-64, 256}, {64, 64}, {64, 128}};
  for (const auto& v : vertices)
    put16(wad.lump("VERTEXES"), v[0]), put16(wad.lump("VERTEXES"), v[1]);
  struct Line {
    int start, end, front, back;
  };
  const Line lines[] = {{0, 1, 0, 2},  {1, 2, 0, -1}, {2, 3, 0, 1},  {3, 0, 0, -1}, {2, 4, 1, -1},
                        {4, 5, 1, -1}, {5, 6, 1, -1}, {6, 3, 1, -1}, {7, 8, 2, -1}, {8, 1, 2, -1},
                        {0, 7, 2, -1}, {0, 0, 0, -1}, {9, 10, 0, 0}};
  int side = 0;
  for (const Line& l : lines) {
    Buffer& b = wad.lump("LINEDEFS");
    for (const int v : {l.start, l.end, 1, 0, 0, side, l.back < 0 ? 0xFFFF : side + 1}) put16(b, v);
    for (const int sector : {l.front, l.back < 0 ? 0 : l.back}) {
      Buffer& s = wad.lump("SIDEDEFS");
      s.resize(s.size() + 28);
      put16(s, sector);
    }
    side += 2;
  }
  const int segs[][2] = {{1, 0}, {4, 0}, {0, 1}};  // line, side
  for (const auto& seg : segs) {
    for (const int v : {0, 0, 0, seg[0], seg[1], 0}) put16(wad.lump("SEGS"), v);
  }
  for (const int first : {0, 1, 2})
    put16(wad.lump("SSECTORS"), 1), put16(wad.lump("SSECTORS"), first);
  const auto node = [&wad](int x, int right, int left) {
    Buffer& b = wad.lump("NODES");
    for (const int v : {x, 0, 0, 256, 0, 0, 0, 0, 0, 0, 0, 0, right, left}) put16(b, v);
  };
  node(256, 0x8001, 0x8000);
  node(0, 0, 0x8002);
  const int sectors[][2] = {{0, 128}, {floor1, 112}, {0, 0}};
  for (const auto& s : sectors) {
    Buffer& b = wad.lump("SECTORS");
    put16(b, s[0]), put16(b, s[1]);
    b.resize(b.size() + 22);
  }
  wad.lump("REJECT") = {0b11100100, 0};  // sector 2 and the others do not see each other
  return wad;
}

/// The real maps, if they are there: the WAD that SIGHTLINE_WAD names (test.sh fetches it), or its
/// maps below SIGHTLINE_SHARED or beside the sources.
inline std::filesystem::path freedoom_path() {
  if (const char* wad = std::getenv("SIGHTLINE_WAD")) return wad;
  return testing::shared_folder() / "data/doom/freedoom1-e1e2-maps.wad";
}

/// Those of the maps that belong to one of the episodes, one digit each.
inline std::vector<std::string> maps_of_episodes(std::string_view episodes,
                                                 std::vector<std::string> maps) {
  std::erase_if(maps, [&](const std::string& m) {
    return m.size() != 4 || episodes.find(m[1]) == std::string_view::npos;
  });
  return maps;
}

/// Whether the map's table says that nothing in sector a sees anything in sector b.
inline bool is_rejected(const DoomMap& map, std::uint32_t a, std::uint32_t b) {
  const std::uint64_t bit = std::uint64_t{a} * map.sectors.size() + b;
  if (bit / 8 >= map.reject.size()) return false;
  return (map.reject[bit / 8] >> (bit % 8) & 1) != 0;
}

inline Buffer read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return Buffer(std::istreambuf_iterator<char>(in), {});
}

}  // namespace sightline::io
