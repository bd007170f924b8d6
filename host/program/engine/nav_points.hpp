// Points over a navigation map's walkable floors, for the bakes that ask from places to stand.
#pragma once

#include "host/files/formats/points_file.hpp"

#include <sightline/nav.hpp>

namespace sightline::cli {

struct NavPointOptions {
  float eye = 1.6f;     ///< above the floor
  float spacing = 1;    ///< of the points along both axes of the grid, rounded to whole cells
  float area_side = 8;  ///< of the squares that areas are cut by, rounded to whole spacings
};

/// Points over every walkable floor, in the order of columns and from the lowest up. The area of
/// each is what a square of the grid holds of one region, numbered as they come.
io::Points nav_points(const NavMap& map, const NavPointOptions& options);

}  // namespace sightline::cli
