#include "host/io/picture.hpp"

#include "host/io/canvas.hpp"
#include "host/io/color_ramp.hpp"
#include "host/io/footprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sightline::io {
namespace {

constexpr Color paper{250, 250, 248}, ink{28, 28, 32}, faint{120, 120, 126};
constexpr int margin = 40, legend_height = 120, text_size = 2;

struct Box {
  MapPoint low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};

  bool is_empty() const { return !(low.x <= high.x && low.y <= high.y); }
  void add(const MapPoint& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  double longest() const { return std::max(high.x - low.x, high.y - low.y); }
  void grow(double by) {
    low = {low.x - by, low.y - by};
    high = {high.x + by, high.y + by};
  }
};

/// A viewpoint with a share, where it is drawn.
struct Spot {
  MapPoint at;
  double height;
  double share;
};

std::vector<Spot> spots_of(const MapPicture& picture) {
  std::vector<Spot> spots;
  for (std::uint64_t i = 0; i < picture.points.count; ++i) {
    const Vec3 p = picture.points.position[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) continue;
    const double height = picture.up == UpAxis::z ? p.z : p.y;
    spots.push_back({on_map(p, picture.up), height, picture.share[i]});
  }
  // From above, the highest of several floors is seen.
  std::stable_sort(spots.begin(), spots.end(),
                   [](const Spot& a, const Spot& b) { return a.height < b.height; });
  return spots;
}

/// What the map shows: the points with their surroundings, as far as there are shapes.
Box view_of(const MapPicture& picture, const std::vector<Spot>& spots) {
  Box points, all;
  for (const Spot& spot : spots) points.add(spot.at);
  const Aabb bounds = picture.scene->bounds();
  if (bounds.min.x <= bounds.max.x) {
    all.add(on_map(bounds.min, picture.up));
    all.add(on_map(bounds.max, picture.up));
  }
  Box view = all;
  if (!points.is_empty()) {
    all.add(points.low);
    all.add(points.high);
    view = points;
    view.grow(0.1 * points.longest());
    view.low = {std::max(view.low.x, all.low.x), std::max(view.low.y, all.low.y)};
    view.high = {std::min(view.high.x, all.high.x), std::min(view.high.y, all.high.y)};
  }
  if (view.is_empty()) view = {{0, 0}, {1, 1}};
  if (!(view.longest() > 0)) view.grow(1);
  return view;
}

/// Map to pixels.
struct Frame {
  Box view;
  double scale;  ///< pixels per unit
  int width, height;

  Frame(const Box& shown, int longest_side) : view(shown) {
    scale = longest_side / view.longest();
    width = std::max(1, static_cast<int>(std::ceil((view.high.x - view.low.x) * scale)));
    height = std::max(1, static_cast<int>(std::ceil((view.high.y - view.low.y) * scale)));
  }
  Pixel operator()(const MapPoint& p) const {
    return {margin + (p.x - view.low.x) * scale, margin + (view.high.y - p.y) * scale};
  }
};

void draw_spots(Canvas& canvas, const Frame& frame, const std::vector<Spot>& spots, double full) {
  std::vector<MapPoint> places;
  for (const Spot& spot : spots) places.push_back(spot.at);
  const std::optional<double> spacing = grid_spacing(places);
  const bool cells = spacing && *spacing * frame.scale >= 1.5;
  for (const Spot& spot : spots) {
    const Color color = ramp_color(spot.share / full);
    if (cells) {
      const double half = *spacing / 2;
      fill_rectangle(canvas, frame({spot.at.x - half, spot.at.y + half}),
                     frame({spot.at.x + half, spot.at.y - half}), color);
    } else {
      fill_disc(canvas, frame(spot.at), 3, color);
    }
  }
}

/// Low steps are drawn fainter than walls: what counts is a shape's height.
double weight_of(const Aabb& bounds, UpAxis up, double typical) {
  const double height =
      up == UpAxis::z ? double{bounds.max.z} - bounds.min.z : double{bounds.max.y} - bounds.min.y;
  return typical > 0 ? std::clamp(height / typical, 0.25, 1.0) : 1;
}

double median_height(const ShapesView& shapes, UpAxis up) {
  std::vector<double> heights;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const Aabb& b = shapes.bounds[id];
    heights.push_back(up == UpAxis::z ? double{b.max.z} - b.min.z : double{b.max.y} - b.min.y);
  }
  if (heights.empty()) return 0;
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

void draw_shapes(Canvas& canvas, const Frame& frame, const MapPicture& picture) {
  const ShapesView shapes = picture.scene->view();
  const double typical = median_height(shapes, picture.up);
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const std::vector<MapPoint> outline = footprint(shapes, id, picture.up);
    const double weight = weight_of(shapes.bounds[id], picture.up, typical);
    const std::size_t lines = outline.size() == 2 ? 1 : outline.size();
    for (std::size_t k = 0; k < lines; ++k) {
      draw_line(canvas, frame(outline[k]), frame(outline[(k + 1) % outline.size()]),
                1 + 1.2 * weight, ink, weight);
    }
  }
}

/// 1, 2 or 5 times a power of ten, at most `value`.
double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  const double digit = value / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

constexpr int ticks = 4;

/// The share at the ramp's end: the least that holds the largest and has short numbers at its
/// ticks.
double full_share(const std::vector<Spot>& spots) {
  double largest = 0;
  for (const Spot& spot : spots) largest = std::max(largest, spot.share);
  if (!(largest > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(largest / ticks)));
  for (const double digit : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    const double full = ticks * digit * power;
    if (full >= largest * (1 - 1e-6)) return std::min(full, 1.0);
  }
  return std::min(10 * ticks * power, 1.0);
}

void draw_legend(Canvas& canvas, Pixel at, double full, const std::string& caption) {
  constexpr int width = 440, height = 22;
  draw_text(canvas, at, text_size, caption, ink);
  const Pixel bar{at.x, at.y + 26};
  for (int x = 0; x < width; ++x) {
    fill_rectangle(canvas, {bar.x + x, bar.y}, {bar.x + x + 1, bar.y + height},
                   ramp_color((x + 0.5) / width));
  }
  for (int k = 0; k <= ticks; ++k) {
    const double x = bar.x + double(width) * k / ticks;
    draw_line(canvas, {x, bar.y + height}, {x, bar.y + height + 5}, 1.5, faint);
    const std::string label = fmt::format("{:.3g}%", 100 * full * k / ticks);
    const double left = k == 0 ? x : x - text_width(text_size, label) / 2.0;
    draw_text(canvas, {left, bar.y + height + 10}, text_size, label, ink);
  }
}

void draw_scale(Canvas& canvas, double right, double y, const Frame& frame,
                const std::string& unit) {
  const double length = round_down(0.25 * frame.width / frame.scale);
  const double pixels = length * frame.scale;
  const std::string label = fmt::format("{:.6g} {}{}", length, unit, unit.size() > 2 ? "s" : "");
  const double left = right - std::max(pixels, double(text_width(text_size, label)));
  draw_text(canvas, {left, y}, text_size, label, ink);
  const double bar = y + 37;
  draw_line(canvas, {left, bar}, {left + pixels, bar}, 3, ink);
  for (const double x : {left, left + pixels})
    draw_line(canvas, {x, bar - 7}, {x, bar + 7}, 2, ink);
}

}  // namespace

void write_map_picture(const std::string& name, const MapPicture& picture) {
  const std::vector<Spot> spots = spots_of(picture);
  const Frame frame(view_of(picture, spots), picture.longest_side);
  constexpr int least_width = 900;  // so that legend and scale fit side by side
  Canvas canvas(std::max(frame.width + 2 * margin, least_width),
                frame.height + 2 * margin + legend_height, paper);
  canvas.clip = {0, 0, canvas.width, frame.height + 2 * margin};
  const double full = full_share(spots);
  draw_spots(canvas, frame, spots, full);
  draw_shapes(canvas, frame, picture);
  canvas.clip.bottom = canvas.height;
  const double y = frame.height + 2 * margin;
  draw_legend(canvas, {margin, y}, full, picture.caption);
  draw_scale(canvas, canvas.width - margin, y, frame, picture.unit);
  write_png(name, canvas);
}

}  // namespace sightline::io
