// Cover from above, as arrows.
#pragma once

#include "host/files/pictures/picture.hpp"

#include <sightline/cover.hpp>

namespace sightline::io {

struct CoverPicture : SceneMap {
  PointsView points;
  CoverView cover;  ///< [points] of each column
  std::uint32_t directions = 32;
};

/// Writes a PNG: points by the cover that they have, and arrows towards the nearest cover, with a
/// tick on each side to which one can lean out; where arrows would run into one another, those for
/// standing and then those of nearer cover are drawn. Whole or not at all. Throws Error{io}.
void write_cover_picture(const std::string& name, const CoverPicture& picture);

}  // namespace sightline::io
