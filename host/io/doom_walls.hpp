// The solid walls of a Doom map, and the shapes they become.
#pragma once

#include "host/io/doom_wad.hpp"

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
  std::uint64_t zero_height_walls = 0;  ///< skipped: one-sided walls of closed sectors
};

/// The walls that block sight between any two points which lie above the floor and below the
/// ceiling of the sectors they are in.
///
/// No floors or ceilings are needed for that. Inside one sector a segment whose ends lie between
/// floor and ceiling stays between them. So it can leave that space only where it crosses a line,
/// and there at a height within the near sector's span: either within the far sector's span too
/// (the opening: it goes on, still between floor and ceiling), or below the far floor (on the lower
/// step) or above the far ceiling (on the upper step).
DoomWalls doom_walls(const DoomMap& map);

/// Adds the wall: a flat Aabb when the line is parallel to an axis (such walls join exactly), else
/// a flat Obb that is 1/256 unit longer at both ends, so that the rounding of its axes opens no gap
/// to its neighbours. Labelled with the line, grouped by the front sector (the back one where only
/// that exists). Returns its kind.
Kind add_wall(Scene& scene, const DoomMap& map, const DoomWall& wall);

}  // namespace sightline::io
