#include "host/io/legend.hpp"

#include "host/io/color_ramp.hpp"
#include "host/io/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr int ticks = 4;

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

void draw_class_legend(Canvas& canvas, Pixel at, const std::string& caption,
                       const std::vector<ColorClass>& classes) {
  constexpr int side = 22, gap = 10;
  draw_text(canvas, at, picture_text, caption, ink);
  double x = at.x;
  for (const ColorClass& one : classes) {
    fill_rectangle(canvas, {x, at.y + 26}, {x + side, at.y + 26 + side}, one.color);
    x += side + gap;
    draw_text(canvas, {x, at.y + 30}, picture_text, one.words, ink);
    x += text_width(picture_text, one.words) + 2 * side;
  }
}

}  // namespace sightline::io
