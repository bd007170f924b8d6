// Where a player can stand in a Doom map: points on a grid, at eye height, over walkable floors.
#pragma once

#include "host/files/import/doom/walls.hpp"

namespace sightline::io {

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
