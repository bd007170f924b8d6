// Maps from above, with the footprints of all shapes: points coloured by a number, or by whether
// one viewpoint sees them.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/nav.hpp>

#include <string>
#include <vector>

namespace sightline::io {

using sightline::UpAxis;

/// How numbers are told: times a factor, with a unit behind each.
struct Quantity {
  std::string unit = "%";  ///< of shares, which end at 1; or such as " m"
  double factor = 100;
};

/// Which heights a map shows: points within, and shapes that reach into it.
struct Slice {
  double low = -infinity, high = infinity;
};

/// What all maps of a scene show.
struct SceneMap {
  const Scene* scene = nullptr;
  std::string unit;     ///< of lengths, for the scale bar
  std::string caption;  ///< of the legend
  UpAxis up = UpAxis::z;
  int longest_side = 1600;  ///< of the map without legend, in pixels
  Slice slice;
  std::vector<bool> floors;         ///< [shapes] or empty: what points stand over, drawn faintly
  const NavJumps* jumps = nullptr;  ///< drawn as arcs
};

/// Points by a number.
struct MapPicture : SceneMap {
  PointsView points;
  std::vector<float> share;  ///< [points], 0 to 1, or what the quantity is; NaN: failed
  Quantity quantity;
};

/// What one viewpoint sees.
struct RowPicture : SceneMap {
  PointsView targets;
  std::vector<std::uint64_t> bits;  ///< [ceil(targets / 64)], as a row of visibility
  Vec3 viewpoint;                   ///< finite
};

/// Writes a PNG; whole or not at all. Points on a grid become squares of the grid's spacing, others
/// dots. Throws Error{io}.
void write_map_picture(const std::string& name, const MapPicture& picture);
/// The same with targets in green where they are seen, red where not, and the viewpoint marked.
void write_row_picture(const std::string& name, const RowPicture& picture);

}  // namespace sightline::io
