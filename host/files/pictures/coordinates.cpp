// The coordinates of a map, along its left and lower edge.
#include "host/files/pictures/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr double mark_length = 7, label_gap = 11;

/// A coordinate along an edge of the map.
struct MapEdge {
  std::string name;
  double low, scale;
  MapTicks ticks;
};

/// Light ground, so that text can be read over outlines that reach the picture's edge.
void draw_ground(Canvas& canvas, Pixel low, Pixel high) {
  fill_outline(canvas, {low, {high.x, low.y}, high, {low.x, high.y}}, paper, 0.85);
}

void draw_label(Canvas& canvas, double from, double y, const std::string& words) {
  draw_ground(canvas, {from - 3, y}, {from + text_width(words) + 3, y + text_height});
  draw_text(canvas, {from, y}, words, ink);
}

void draw_label_upwards(Canvas& canvas, double x, double from, const std::string& words) {
  draw_ground(canvas, {x, from - text_width(words) - 3}, {x + text_height, from + 3});
  draw_text_upwards(canvas, {x, from}, words, ink);
}

void draw_lower(Canvas& canvas, const MapEdge& edge, double left, double right, double y) {
  draw_line(canvas, {left, y}, {right, y}, 1, faint);
  const double name = right - text_width(edge.name), text = y + label_gap;
  for (std::size_t k = 0; k < edge.ticks.numbers.size(); ++k) {
    const double x = left + (edge.ticks.numbers[k] - edge.low) * edge.scale;
    const double half = text_width(edge.ticks.labels[k]) / 2;
    draw_line(canvas, {x, y}, {x, y + mark_length}, 1.5, faint);
    if (x + half + 12 < name) draw_label(canvas, x - half, text, edge.ticks.labels[k]);
  }
  draw_label(canvas, std::max(left, name), text, edge.name);
}

void draw_left(Canvas& canvas, const MapEdge& edge, double top, double bottom, double x) {
  draw_line(canvas, {x, top}, {x, bottom}, 1, faint);
  const double name = top + text_width(edge.name), text = x - label_gap - text_height;
  for (std::size_t k = 0; k < edge.ticks.numbers.size(); ++k) {
    const double y = bottom - (edge.ticks.numbers[k] - edge.low) * edge.scale;
    const double half = text_width(edge.ticks.labels[k]) / 2;
    draw_line(canvas, {x - mark_length, y}, {x, y}, 1.5, faint);
    if (y - half - 12 > name) draw_label_upwards(canvas, text, y + half, edge.ticks.labels[k]);
  }
  if (name < bottom) draw_label_upwards(canvas, text, name, edge.name);
}

/// Numbers at multiples of a step, with labels of which no two are alike.
MapTicks ticks_at(double low, double high, double step, int told) {
  MapTicks ticks;
  const double first = std::ceil(low / step - 1e-6), last = std::floor(high / step + 1e-6);
  const double far = std::max(std::abs(low), std::abs(high));
  const int digits = static_cast<int>(std::clamp(std::log10(far / step) + 3, 6.0, 17.0));
  for (double k = 0; first + k <= last && k < 100; ++k) {
    const double number = (first + k) * step;
    ticks.numbers.push_back(number);
    ticks.labels.push_back(fmt::format("{:.{}g}", number == 0 ? 0 : told * number, digits));
  }
  return ticks;
}

}  // namespace

MapTicks map_ticks(double low, double high, double scale, int told) {
  // Labels of numbers far from 0 are long: then there are fewer.
  for (double apart = 250;; apart *= 2) {
    const double step = round_down(apart / scale);
    MapTicks ticks = ticks_at(low, high, step, told);
    double widest = 0;
    for (const std::string& label : ticks.labels) widest = std::max(widest, text_width(label));
    if (ticks.labels.size() < 2 || widest + 20 <= step * scale) return ticks;
  }
}

void draw_coordinates(Canvas& canvas, const MapView& view, UpAxis up, const std::string& unit) {
  const auto edge = [&](const char* axis, double low, double high, int told) {
    const std::string name = unit.empty() ? axis : fmt::format("{} ({})", axis, several(unit));
    return MapEdge{name, low, view.scale, map_ticks(low, high, view.scale, told)};
  };
  const MapBounds& shown = view.shown;
  const Pixel low = view(shown.low), high = view(shown.high);
  draw_lower(canvas, edge("x", shown.low.x, shown.high.x, 1), low.x, high.x, low.y);
  const bool is_z_up = up == UpAxis::z;  // else z goes down the map
  draw_left(canvas, edge(is_z_up ? "y" : "z", shown.low.y, shown.high.y, is_z_up ? 1 : -1), high.y,
            low.y, low.x);
}

}  // namespace sightline::io
