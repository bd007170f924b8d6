#include "host/files/pictures/legend.hpp"

#include "host/files/pictures/color_ramp.hpp"
#include "host/files/pictures/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr int ticks = 4;
constexpr int class_box = 22, class_gap = 10, caption_line = 26;

double width_of(const ColorClass& one) {
  return text_width(picture_text, one.words) + (one.color ? class_box + class_gap : 0);
}

/// Where each class is drawn.
std::vector<Pixel> places_of(double width, const std::vector<ColorClass>& classes) {
  std::vector<Pixel> places;
  Pixel at;
  for (const ColorClass& one : classes) {
    if (at.x > 0 && at.x + width_of(one) > width) at = {0, at.y + class_line};
    places.push_back(at);
    at.x += width_of(one) + 2 * class_box;
  }
  return places;
}

}  // namespace

double ramp_end(double largest) {
  if (!(largest > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(largest / ticks)));
  for (const double digit : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    const double full = ticks * digit * power;
    if (full >= largest * (1 - 1e-6)) return full;
  }
  return 10 * ticks * power;
}

void draw_ramp_legend(Canvas& canvas, Pixel at, double full, const std::string& caption,
                      const Quantity& quantity) {
  constexpr int width = 440, height = 22;
  draw_text(canvas, at, picture_text, caption, ink);
  const Pixel bar{at.x, at.y + 26};
  for (int x = 0; x < width; ++x) {
    fill_rectangle(canvas, {bar.x + x, bar.y}, {bar.x + x + 1, bar.y + height},
                   ramp_color((x + 0.5) / width));
  }
  for (int k = 0; k <= ticks; ++k) {
    const double x = bar.x + double(width) * k / ticks;
    draw_line(canvas, {x, bar.y + height}, {x, bar.y + height + 5}, 1.5, faint);
    const std::string label =
        fmt::format("{:.3g}{}", quantity.factor * full * k / ticks, quantity.unit);
    const double left = k == 0 ? x : x - text_width(picture_text, label) / 2.0;
    draw_text(canvas, {left, bar.y + height + 10}, picture_text, label, ink);
  }
}

void draw_classes(Canvas& canvas, Pixel at, double width, const std::vector<ColorClass>& classes) {
  const std::vector<Pixel> places = places_of(width, classes);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    Pixel place = {at.x + places[k].x, at.y + places[k].y};
    if (classes[k].color) {
      fill_rectangle(canvas, place, {place.x + class_box, place.y + class_box}, *classes[k].color);
      place.x += class_box + class_gap;
    }
    draw_text(canvas, {place.x, place.y + 4}, picture_text, classes[k].words, ink);
  }
}

void draw_class_legend(Canvas& canvas, Pixel at, double width, const std::string& caption,
                       const std::vector<ColorClass>& classes) {
  draw_text(canvas, at, picture_text, caption, ink);
  draw_classes(canvas, {at.x, at.y + caption_line}, width, classes);
}

int class_legend_height(double width, const std::vector<ColorClass>& classes) {
  const double last = classes.empty() ? 0 : places_of(width, classes).back().y;
  return caption_line + static_cast<int>(last) + class_line + picture_margin;
}

}  // namespace sightline::io
