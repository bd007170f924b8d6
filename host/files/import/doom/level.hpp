// What becomes of a Doom map: its walls and floors as shapes, and where a player can stand.
#pragma once

#include "host/files/import/doom/wad.hpp"

#include <sightline/scene.hpp>

namespace sightline::io {

enum class DoomWallKind : std::uint8_t { one_sided, lower_step, upper_step };

/// A vertical rectangle over a line from z_low to z_high, z_low < z_high.
struct DoomWall {
  std::uint32_t line;
  std::int32_t z_low, z_high;
  DoomWallKind kind;
};

struct DoomWalls {
  std::vector<DoomWall> walls;          ///< by line; of one line, the lower step first
  std::uint64_t zero_length_lines = 0;  ///< skipped
  std::uint64_t zero_height_walls = 0;  ///< skipped: drawn one-sided walls of closed sectors
};

/// How far walls reach up and down.
///
/// `closed`: on into what is solid, down to the map's lowest floor and up to its highest ceiling,
/// at every line with another sector on its other side. These block sight between points above the
/// floors and below the ceilings of their sectors exactly as the map does, floors and ceilings
/// included. For where the segment crosses a line it must pass between the higher floor and the
/// lower ceiling of both sides; so in every sector both ends of its part lie between floor and
/// ceiling, and with them the whole part.
///
/// `drawn`: as one sees them in the map, one-sided lines from floor to ceiling, and the steps. They
/// leave floors and ceilings open: a segment may sink through a floor and pass below the walls.
enum class DoomReach : std::uint8_t { closed, drawn };

DoomWalls doom_walls(const DoomMap& map, DoomReach reach);

/// Adds the wall: a flat Aabb when the line is parallel to an axis (such walls join exactly), else
/// a flat Obb that is 1/256 unit longer at both ends, so that the rounding of its axes opens no gap
/// to its neighbours. Labelled with the line, grouped by the front sector (the back one where only
/// that exists). Returns its kind.
Kind add_wall(Scene& scene, const DoomMap& map, const DoomWall& wall);

/// Adds two boxes for each rectangle of cells of `cell` map units whose middles lie in one sector:
/// what is below its floor, down to 64 units below the lowest one, and what is above its ceiling,
/// up to 64 units above the highest. Labelled with 2^32 + the sector, grouped by the sector.
/// Returns the number of boxes. Throws Error{usage} when there are more than 2^24.
std::uint64_t add_floors(Scene& scene, const DoomMap& map, std::uint32_t cell);

// Doom's player, in map units.
inline constexpr std::int32_t doom_eye_height = 41;
inline constexpr std::int32_t doom_player_height = 56;
inline constexpr std::int32_t doom_player_radius = 16;
inline constexpr std::int32_t doom_step_height = 24;

struct DoomViewpoints {
  std::vector<Vec3> points;              ///< row by row: by y, then x
  std::vector<std::uint32_t> sectors;    ///< [points]
  std::uint64_t in_several_sectors = 0;  ///< grid points left out: the map's lines contradict
  std::uint64_t nodes_disagree = 0;  ///< points 2 units from all lines that the BSP puts elsewhere
};

/// Points ((i + 1/2) grid, (j + 1/2) grid) for all integers i, j that lie in a sector at least as
/// high as a player, with no wall nearer than the player's radius at the heights between a step
/// and the player's head. All tests are exact in integers. So no point touches a wall: the eye is
/// at such a height. The walls are those drawn. Throws Error{usage} when there are more than 2^26.
DoomViewpoints doom_viewpoints(const DoomMap& map, const std::vector<DoomWall>& walls,
                               std::uint32_t grid);

}  // namespace sightline::io
