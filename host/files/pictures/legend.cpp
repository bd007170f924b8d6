#include "host/files/pictures/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

std::uint8_t srgb_byte(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  const double encoded = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * encoded));
}

/// Source: Ottosson, "A perceptual color space for image processing", 2020 (the matrices).
Color from_oklab(double lightness, double a, double b) {
  const auto cube = [](double v) { return v * v * v; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {srgb_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          srgb_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          srgb_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

constexpr int class_box = 22, class_gap = 10, class_line = 32, caption_line = 26, ramp_lines = 66;

double width_of(const ColorClass& one) {
  return text_width(one.words) + (one.color ? class_box + class_gap : 0);
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

void draw_ramp(Canvas& canvas, Pixel bar, const RampScale& scale, const Quantity& quantity) {
  constexpr int width = 440, height = 22;
  for (int x = 0; x < width; ++x) {
    fill_rectangle(canvas, {bar.x + x, bar.y}, {bar.x + x + 1, bar.y + height},
                   ramp_color((x + 0.5) / width));
  }
  constexpr double between = double(width) / RampScale::ticks;
  bool is_tight = false;
  for (int k = 0; k <= RampScale::ticks; ++k) {
    is_tight = is_tight || text_width(tick_label(scale, k, quantity)) > between - 10;
  }
  for (int k = 0; k <= RampScale::ticks; ++k) {
    const double x = bar.x + between * k, y = bar.y + height;
    draw_line(canvas, {x, y}, {x, y + 5}, 1.5, faint);
    if (is_tight && k % 2 != 0) continue;
    draw_text(canvas, {x, y + 9}, tick_label(scale, k, quantity), ink, 0.5);
  }
}

}  // namespace

Color ramp_color(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  const double lightness = 0.38 + 0.57 * s;
  // Most colorful in the middle, where screens can show it.
  const double chroma = 0.10 + 0.08 * std::sin(3.14159265358979 * s);
  const double hue = (-55 + 160 * s) * 3.14159265358979 / 180;
  return from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
}

RampScale ramp_scale(double least, double most) {
  const double far = std::max(std::abs(least), std::abs(most));
  const double span = most > least ? std::max(most - least, 1e-6 * far) : far > 0 ? far : 1;
  for (double power = std::pow(10, std::floor(std::log10(span / RampScale::ticks)));; power *= 10) {
    for (const double digit : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
      const double step = digit * power, low = step * std::floor(least / step + 1e-6);
      const double high = low + RampScale::ticks * step;
      if (high >= least + span - 1e-6 * step) return {low, high};
    }
  }
}

double RampScale::tick(int k) const {
  if (ranked.empty()) return low + (high - low) * k / ticks;
  return ranked[static_cast<std::size_t>(std::llround(rank(ranked.back()) * k / ticks))];
}

RampScale field_scale(std::vector<double> values) {
  if (values.empty()) return ramp_scale(0, 0);
  std::sort(values.begin(), values.end());
  const double least = std::min(0.0, values.front()), most = std::max(0.0, values.back());
  RampScale scale = ramp_scale(least, most);
  const auto above = std::upper_bound(values.begin(), values.end(), values.front());
  if (above == values.end()) return scale;
  const double median = *(above + (values.end() - above - 1) / 2);
  if (!(median > 0 && most > 10 * median)) return scale;
  values.erase(values.begin(), above - 1);  // one is left of the least: there may be many
  scale.ranked = std::move(values);
  return scale;
}

std::string tick_label(const RampScale& scale, int k, const Quantity& quantity) {
  if (!scale.ranked.empty()) return fmt::format("{:.3g}", quantity.factor * scale.tick(k));
  const double value = scale.tick(k), step = scale.tick(1) - scale.low;
  return fmt::format("{:.9g}", std::abs(value) < 1e-9 * step ? 0 : quantity.factor * value);
}

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string several(const std::string& unit) { return unit + (unit.size() > 2 ? "s" : ""); }

std::string with_unit(double length, const std::string& unit) {
  return fmt::format("{:.6g} {}", length, length == 1 ? unit : several(unit));
}

void Legend::draw(Canvas& canvas, Pixel at, double width) const {
  draw_text(canvas, at, ramp ? fmt::format("{} ({})", caption, quantity.unit) : caption, ink);
  at.y += caption_line;
  if (ramp) {
    draw_ramp(canvas, at, *ramp, quantity);
    at.y += ramp_lines;
  }
  const std::vector<Pixel> places = places_of(width, classes);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    Pixel place = {at.x + places[k].x, at.y + places[k].y};
    if (classes[k].color) {
      const Pixel end = {place.x + class_box, place.y + class_box};
      fill_rectangle(canvas, place, end, mixed(*classes[k].color, ink, 0.4));
      fill_rectangle(canvas, {place.x + 1, place.y + 1}, {end.x - 1, end.y - 1}, *classes[k].color);
      place.x += class_box + class_gap;
    }
    draw_text(canvas, {place.x, place.y + 2}, classes[k].words, ink);
  }
}

int Legend::height(double width) const {
  const int lines =
      classes.empty() ? 0 : static_cast<int>(places_of(width, classes).back().y) + class_line;
  return caption_line + (ramp ? ramp_lines : 0) + lines + picture_margin / 2;
}

}  // namespace sightline::io
