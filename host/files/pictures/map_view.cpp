#include "host/files/pictures/map_view.hpp"

#include "host/files/pictures/marks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::io {
namespace {

double height_of(const Aabb& b, UpAxis up) {
  return up == UpAxis::z ? double{b.max.z} - b.min.z : double{b.max.y} - b.min.y;
}

/// Low steps are drawn fainter than walls: what counts is a shape's height.
double weight_of(const Aabb& bounds, UpAxis up, double typical) {
  return typical > 0 ? std::clamp(height_of(bounds, up) / typical, 0.25, 1.0) : 1;
}

double median_height(const ShapesView& shapes, UpAxis up) {
  std::vector<double> heights;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    heights.push_back(height_of(shapes.bounds[id], up));
  }
  if (heights.empty()) return 0;
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

/// 1, 2 or 5 times a power of ten, at most `value`.
double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  const double digit = value / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

struct Scale {
  double bar, width;  ///< pixels, the second with the label
  std::string label;
};
Scale scale_of(const MapView& view, const std::string& unit) {
  const double length = round_down(0.25 * view.width / view.scale);
  const std::string label = fmt::format("{:.6g} {}{}", length, unit, unit.size() > 2 ? "s" : "");
  const double bar = length * view.scale;
  return {bar, std::max(bar, double(text_width(picture_text, label))), label};
}

}  // namespace

void MapBounds::add(const MapPoint& p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y)};
}

double MapBounds::longest() const { return std::max(high.x - low.x, high.y - low.y); }

void MapBounds::grow(double by) {
  low = {low.x - by, low.y - by};
  high = {high.x + by, high.y + by};
}

MapBounds shown_of(const Scene& scene, const MapBounds& points, UpAxis up) {
  MapBounds all;
  const Aabb bounds = scene.bounds();
  if (bounds.min.x <= bounds.max.x) {
    all.add(on_map(bounds.min, up));
    all.add(on_map(bounds.max, up));
  }
  MapBounds shown = all;
  if (!points.is_empty()) {
    all.add(points.low);
    all.add(points.high);
    shown = points;
    shown.grow(0.1 * points.longest());
    shown.low = {std::max(shown.low.x, all.low.x), std::max(shown.low.y, all.low.y)};
    shown.high = {std::min(shown.high.x, all.high.x), std::min(shown.high.y, all.high.y)};
  }
  if (shown.is_empty()) shown = {{0, 0}, {1, 1}};
  // Far away a unit is less than what numbers there differ by.
  const double far = std::max({std::abs(shown.low.x), std::abs(shown.low.y), std::abs(shown.high.x),
                               std::abs(shown.high.y)});
  if (!(shown.longest() > 1e-12 * far)) shown.grow(std::max(1.0, 1e-9 * far));
  return shown;
}

MapView::MapView(const MapBounds& bounds, int longest_side)
    : shown(bounds), scale(longest_side / bounds.longest()) {
  width = std::max(1, static_cast<int>(std::ceil((shown.high.x - shown.low.x) * scale)));
  height = std::max(1, static_cast<int>(std::ceil((shown.high.y - shown.low.y) * scale)));
}

Pixel MapView::operator()(const MapPoint& p) const {
  return {picture_margin + (p.x - shown.low.x) * scale,
          picture_margin + (shown.high.y - p.y) * scale};
}

int MapView::canvas_width() const { return std::max(width + 2 * picture_margin, least_map_width); }

Canvas MapView::canvas(int below) const {
  Canvas canvas(canvas_width(), height + 2 * picture_margin + below, paper);
  canvas.clip.bottom = height + 2 * picture_margin;
  return canvas;
}

MapBounds bounds_of(const std::vector<MapSpot>& spots) {
  MapBounds bounds;
  for (const MapSpot& spot : spots) bounds.add(spot.at);
  return bounds;
}

void draw_spots(Canvas& canvas, const MapView& view, std::vector<MapSpot> spots) {
  std::stable_sort(spots.begin(), spots.end(),
                   [](const MapSpot& a, const MapSpot& b) { return a.height < b.height; });
  std::vector<MapPoint> places;
  for (const MapSpot& spot : spots) places.push_back(spot.at);
  const std::optional<double> spacing = grid_spacing(places);
  const bool cells = spacing && *spacing * view.scale >= 1.5;
  for (const MapSpot& spot : spots) {
    if (cells) {
      const double half = *spacing / 2;
      fill_rectangle(canvas, view({spot.at.x - half, spot.at.y + half}),
                     view({spot.at.x + half, spot.at.y - half}), spot.color);
    } else {
      fill_disc(canvas, view(spot.at), 3, spot.color);
    }
  }
}

void draw_scene(Canvas& canvas, const MapView& view, const SceneMap& map) {
  const ShapesView shapes = map.scene->view();
  const UpAxis up = map.up;
  const double typical = median_height(shapes, up);
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const Aabb& b = shapes.bounds[id];
    const bool z_up = up == UpAxis::z;
    if ((z_up ? b.max.z : b.max.y) < map.slice.low) continue;
    if ((z_up ? b.min.z : b.min.y) > map.slice.high) continue;
    const std::vector<MapPoint> outline = footprint(shapes, id, up);
    const bool is_floor = id < map.floors.size() && map.floors[id];
    const double weight = is_floor ? 0.1 : weight_of(shapes.bounds[id], up, typical);
    const std::size_t lines = outline.size() == 2 ? 1 : outline.size();
    for (std::size_t k = 0; k < lines; ++k) {
      draw_line(canvas, view(outline[k]), view(outline[(k + 1) % outline.size()]), 1 + 1.2 * weight,
                ink, weight);
    }
  }
  if (map.jumps != nullptr) draw_jumps(canvas, view, *map.jumps, up, map.slice);
}

void draw_scale(Canvas& canvas, double right, double y, const MapView& view,
                const std::string& unit) {
  const Scale scale = scale_of(view, unit);
  const double left = right - scale.width;
  draw_text(canvas, {left, y}, picture_text, scale.label, ink);
  const double bar = y + 37;
  draw_line(canvas, {left, bar}, {left + scale.bar, bar}, 3, ink);
  for (const double x : {left, left + scale.bar})
    draw_line(canvas, {x, bar - 7}, {x, bar + 7}, 2, ink);
}

ClassMap::ClassMap(const MapView& view, const SceneMap& map, std::vector<ColorClass> classes)
    : view_(view), map_(map), classes_(std::move(classes)) {
  if (map.jumps != nullptr) {
    for (const ColorClass& one : jump_classes()) classes_.push_back(one);
  }
  width_ = view.canvas_width() - 3 * picture_margin - scale_of(view, map.unit).width;
}

Canvas ClassMap::canvas() const { return view_.canvas(class_legend_height(width_, classes_)); }

void ClassMap::draw_legend(Canvas& canvas) const {
  canvas.clip.bottom = canvas.height;
  draw_scale(canvas, canvas.width - picture_margin, view_.legend_top(), view_, map_.unit);
  draw_class_legend(canvas, {picture_margin, view_.legend_top()}, width_, map_.caption, classes_);
}

}  // namespace sightline::io
