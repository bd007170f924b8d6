#include "host/files/import/doom/wad.hpp"

#include "host/files/core/file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace sightline::io {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Little-endian numbers; the caller has checked the length.
std::uint32_t u16_at(Bytes b, std::uint64_t i) {
  return static_cast<std::uint32_t>(b[i]) | static_cast<std::uint32_t>(b[i + 1]) << 8;
}
std::int32_t i16_at(Bytes b, std::uint64_t i) { return static_cast<std::int16_t>(u16_at(b, i)); }
std::uint32_t u32_at(Bytes b, std::uint64_t i) { return u16_at(b, i) | u16_at(b, i + 2) << 16; }

struct WadLump {
  std::string name;  ///< up to 8 characters, in capitals
  Bytes bytes;
};
using Lumps = std::span<const WadLump>;

std::string in_capitals(std::string name) {
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

/// BEHAVIOR belongs to Hexen's format, TEXTMAP to UDMF: both are known in order to be refused.
constexpr std::array<std::string_view, 14> map_lump_names = {
    "THINGS",  "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS",    "SSECTORS", "NODES",
    "SECTORS", "REJECT",   "BLOCKMAP", "BEHAVIOR", "SCRIPTS", "TEXTMAP",  "ZNODES"};

bool is_map_lump(const std::string& name) {
  return std::ranges::find(map_lump_names, name) != map_lump_names.end();
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

/// All lumps in file order.
std::vector<WadLump> read_directory(const std::string& file, Bytes bytes) {
  if (bytes.size() < 12) refuse(file, "a WAD file has 12 bytes or more, not {}", bytes.size());
  const std::string_view magic(reinterpret_cast<const char*>(bytes.data()), 4);
  if (magic != "IWAD" && magic != "PWAD") {
    refuse(file, "not a WAD file: it begins with neither IWAD nor PWAD");
  }
  const std::uint64_t count = u32_at(bytes, 4), begin = u32_at(bytes, 8);
  if (begin > bytes.size() || count > (bytes.size() - begin) / 16) {
    refuse(file, "the directory of {} lumps at byte {} leaves the file of {} bytes", count, begin,
           bytes.size());
  }
  std::vector<WadLump> lumps;
  lumps.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t entry = begin + 16 * i;
    const std::uint64_t at = u32_at(bytes, entry), size = u32_at(bytes, entry + 4);
    const std::string name = name_at(bytes, entry + 8);
    // Markers are empty, and some tools leave any number as their place.
    if (size != 0 && (at > bytes.size() || size > bytes.size() - at)) {
      refuse(file, "lump {} ({}) of {} bytes at byte {} leaves the file of {} bytes", i, name, size,
             at, bytes.size());
    }
    lumps.push_back({name, size == 0 ? Bytes{} : bytes.subspan(at, size)});
  }
  return lumps;
}

/// Whether lump i is the marker of a map: lumps that only maps have follow it.
bool is_map_marker(const std::vector<WadLump>& lumps, std::uint64_t i) {
  if (i + 1 >= lumps.size() || is_map_lump(lumps[i].name)) return false;
  return lumps[i + 1].name == "THINGS" || lumps[i + 1].name == "TEXTMAP";
}

/// The lumps of the map that begins at marker i, up to the first that no map has.
Lumps lumps_of_map(const std::vector<WadLump>& lumps, std::uint64_t i) {
  std::uint64_t end = i + 1;
  while (end < lumps.size() && is_map_lump(lumps[end].name)) ++end;
  return std::span(lumps).subspan(i + 1, end - i - 1);
}

/// One lump as records of fixed size, with messages that say where they were found.
class Records {
 public:
  Records(const DoomMap& map, std::span<const WadLump> lumps, const char* name, std::uint64_t size)
      : where_(fmt::format("{}: map {}, lump {}", map.file, map.name, name)), size_(size) {
    const auto lump = std::ranges::find(lumps, name, &WadLump::name);
    if (lump == lumps.end()) io::refuse(where_, "missing");
    bytes_ = lump->bytes;
    if (bytes_.size() % size_ != 0) {
      io::refuse(where_, "{} bytes are no whole number of records of {}", bytes_.size(), size_);
    }
  }

  std::uint64_t count() const { return bytes_.size() / size_; }
  std::uint32_t u16(std::uint64_t i, std::uint64_t at) const {
    return u16_at(bytes_, i * size_ + at);
  }
  std::int32_t i16(std::uint64_t i, std::uint64_t at) const {
    return i16_at(bytes_, i * size_ + at);
  }

  /// The number at `at` of record i, which must be an index into `limit` things.
  std::uint32_t index(std::uint64_t i, std::uint64_t at, const char* what,
                      std::uint64_t limit) const {
    const std::uint32_t value = u16(i, at);
    if (value >= limit) refuse(i, "{} {} of {} does not exist", what, value, limit);
    return value;
  }
  template <class... A>
  [[noreturn]] void refuse(std::uint64_t i, fmt::format_string<A...> words, A&&... args) const {
    io::refuse(fmt::format("{}, record {}", where_, i), words, std::forward<A>(args)...);
  }

 private:
  std::string where_;
  std::uint64_t size_;
  Bytes bytes_;
};

void read_points(DoomMap& map, Lumps lumps) {
  const Records things(map, lumps, "THINGS", 10);
  for (std::uint64_t i = 0; i < things.count(); ++i) {
    map.things.push_back({things.i16(i, 0), things.i16(i, 2), things.u16(i, 6)});
  }
  const Records vertices(map, lumps, "VERTEXES", 4);
  for (std::uint64_t i = 0; i < vertices.count(); ++i) {
    map.vertices.push_back({vertices.i16(i, 0), vertices.i16(i, 2)});
  }
  const Records sectors(map, lumps, "SECTORS", 26);
  for (std::uint64_t i = 0; i < sectors.count(); ++i) {
    map.sectors.push_back({sectors.i16(i, 0), sectors.i16(i, 2)});
  }
}

void read_lines(DoomMap& map, Lumps lumps) {
  const Records sides(map, lumps, "SIDEDEFS", 30);
  const Records lines(map, lumps, "LINEDEFS", 14);
  const auto sector_of = [&](std::uint64_t line, std::uint64_t at) {
    if (lines.u16(line, at) == 0xFFFF) return doom_none;
    const std::uint32_t side = lines.index(line, at, "sidedef", sides.count());
    return sides.index(side, 28, "sector", map.sectors.size());
  };
  for (std::uint64_t i = 0; i < lines.count(); ++i) {
    const DoomLine line{lines.index(i, 0, "vertex", map.vertices.size()),
                        lines.index(i, 2, "vertex", map.vertices.size()), sector_of(i, 10),
                        sector_of(i, 12)};
    if (line.front_sector == doom_none && line.back_sector == doom_none) {
      lines.refuse(i, "it has no sidedef on either side");
    }
    map.lines.push_back(line);
  }
}

/// Extended nodes begin with a name of four letters; they are of no use to us.
bool is_extended(Bytes nodes) {
  if (nodes.size() < 4) return false;
  const std::string_view magic(reinterpret_cast<const char*>(nodes.data()), 4);
  constexpr std::string_view known[] = {"xNd4", "XNOD", "ZNOD", "XGLN", "ZGLN",
                                        "XGL2", "ZGL2", "XGL3", "ZGL3"};
  return std::ranges::find(known, magic) != std::end(known);
}

std::uint32_t read_child(const Records& nodes, std::uint64_t i, std::uint64_t at,
                         std::uint64_t subsectors) {
  const std::uint32_t child = nodes.u16(i, at);
  const bool leaf = (child & doom_subsector) != 0;
  const std::uint32_t target = leaf ? child - doom_subsector : child;
  const std::uint64_t limit = leaf ? subsectors : nodes.count();
  if (target >= limit) {
    nodes.refuse(i, "{} {} of {} does not exist", leaf ? "subsector" : "node", target, limit);
  }
  return child;
}

void read_tree(DoomMap& map, Lumps lumps) {
  const auto found = std::ranges::find(lumps, "NODES", &WadLump::name);
  if (found == lumps.end() || is_extended(found->bytes)) return;
  const Records segs(map, lumps, "SEGS", 12);
  for (std::uint64_t i = 0; i < segs.count(); ++i) {
    const std::uint32_t line = segs.index(i, 6, "linedef", map.lines.size());
    const std::uint32_t side = segs.index(i, 8, "side", 2);
    const DoomLine& l = map.lines[line];
    if ((side == 0 ? l.front_sector : l.back_sector) == doom_none) {
      segs.refuse(i, "linedef {} has no sidedef on side {}", line, side);
    }
    map.segs.push_back({line, side});
  }
  const Records subsectors(map, lumps, "SSECTORS", 4);
  for (std::uint64_t i = 0; i < subsectors.count(); ++i) {
    const DoomSubsector s{subsectors.u16(i, 2), subsectors.u16(i, 0)};
    if (s.seg_count == 0 || s.first_seg + s.seg_count > map.segs.size()) {
      subsectors.refuse(i, "{} segs from {} do not exist among {}", s.seg_count, s.first_seg,
                        map.segs.size());
    }
    map.subsectors.push_back(s);
  }
  const Records nodes(map, lumps, "NODES", 28);
  for (std::uint64_t i = 0; i < nodes.count(); ++i) {
    map.nodes.push_back({nodes.i16(i, 0),
                         nodes.i16(i, 2),
                         nodes.i16(i, 4),
                         nodes.i16(i, 6),
                         {read_child(nodes, i, 24, map.subsectors.size()),
                          read_child(nodes, i, 26, map.subsectors.size())}});
  }
}

/// The last marker of this name; throws when there is none.
std::uint64_t find_marker(const std::string& file, const std::vector<WadLump>& lumps,
                          const std::string& name) {
  std::string known;
  std::uint64_t marker = lumps.size();
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < lumps.size(); ++i) {
    if (!is_map_marker(lumps, i)) continue;
    if (lumps[i].name == name) marker = i;
    if (count++ < 64) known += (known.empty() ? "" : " ") + lumps[i].name;
  }
  if (marker == lumps.size()) {
    refuse(file, "no map {}; {}", in_quotes(name),
           count == 0 ? "it holds no maps" : "it holds " + known + (count > 64 ? " ..." : ""));
  }
  return marker;
}

}  // namespace

std::vector<std::string> doom_map_names(const std::string& file,
                                        std::span<const std::uint8_t> bytes) {
  const std::vector<WadLump> lumps = read_directory(file, bytes);
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < lumps.size(); ++i) {
    if (!is_map_marker(lumps, i)) continue;
    if (std::ranges::find(names, lumps[i].name) == names.end()) {
      names.push_back(lumps[i].name);
    }
  }
  return names;
}

DoomMap read_doom_map(const std::string& file, std::span<const std::uint8_t> bytes,
                      const std::string& map_name) {
  const std::vector<WadLump> all = read_directory(file, bytes);
  DoomMap map;
  map.file = file;
  map.name = in_capitals(map_name);
  const Lumps lumps = lumps_of_map(all, find_marker(file, all, map.name));
  for (const WadLump& lump : lumps) {
    if (lump.name == "BEHAVIOR" || lump.name == "TEXTMAP") {
      refuse(file, "map {} is in {} format; only Doom's own is read", map.name,
             lump.name == "TEXTMAP" ? "UDMF" : "Hexen's");
    }
  }
  read_points(map, lumps);
  read_lines(map, lumps);
  read_tree(map, lumps);
  for (const WadLump& lump : lumps) {
    if (lump.name == "REJECT") map.reject.assign(lump.bytes.begin(), lump.bytes.end());
  }
  return map;
}

}  // namespace sightline::io
