// Import of a Doom-format WAD map: solid walls as shapes, viewpoints over every walkable floor.
#pragma once

#include "host/files/import/doom/level.hpp"

#include <sightline/scene.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sightline::io {

/// What was found; walls == one_sided + lower_steps + upper_steps == aabbs + obbs.
struct DoomCounts {
  std::uint64_t linedefs = 0;
  std::uint64_t sectors = 0;
  std::uint64_t things = 0;
  std::uint64_t walls = 0;
  std::uint64_t one_sided = 0;
  std::uint64_t lower_steps = 0;
  std::uint64_t upper_steps = 0;
  std::uint64_t axis_parallel = 0;      ///< walls that became flat AABBs
  std::uint64_t oblique = 0;            ///< walls that became flat OBBs
  std::uint64_t zero_length_lines = 0;  ///< skipped: both ends on the same spot
  std::uint64_t zero_height_walls = 0;  ///< skipped: drawn one-sided walls of closed sectors
  std::uint64_t floors = 0;             ///< boxes of floors and ceilings, beside the walls
  std::uint64_t viewpoints = 0;
  std::uint64_t points_in_several_sectors = 0;  ///< grid points left out: the lines contradict
  std::uint64_t nodes_disagree = 0;  ///< viewpoints that the map's BSP puts in another sector
};

/// A map in map units, x and y as in the map, z up. Each wall is labelled with its linedef and
/// grouped by the sector on the line's front (right) side; see docs/howto/import.md.
struct DoomImport {
  std::string map;
  std::string unit = "doom map unit";
  std::string up = "z";
  Scene scene;
  std::vector<Vec3> viewpoints;                 ///< row by row: by y, then x
  std::vector<std::uint32_t> viewpoint_sector;  ///< [viewpoints], the sector each one stands in
  DoomCounts counts;
};

/// Names of the maps in a WAD file, in file order.
/// Throws Error{io} when it cannot be read, Error{bad_input} naming the file and the reason.
std::vector<std::string> doom_maps(const std::filesystem::path& path);

/// Reads one map (name in any case) and places viewpoints on a grid of `grid` map units (1 to
/// 4096), at the same places whatever the walls' reach (level.hpp); with `floor_cell` (1 to
/// 4096) also floors and ceilings: see level.hpp. Throws Error{io, bad_input} naming file,
/// lump, index and reason; Error{usage} for a bad grid; a map that is not in the file is
/// Error{bad_input} that lists those that are.
DoomImport import_doom(const std::filesystem::path& path, const std::string& map,
                       std::uint32_t grid = 64,
                       std::optional<std::uint32_t> floor_cell = std::nullopt,
                       DoomReach reach = DoomReach::closed);

}  // namespace sightline::io
