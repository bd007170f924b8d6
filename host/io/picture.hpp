// A map from above: viewpoints coloured by a share, with the footprints of all shapes.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/up_axis.hpp>

#include <string>
#include <vector>

namespace sightline::io {

using sightline::UpAxis;

/// What a map shows.
struct MapPicture {
  const Scene* scene = nullptr;
  PointsView points;
  std::vector<float> share;  ///< [points], 0 to 1
  std::string unit;          ///< of lengths, for the scale bar
  std::string caption;       ///< of the legend
  UpAxis up = UpAxis::z;
  int longest_side = 1600;  ///< of the map without legend, in pixels
};

/// Writes a PNG; whole or not at all. Points on a grid become squares of the grid's spacing, others
/// dots. Throws Error{io}.
void write_map_picture(const std::string& name, const MapPicture& picture);

}  // namespace sightline::io
