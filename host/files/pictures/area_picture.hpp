// Areas from above, by how much of each one area sees.
#pragma once

#include "host/files/pictures/picture.hpp"

#include <sightline/areas.hpp>

namespace sightline::io {

struct AreaPicture : SceneMap {
  std::vector<AreaClass> classes;      ///< [A]
  std::vector<std::uint32_t> samples;  ///< [A]: of an area without any nothing is known
  std::uint64_t from = 0;              ///< the area that looks, below A
  PointsView points;                   ///< of the areas
  std::vector<std::uint32_t> area;     ///< [points]: of which each is; areas below A
  const Areas* polygons = nullptr;     ///< [A], drawn instead of their points where they are known
};

/// Writes a PNG: areas fully seen in green, partly in amber, not in red, and those without samples
/// in blue; the one that looks is marked. Whole or not at all. Throws Error{io}.
void write_area_picture(const std::string& name, const AreaPicture& picture);

}  // namespace sightline::io
