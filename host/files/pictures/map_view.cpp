#include "host/files/pictures/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sightline::io {
namespace {

bool is_in_slice(const Aabb& b, const SceneMap& map) {
  return map.slice.meets(heights_of(b, map.up));
}

MapBounds bounds_on_map(const Aabb& b, UpAxis up) {
  MapBounds bounds;
  bounds.add(on_map(b.min, up));
  bounds.add(on_map(b.max, up));
  return bounds;
}

bool touch(const MapBounds& a, const MapBounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

bool contains(const MapBounds& a, const MapBounds& b) {
  return a.low.x <= b.low.x && a.low.y <= b.low.y && b.high.x <= a.high.x && b.high.y <= a.high.y;
}

double median_height(const ShapesView& shapes, UpAxis up) {
  std::vector<double> heights;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const Slice h = heights_of(shapes.bounds[id], up);
    heights.push_back(h.high - h.low);
  }
  return median(std::move(heights));
}

/// The side of the squares as which spots on a grid are drawn; nothing where they are dots: small
/// squares are not seen where few of the grid's places have one.
std::optional<double> cell_of(const MapView& view, const std::vector<MapSpot>& spots) {
  std::vector<MapPoint> places;
  for (const MapSpot& spot : spots) places.push_back(spot.at);
  const std::optional<double> spacing = grid_spacing(places);
  if (!spacing || *spacing * view.scale < 1.5) return std::nullopt;
  const MapBounds b = bounds_of(spots);
  const double all = (1 + (b.high.x - b.low.x) / *spacing) * (1 + (b.high.y - b.low.y) / *spacing);
  const bool is_dense = 4 * static_cast<double>(spots.size()) >= all;
  return is_dense || *spacing * view.scale >= 6 ? spacing : std::nullopt;
}

/// Whether a place of the spots' grid, within their bounds, has no spot.
bool has_gaps(const MapView& view, const std::vector<MapSpot>& spots) {
  const std::optional<double> cell = cell_of(view, spots);
  if (!cell) return false;
  const MapBounds bounds = bounds_of(spots);
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  const auto number = [&](double from, double to) { return std::llround((to - from) / *cell); };
  for (const MapSpot& spot : spots) {
    places.emplace(number(bounds.low.x, spot.at.x), number(bounds.low.y, spot.at.y));
  }
  const double all = double(number(bounds.low.x, bounds.high.x) + 1) *
                     double(number(bounds.low.y, bounds.high.y) + 1);
  return static_cast<double>(places.size()) < all;
}

/// 1, 2 or 5 times a power of ten, at most `value`.
double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  const double digit = value / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/// A bar of a round length with its unit.
struct ScaleBar {
  double bar, width;  ///< pixels, the second with the label
  std::string label;

  ScaleBar(const MapView& view, const std::string& unit) {
    const double length = round_down(0.25 * view.width / view.scale);
    label = with_unit(length, unit);
    bar = length * view.scale;
    width = std::max(bar, text_width(label));
  }
  void draw(Canvas& canvas, Pixel at) const {
    draw_text(canvas, at, label, ink);
    at.y += 37;
    draw_line(canvas, at, {at.x + bar, at.y}, 3, ink);
    for (const double x : {at.x, at.x + bar}) {
      draw_line(canvas, {x, at.y - 7}, {x, at.y + 7}, 2, ink);
    }
  }
};

/// Nearer arcs than so many pixels run into one another.
constexpr double between_jumps = 9;

/// False also of what is not a number.
bool is_drawable(const Pixel& p) { return std::abs(p.x) < 1e9 && std::abs(p.y) < 1e9; }

void draw_bow(Canvas& canvas, Pixel a, Pixel b, Color color) {
  constexpr int pieces = 8;
  const auto at = [&](int piece) {
    const double s = double{1} * piece / pieces, bend = 0.8 * s * (1 - s);
    return Pixel{a.x + (b.x - a.x) * s - (b.y - a.y) * bend,
                 a.y + (b.y - a.y) * s + (b.x - a.x) * bend};
  };
  for (int s = 0; s < pieces; ++s) draw_line(canvas, at(s), at(s + 1), 1.5, color);
  fill_disc(canvas, b, 2.5, color);
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void MapBounds::add(const MapPoint& p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y)};
}

void MapBounds::grow(double by) {
  low = {low.x - by, low.y - by};
  high = {high.x + by, high.y + by};
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

std::vector<Pixel> MapView::operator()(const std::vector<MapPoint>& outline) const {
  std::vector<Pixel> pixels;
  for (const MapPoint& p : outline) pixels.push_back((*this)(p));
  return pixels;
}

MapView view_of(const SceneMap& map, const MapBounds& points) {
  const ShapesView shapes = map.scene->view();
  const Aabb bounds = map.scene->bounds();
  MapBounds all;
  if (bounds.min.x <= bounds.max.x) all = bounds_on_map(bounds, map.up);
  MapBounds shown = all;
  double longest = 0;
  if (!points.is_empty()) {
    all.add(points.low);
    all.add(points.high);
    shown = points;
    shown.grow(0.1 * points.longest());
    shown.low = {std::max(shown.low.x, all.low.x), std::max(shown.low.y, all.low.y)};
    shown.high = {std::min(shown.high.x, all.high.x), std::min(shown.high.y, all.high.y)};
    longest = shown.longest();
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
      const MapBounds shape = bounds_on_map(shapes.bounds[id], map.up);
      if (!is_in_slice(shapes.bounds[id], map) || !touch(shape, points)) continue;
      if (shape.longest() > longest) continue;
      shown.add(shape.low);
      shown.add(shape.high);
    }
  }
  if (shown.is_empty()) shown = {{0, 0}, {1, 1}};
  // Far away a unit is less than what numbers there differ by.
  const double far = std::max({std::abs(shown.low.x), std::abs(shown.low.y), std::abs(shown.high.x),
                               std::abs(shown.high.y)});
  if (!(shown.longest() > 1e-12 * far)) shown.grow(std::max(1.0, 1e-9 * far));
  MapView view(shown, map.longest_side);
  view.longest_whole = longest;
  return view;
}

MapBounds bounds_of(const std::vector<MapSpot>& spots) {
  MapBounds bounds;
  for (const MapSpot& spot : spots) bounds.add(spot.at);
  return bounds;
}

void fill_cell(Canvas& canvas, const MapView& view, const MapPoint& middle, double side,
               Color color) {
  const double half = side / 2;
  fill_rectangle(canvas, view({middle.x - half, middle.y + half}),
                 view({middle.x + half, middle.y - half}), color);
}

void draw_spots(Canvas& canvas, const MapView& view, std::vector<MapSpot> spots) {
  std::stable_sort(spots.begin(), spots.end(),
                   [](const MapSpot& a, const MapSpot& b) { return a.height < b.height; });
  const std::optional<double> cell = cell_of(view, spots);
  for (const MapSpot& spot : spots) {
    if (!cell) {
      fill_disc(canvas, view(spot.at), 3, spot.color);
      continue;
    }
    fill_cell(canvas, view, spot.at, *cell, spot.color);
  }
}

void add_rare_classes(std::vector<ColorClass>& classes, std::uint64_t inside, const MapView& view,
                      const std::vector<MapSpot>& spots) {
  if (inside > 0) classes.push_back({inside_grey, fmt::format("in or on a shape {}", inside)});
  if (has_gaps(view, spots)) classes.insert(classes.end(), {{paper, "no point"}});
}

void draw_ring(Canvas& canvas, Pixel at) {
  fill_disc(canvas, at, 13, ink);
  fill_disc(canvas, at, 10, paper);
  fill_disc(canvas, at, 5, ink);
  for (const double side : {-1.0, 1.0}) {
    draw_line(canvas, {at.x + 12 * side, at.y}, {at.x + 22 * side, at.y}, 4, ink);
    draw_line(canvas, {at.x, at.y + 12 * side}, {at.x, at.y + 22 * side}, 4, ink);
  }
}

void draw_arrow(Canvas& canvas, Pixel from, Pixel to, Color color) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 0)) return;
  const double head = 7, x = head * dx / length, y = head * dy / length;
  const auto draw = [&](double width, Color with) {
    draw_line(canvas, from, to, width, with);
    for (const double side : {-0.6, 0.6}) {
      draw_line(canvas, to, {to.x - x - side * y, to.y - y + side * x}, width, with);
    }
  };
  draw(5, paper);
  draw(2.2, color);
}

std::vector<std::uint64_t> thinned(const std::vector<Pixel>& places, double distance) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Pixel>> kept;
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < places.size(); ++i) {
    const Pixel& p = places[i];
    if (!is_drawable(p)) continue;
    const auto column = static_cast<std::int64_t>(std::floor(p.x / distance));
    const auto row = static_cast<std::int64_t>(std::floor(p.y / distance));
    bool free = true;
    for (std::int64_t k = 0; k < 9 && free; ++k) {
      const auto cell = kept.find({column + k % 3 - 1, row + k / 3 - 1});
      if (cell == kept.end()) continue;
      for (const Pixel& q : cell->second) {
        free = free && std::hypot(p.x - q.x, p.y - q.y) >= distance;
      }
    }
    if (!free) continue;
    kept[{column, row}].push_back(p);
    numbers.push_back(i);
  }
  return numbers;
}

void draw_jumps(Canvas& canvas, const MapView& view, const NavJumps& jumps, UpAxis up,
                const Slice& slice) {
  const auto is_shown = [&](const Vec3& p) { return slice.holds(height_of(p, up)); };
  std::vector<std::uint64_t> shown;
  std::vector<Pixel> middle;
  for (std::uint64_t k = 0; k < jumps.size(); ++k) {
    if (!is_shown(jumps.from[k]) && !is_shown(jumps.to[k])) continue;
    const Pixel a = view(on_map(jumps.from[k], up)), b = view(on_map(jumps.to[k], up));
    shown.push_back(k);
    middle.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2});
  }
  for (const std::uint64_t i : thinned(middle, between_jumps)) {
    const std::uint64_t k = shown[i];
    draw_bow(canvas, view(on_map(jumps.from[k], up)), view(on_map(jumps.to[k], up)),
             jumps.both_ways[k] != 0 ? jump_blue : drop_red);
  }
}

void draw_scene(Canvas& canvas, const MapView& view, const SceneMap& map, double filled_at) {
  const ShapesView shapes = map.scene->view();
  const double typical = median_height(shapes, map.up);
  // Low steps are drawn fainter than walls: what counts is a shape's height.
  const auto draw = [&](const std::vector<MapPoint>& outline, const Slice& h, bool is_floor) {
    const double weight = is_floor      ? 0.1
                          : typical > 0 ? std::clamp((h.high - h.low) / typical, 0.25, 1.0)
                                        : 1;
    draw_outline(canvas, view(outline), 1 + 1.2 * weight, ink, weight);
  };
  std::vector<FlatBox> boxes;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const Aabb& b = shapes.bounds[id];
    const MapBounds bounds = bounds_on_map(b, map.up);
    if (!is_in_slice(b, map) || !touch(bounds, view.shown)) continue;
    if (bounds.longest() <= view.longest_whole && !contains(view.shown, bounds)) continue;
    const std::vector<MapPoint> outline = footprint(shapes, id, map.up);
    const Slice h = heights_of(b, map.up);
    const bool is_floor = id < map.floors.size() && map.floors[id];
    if (!is_floor && h.low <= filled_at && filled_at <= h.high) {
      fill_outline(canvas, view(outline), ink, 0.35);
    }
    if (outline.size() == 4 && is_aligned_box(shapes, id)) {
      boxes.push_back({bounds.low, bounds.high, h, is_floor});
    } else {
      draw(outline, h, is_floor);
    }
  }
  for (const BoxOutline& one : merged_outlines(std::move(boxes))) {
    draw(one.corners, one.heights, one.is_floor);
  }
  if (map.jumps != nullptr) draw_jumps(canvas, view, *map.jumps, map.up, map.slice);
}

void write_map(const std::string& name, const MapView& view, const SceneMap& map, Legend legend,
               const std::function<void(Canvas&)>& draw) {
  constexpr int least_width = 900;  // so that a legend and the scale fit side by side
  if (map.jumps != nullptr) {
    legend.classes.insert(legend.classes.end(),
                          {{jump_blue, "jump, both ways"}, {drop_red, "drop, to the dot"}});
  }
  const int width = std::max(view.width + 2 * picture_margin, least_width);
  const int below = view.height + 2 * picture_margin;
  const ScaleBar scale(view, map.unit);
  const double legend_width = width - 3 * picture_margin - scale.width;
  Canvas canvas(width, below + legend.height(legend_width), paper);
  clip(canvas, {0, 0}, {double(width), double(below)});
  draw(canvas);
  clip(canvas, {0, 0}, {double(width), double(canvas.height)});
  scale.draw(canvas, {width - picture_margin - scale.width, double(below)});
  legend.draw(canvas, {picture_margin, double(below)}, legend_width);
  write_png(name, canvas);
}

}  // namespace sightline::io
