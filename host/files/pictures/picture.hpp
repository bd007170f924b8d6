// Pictures of results: maps from above, with the footprints of all shapes.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/cover.hpp>
#include <sightline/nav.hpp>
#include <sightline/visibility.hpp>

#include <string>
#include <vector>

namespace sightline::io {

using sightline::UpAxis;

/// How numbers are told: times a factor, the unit once.
struct Quantity {
  std::string unit = "%";  ///< of shares; or such as "m"
  double factor = 100;
};

/// Which heights a map shows: points within, and shapes that reach into it.
struct Slice {
  double low = -infinity, high = infinity;

  bool holds(double height) const { return height >= low && height <= high; }
  bool meets(const Slice& heights) const { return heights.high >= low && heights.low <= high; }
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
  std::vector<bool> inside;         ///< [points] or empty: in or on a shape, drawn grey
  const NavJumps* jumps = nullptr;  ///< drawn as arcs

  bool is_inside(std::uint64_t point) const { return point < inside.size() && inside[point]; }
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
/// dots. Returns how many points higher ones hide. Throws Error{io}.
std::uint64_t write_map_picture(const std::string& name, const MapPicture& picture);
/// The same with targets in green where they are seen, red where not, and the viewpoint marked.
std::uint64_t write_row_picture(const std::string& name, const RowPicture& picture);

struct AreaPicture : SceneMap {
  std::vector<AreaClass> classes;      ///< [A]
  std::vector<std::uint32_t> samples;  ///< [A]: of an area without any nothing is known
  std::uint64_t from = 0;              ///< the area that looks, below A
  PointsView points;                   ///< of the areas
  std::vector<std::uint32_t> area;     ///< [points]: of which each is; areas below A
  const Areas* polygons = nullptr;     ///< [A], drawn instead of their points where they are known
};

/// Writes a PNG: areas fully seen in green, partly in amber, not in red, and those without samples
/// in blue; the one that looks is marked. Whole or not at all. Returns how many points higher ones
/// hide. Throws Error{io}.
std::uint64_t write_area_picture(const std::string& name, const AreaPicture& picture);

struct CoverPicture : SceneMap {
  PointsView points;
  CoverView cover;  ///< [points] of each column
  std::uint32_t directions = 32;
};

/// Writes a PNG: points by the cover that they have, and arrows towards the nearest cover, with a
/// tick on each side to which one can lean out; where arrows would run into one another, those for
/// standing and then those of nearer cover are drawn. Whole or not at all. Returns how many points
/// higher ones hide. Throws Error{io}.
std::uint64_t write_cover_picture(const std::string& name, const CoverPicture& picture);

/// Writes a PNG: every column by its highest walkable floor, in the colour of its region, or else
/// by why nobody can walk there; of floors within the slice. Whole or not at all. `unit` is of
/// lengths. Returns in how many columns a walkable floor hides another. Throws Error{io}.
std::uint64_t write_nav_picture(const std::string& name, const NavMap& map, const Scene& scene,
                                const std::string& unit, const Slice& slice = {});
/// The memory that it takes beside the map: pixels, and what is known of each span.
inline std::uint64_t nav_picture_bytes(const NavMap& map) {
  return (std::uint64_t{48} << 20) + 9 * map.spans();
}

}  // namespace sightline::io
