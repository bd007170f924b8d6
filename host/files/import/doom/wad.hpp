// Reading of Doom-format WAD files: the directory, and the lumps of one map, every index checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sightline::io {

/// No sidedef, no sector.
inline constexpr std::uint32_t doom_none = 0xFFFFFFFFu;

struct DoomVertex {
  std::int32_t x, y;
};
/// A line from `start` to `end`; its front side is on the right. At least one side has a sector.
struct DoomLine {
  std::uint32_t start, end;                 ///< vertices
  std::uint32_t front_sector, back_sector;  ///< or doom_none
};
struct DoomSector {
  std::int32_t floor, ceiling;
};
struct DoomThing {
  std::int32_t x, y;
  std::uint32_t type;
};
/// A piece of a line, along it (side 0) or against it (side 1).
struct DoomSeg {
  std::uint32_t line, side;
};
struct DoomSubsector {
  std::uint32_t first_seg, seg_count;
};
/// A partition line and what lies on its right (0) and left (1): a node, or a subsector when the
/// bit doom_subsector is set.
struct DoomNode {
  std::int32_t x, y, dx, dy;
  std::uint32_t child[2];
};
inline constexpr std::uint32_t doom_subsector = 0x8000u;

/// One map. All indices are within bounds, but heights may be in any order and nodes may loop.
struct DoomMap {
  std::string file, name;  ///< for messages
  std::vector<DoomThing> things;
  std::vector<DoomVertex> vertices;
  std::vector<DoomLine> lines;
  std::vector<DoomSector> sectors;
  std::vector<DoomSeg> segs;
  std::vector<DoomSubsector> subsectors;  ///< empty when the file has no nodes, or extended ones
  std::vector<DoomNode> nodes;
  std::vector<std::uint8_t> reject;  ///< bit a * sectors + b; may be short: then not rejected
};

/// Names of the maps in the bytes of a WAD file, in file order, a name that repeats once.
/// Throws Error{bad_input} naming the file and the reason.
std::vector<std::string> doom_map_names(const std::string& file,
                                        std::span<const std::uint8_t> bytes);

/// The map of this name (in any case; the last one when there are several).
/// Throws Error{bad_input} naming the file, lump, index and reason. Memory: a few times the file's.
DoomMap read_doom_map(const std::string& file, std::span<const std::uint8_t> bytes,
                      const std::string& map);

}  // namespace sightline::io
