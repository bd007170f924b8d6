// Maps from above: what part of a scene they show, its walls, a scale, and the colors of all.
#pragma once

#include "host/files/pictures/footprint.hpp"
#include "host/files/pictures/legend.hpp"

#include <sightline/geometry/intersect/line.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

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
/// the whole of the shapes among them that are no longer than that; of a scene of few shapes also
/// those beside them. The whole scene where there are no points. Never empty.
MapView view_of(const SceneMap& map, const MapBounds& points);

/// A point of a result, where and how it is drawn.
struct MapSpot {
  MapPoint at;
  double height = 0;
  Color color;
  std::uint64_t point = 0;
};

/// At most so many points, or areas, have their numbers beside them.
inline bool are_few(std::size_t points) { return points > 0 && points <= 40; }
/// Of a scene of so few shapes every shape counts: all that are near the points are shown, and none
/// of them faintly.
inline bool has_few_shapes(const ShapesView& shapes) { return shapes.bounded() <= 64; }

/// 0 of none.
double median(std::vector<double> values);

MapBounds bounds_of(const std::vector<MapSpot>& spots);
/// One spot for each finite point of a slice; `color_of(i)` is that of point i.
template <class F>
std::vector<MapSpot> spots_of(const PointsView& points, UpAxis up, const Slice& slice, F color_of) {
  std::vector<MapSpot> spots;
  for (std::uint64_t i = 0; i < points.size(); ++i) {
    const Vec3 p = points.position[i];
    if (!is_finite(p)) continue;
    const double height = height_of(p, up);
    if (!slice.holds(height)) continue;
    spots.push_back({on_map(p, up), height, color_of(i), i});
  }
  return spots;
}
void fill_cell(Canvas& canvas, const MapView& view, const MapPoint& middle, double side,
               Color color);
/// Spots on a grid as squares of its spacing, others as dots with a rim; the highest above the
/// others, as from above the highest of several floors is seen.
void draw_spots(Canvas& canvas, const MapView& view, std::vector<MapSpot> spots);

/// A number to be drawn at a place.
struct MapNumber {
  Pixel at;
  std::uint64_t number = 0;
};
/// Numbers over their places, or where dots reach `away` pixels from these beside them; a number
/// for which nothing is free is left out. `ring`: where draw_ring was.
void draw_numbers(Canvas& canvas, const std::vector<MapNumber>& numbers, double away,
                  std::optional<Pixel> ring = std::nullopt);
/// The numbers of the spots' points, where these are few; at least `away` pixels beside what is
/// drawn over the spots.
void draw_numbers(Canvas& canvas, const MapView& view, const std::vector<MapSpot>& spots,
                  std::optional<Pixel> ring = std::nullopt, double away = 0);

/// How many spots lie under others, which are higher by more than a thousandth of the map's side.
std::uint64_t hidden_spots(const MapView& view, const std::vector<MapSpot>& spots);

/// A class and its count, unless that is 0.
void add_counted(std::vector<ColorClass>& classes, Color color, std::string_view words,
                 std::uint64_t count);
inline constexpr std::string_view inside_words = "in or on a shape";
/// That places of a grid of points are left white, if any are.
void add_gaps(std::vector<ColorClass>& classes, const MapView& view,
              const std::vector<MapSpot>& spots);
/// What the numbers are, if there are any of so many points (or areas: what `one` is), and that
/// higher floors hide some.
void add_sentences(std::vector<ColorClass>& classes, std::string_view one, std::uint64_t numbered,
                   std::uint64_t hidden);

/// The outlines of all shapes that reach into the map's slice, low ones fainter than walls and
/// floors fainter still (where shapes are few, only a little), and its jumps as arcs; none where
/// boxes of the same heights touch, or of short shapes that the map's edge would cut. Shapes other
/// than floors that are at the height `filled_at` are filled as well, with what is below shining
/// through.
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

/// 1, 2 or 5 times a power of ten, at most `value`.
double round_down(double value);
/// Round numbers along an edge of a map, and what is written at them.
struct MapTicks {
  std::vector<double> numbers;
  std::vector<std::string> labels;
};
/// Those from `low` to `high` at so many pixels per unit; `told` -1: written are their negatives.
MapTicks map_ticks(double low, double high, double scale, int told);
/// The coordinates of the map along its left and lower edge: ticks at round numbers.
void draw_coordinates(Canvas& canvas, const MapView& view, UpAxis up, const std::string& unit);

/// Words about shapes of the slice that the map has no outline of; "" where there are none. Where
/// shapes are many, those elsewhere need no words.
std::string not_drawn(const MapView& view, const SceneMap& map);

/// Writes what `draw` draws, cut to the map, with coordinates along its edges; a legend below it,
/// with the jumps if there are any; and a scale. Throws Error{io}.
void write_map(const std::string& name, const MapView& view, const SceneMap& map, Legend legend,
               const std::function<void(Canvas&)>& draw);

}  // namespace sightline::io
