#include "host/files/pictures/map_view.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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

/// How far around the points of a scene of few shapes these are shown: as far as the points reach,
/// and farther where they are close together.
double reach_around(const ShapesView& shapes, UpAxis up, double longest) {
  std::vector<double> lengths;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    lengths.push_back(bounds_on_map(shapes.bounds[id], up).longest());
  }
  return std::max(longest, 4 * median(std::move(lengths)));
}

double median_height(const ShapesView& shapes, UpAxis up) {
  std::vector<double> heights;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const Slice h = heights_of(shapes.bounds[id], up);
    heights.push_back(h.high - h.low);
  }
  return median(std::move(heights));
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

double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  const double digit = value / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

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
  const bool few = has_few_shapes(shapes);
  double longest = 0;
  if (!points.is_empty()) {
    all.add(points.low);
    all.add(points.high);
    shown = points;
    shown.grow(0.1 * points.longest());
    shown.low = {std::max(shown.low.x, all.low.x), std::max(shown.low.y, all.low.y)};
    shown.high = {std::min(shown.high.x, all.high.x), std::min(shown.high.y, all.high.y)};
    longest = shown.longest();
    const double around = few ? reach_around(shapes, map.up, longest) : 0;
    MapBounds near = points;
    near.grow(around);
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
      const MapBounds shape = bounds_on_map(shapes.bounds[id], map.up);
      if (!is_in_slice(shapes.bounds[id], map) || !touch(shape, near)) continue;
      if (shape.longest() > (few ? 3 * around : longest)) continue;
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
  view.longest_whole = few ? 0 : longest;
  return view;
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
  // Where shapes are many, those under the points are faint, so that walls show.
  const double of_floors = has_few_shapes(shapes) ? 0.4 : 0.1;
  const double of_low = has_few_shapes(shapes) ? 0.6 : 0.25;
  // Low steps are drawn fainter than walls: what counts is a shape's height.
  const auto draw = [&](const std::vector<MapPoint>& outline, const Slice& h, bool is_floor) {
    const double weight = is_floor      ? of_floors
                          : typical > 0 ? std::clamp((h.high - h.low) / typical, of_low, 1.0)
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

std::string not_drawn(const MapView& view, const SceneMap& map) {
  const ShapesView shapes = map.scene->view();
  const std::uint64_t planes = map.scene->count(Kind::plane);
  std::uint64_t outside = 0;
  for (std::uint32_t id = 0; id < shapes.bounded() && has_few_shapes(shapes); ++id) {
    const Aabb& b = shapes.bounds[id];
    outside += is_in_slice(b, map) && !touch(bounds_on_map(b, map.up), view.shown) ? 1 : 0;
  }
  std::string words;
  if (planes > 0) words = fmt::format("{} without an outline", counted(planes, "plane"));
  if (outside > 0) {
    words +=
        fmt::format("{}{} outside of the map", planes > 0 ? ", " : "", counted(outside, "shape"));
  }
  return words;
}

void write_map(const std::string& name, const MapView& view, const SceneMap& map, Legend legend,
               const std::function<void(Canvas&)>& draw) {
  constexpr int least_width = 900;  // so that a legend and the scale fit side by side
  if (map.jumps != nullptr) {
    const auto& both_ways = map.jumps->both_ways;
    const auto jumps = std::ranges::count_if(both_ways, [](auto both) { return both != 0; });
    if (jumps > 0) legend.classes.push_back({jump_blue, "jump, both ways"});
    if (jumps < std::ssize(both_ways)) legend.classes.push_back({drop_red, "drop, to the dot"});
  }
  if (const std::string words = not_drawn(view, map); !words.empty()) {
    legend.classes.push_back({std::nullopt, words});
  }
  const int width = std::max(view.width + 2 * picture_margin, least_width);
  const int below = view.height + 2 * picture_margin;
  const ScaleBar scale(view, map.unit);
  const double legend_width = width - 3 * picture_margin - scale.width;
  Canvas canvas(width, below + legend.height(legend_width), paper);
  clip(canvas, {0, 0}, {double(width), double(below)});
  draw(canvas);
  clip(canvas, {0, 0}, {double(width), double(canvas.height)});
  draw_coordinates(canvas, view, map.up, map.unit);
  scale.draw(canvas, {width - picture_margin - scale.width, double(below)});
  legend.draw(canvas, {picture_margin, double(below)}, legend_width);
  write_png(name, canvas);
}

}  // namespace sightline::io
