// The floors and ceilings of a Doom map as boxes, as coarse as a grid.
#pragma once

#include "host/files/import/doom/wad.hpp"

#include <sightline/scene.hpp>

namespace sightline::io {

/// Adds two boxes for each rectangle of cells of `cell` map units whose middles lie in one sector:
/// what is below its floor, down to 64 units below the lowest one, and what is above its ceiling,
/// up to 64 units above the highest. Labelled with 2^32 + the sector, grouped by the sector.
/// Returns the number of boxes. Throws Error{usage} when there are more than 2^24.
std::uint64_t add_floors(Scene& scene, const DoomMap& map, std::uint32_t cell);

}  // namespace sightline::io
