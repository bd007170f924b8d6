// Maps from above: what part of a scene they show, its walls, a scale, and the colors of all.
#pragma once

#include "host/files/pictures/footprint.hpp"
#include "host/files/pictures/legend.hpp"

#include <sightline/intersect/line.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace sightline::io {

/// The bounds of places on a map; empty at first.
struct MapBounds {
  MapPoint low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};

  bool is_empty() const { return !(low.x <= high.x && low.y <= high.y); }
  void add(const MapPoint& p);
  double longest() const { return std::max(high.x - low.x, high.y - low.y); }
  void grow(double by);
};

/// Places to pixels.
struct MapView {
  MapBounds shown;
  double scale;  ///< pixels per unit
  int width, height;
  double longest_whole = 0;  ///< in units: longer shapes, such as the ground, may be cut

  MapView(const MapBounds& bounds, int longest_side);
  Pixel operator()(const MapPoint& p) const;
  std::vector<Pixel> operator()(const std::vector<MapPoint>& outline) const;
};

/// What a map of points shows: the points with their surroundings, as far as there are shapes, and
/// the whole of the shapes among them that are no longer than that; the whole scene where there are
/// no points. Never empty.
MapView view_of(const SceneMap& map, const MapBounds& points);

/// A point of a result, where and how it is drawn.
struct MapSpot {
  MapPoint at;
  double height = 0;
  Color color;
};

/// 0 of none.
double median(std::vector<double> values);

MapBounds bounds_of(const std::vector<MapSpot>& spots);
/// One spot for each finite point of a slice; `color_of(i)` is that of point i.
template <class F>
std::vector<MapSpot> spots_of(const PointsView& points, UpAxis up, const Slice& slice, F color_of) {
  std::vector<MapSpot> spots;
  for (std::uint64_t i = 0; i < points.count; ++i) {
    const Vec3 p = points.position[i];
    if (!is_finite(p)) continue;
    const double height = height_of(p, up);
    if (!slice.holds(height)) continue;
    spots.push_back({on_map(p, up), height, color_of(i)});
  }
  return spots;
}
void fill_cell(Canvas& canvas, const MapView& view, const MapPoint& middle, double side,
               Color color);
/// Spots on a grid as squares of its spacing, others as dots; the highest above the others, as from
/// above the highest of several floors is seen.
void draw_spots(Canvas& canvas, const MapView& view, std::vector<MapSpot> spots);

/// Adds what few maps have: points in shapes, and places of a grid of points that are left white.
void add_rare_classes(std::vector<ColorClass>& classes, std::uint64_t inside, const MapView& view,
                      const std::vector<MapSpot>& spots);

/// The outlines of all shapes that reach into the map's slice, low ones fainter than walls and
/// floors fainter still, and its jumps as arcs; none where boxes of the same heights touch, or of
/// short shapes that the map's edge would cut. Shapes other than floors that are at the height
/// `filled_at` are filled as well, with what is below shining through.
void draw_scene(Canvas& canvas, const MapView& view, const SceneMap& map, double filled_at = NAN);

/// A ring with a cross, to be found among many spots.
void draw_ring(Canvas& canvas, Pixel at);

/// An arrow with its tip at `to`, on a light ground.
void draw_arrow(Canvas& canvas, Pixel from, Pixel to, Color color);

/// Those of the places that come no nearer to one before them than `distance` pixels: their
/// numbers, ascending. Places that are far outside of any picture are left out.
std::vector<std::uint64_t> thinned(const std::vector<Pixel>& places, double distance);

inline constexpr Color jump_blue{20, 60, 160}, drop_red{150, 20, 20};
/// A bow from start to landing with a dot where one lands, for jumps with an end in the slice; of
/// several side by side the first.
void draw_jumps(Canvas& canvas, const MapView& view, const NavJumps& jumps, UpAxis up,
                const Slice& slice = {});

/// Writes what `draw` draws, cut to the map; a legend below it, with the jumps if there are any;
/// and a scale. Throws Error{io}.
void write_map(const std::string& name, const MapView& view, const SceneMap& map, Legend legend,
               const std::function<void(Canvas&)>& draw);

}  // namespace sightline::io
