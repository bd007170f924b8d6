// Maps from above: what part of a scene they show, its walls, a scale, and the colors of all.
#pragma once

#include "host/files/pictures/canvas.hpp"
#include "host/files/pictures/footprint.hpp"
#include "host/files/pictures/legend.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace sightline::io {

inline constexpr Color paper{250, 250, 248}, ink{28, 28, 32}, faint{120, 120, 126};
inline constexpr int picture_margin = 40, picture_text = 2;
/// So that a legend and the scale fit side by side.
inline constexpr int least_map_width = 900;

/// The bounds of places on a map; empty at first.
struct MapBounds {
  MapPoint low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};

  bool is_empty() const { return !(low.x <= high.x && low.y <= high.y); }
  void add(const MapPoint& p);
  double longest() const;
  void grow(double by);
};

/// What a map of points shows: the points with their surroundings, as far as there are shapes; the
/// whole scene where there are no points. Never empty.
MapBounds shown_of(const Scene& scene, const MapBounds& points, UpAxis up);

/// Places to pixels.
struct MapView {
  MapBounds shown;
  double scale;  ///< pixels per unit
  int width, height;

  MapView(const MapBounds& bounds, int longest_side);
  Pixel operator()(const MapPoint& p) const;
  /// A canvas with room for the map, margins, and so many pixels for a legend below; drawing is cut
  /// to the map.
  Canvas canvas(int below) const;
  int canvas_width() const;
  double legend_top() const { return height + 2 * picture_margin; }
};

/// A point of a result, where and how it is drawn.
struct MapSpot {
  MapPoint at;
  double height = 0;
  Color color;
};

/// The bounds of the spots' places.
MapBounds bounds_of(const std::vector<MapSpot>& spots);
/// One spot for each finite point of a slice; `color_of(i)` is that of point i.
template <class F>
std::vector<MapSpot> spots_of(const PointsView& points, UpAxis up, const Slice& slice, F color_of) {
  std::vector<MapSpot> spots;
  for (std::uint64_t i = 0; i < points.count; ++i) {
    const Vec3 p = points.position[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) continue;
    const double height = up == UpAxis::z ? p.z : p.y;
    if (height < slice.low || height > slice.high) continue;
    spots.push_back({on_map(p, up), height, color_of(i)});
  }
  return spots;
}
/// Spots on a grid as squares of its spacing, others as dots; the highest above the others, as from
/// above the highest of several floors is seen.
void draw_spots(Canvas& canvas, const MapView& view, std::vector<MapSpot> spots);

/// The outlines of all shapes that reach into the map's slice, low ones fainter than walls and
/// floors fainter still, and its jumps as arcs.
void draw_scene(Canvas& canvas, const MapView& view, const SceneMap& map);

/// A bar of a round length with its unit, whose right end is at `right`.
void draw_scale(Canvas& canvas, double right, double y, const MapView& view,
                const std::string& unit);

/// A map whose colors are classes, with those of its jumps.
class ClassMap {
 public:
  ClassMap(const MapView& view, const SceneMap& map, std::vector<ColorClass> classes);

  Canvas canvas() const;
  /// Below the map, and the scale beside it; what is drawn later is not cut to the map.
  void draw_legend(Canvas& canvas) const;

 private:
  const MapView& view_;
  const SceneMap& map_;
  std::vector<ColorClass> classes_;
  double width_;
};

}  // namespace sightline::io
