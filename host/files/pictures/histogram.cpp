#include "host/files/pictures/histogram.hpp"

#include "host/files/pictures/color_ramp.hpp"
#include "host/files/pictures/legend.hpp"
#include "host/files/pictures/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr int bars = 40, bar_width = 24, bars_height = 480, left = 140, top = 90, bottom = 110;

/// How many values fall into each bar; the last has its upper end too.
std::vector<std::uint64_t> counts_of(const std::vector<float>& values, double full) {
  std::vector<std::uint64_t> counts(bars);
  for (const float value : values) {
    const double place = std::clamp(bars * double{value} / full, 0.0, double{bars - 1});
    ++counts[static_cast<std::size_t>(place)];
  }
  return counts;
}

void draw_axis_of_counts(Canvas& canvas, double most, const std::string& counted) {
  constexpr int ticks = 4;
  for (int k = 0; k <= ticks; ++k) {
    const double y = top + bars_height - double(bars_height) * k / ticks;
    draw_line(canvas, {left - 8, y}, {left + bars * bar_width, y}, 1, faint, 0.5);
    const std::string label = fmt::format("{:.6g}", most * k / ticks);
    draw_text(canvas, {left - 16.0 - text_width(picture_text, label), y - 7}, picture_text, label,
              ink);
  }
  draw_text(canvas, {picture_margin, top - 45}, picture_text, counted, ink);
}

void draw_axis_of_values(Canvas& canvas, double full, const Histogram& h) {
  constexpr int ticks = 4;
  const double y = top + bars_height;
  for (int k = 0; k <= ticks; ++k) {
    const double x = left + double(bars * bar_width) * k / ticks;
    draw_line(canvas, {x, y}, {x, y + 8}, 1.5, ink);
    const std::string label =
        fmt::format("{:.3g}{}", h.quantity.factor * full * k / ticks, h.quantity.unit);
    draw_text(canvas, {x - text_width(picture_text, label) / 2.0, y + 16}, picture_text, label,
              ink);
  }
}

}  // namespace

void write_histogram_picture(const std::string& name, const Histogram& h) {
  std::vector<float> values;
  for (const float value : h.values) {
    if (std::isfinite(value)) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  const double full = ramp_end(values.empty() ? 0 : values.back());
  const std::vector<std::uint64_t> counts = counts_of(values, full);
  const double most =
      ramp_end(static_cast<double>(*std::max_element(counts.begin(), counts.end())));
  Canvas canvas(left + bars * bar_width + 2 * picture_margin, top + bars_height + bottom, paper);
  draw_axis_of_counts(canvas, most, h.counted);
  for (std::size_t i = 0; i < bars; ++i) {
    const double x = left + static_cast<double>(bar_width * i), y = top + bars_height;
    const double height = bars_height * static_cast<double>(counts[i]) / most;
    fill_rectangle(canvas, {x + 1, y - height}, {x + bar_width - 1, y},
                   ramp_color((static_cast<double>(i) + 0.5) / bars));
  }
  draw_axis_of_values(canvas, full, h);
  double sum = 0;
  for (const float value : values) sum += value;
  const double n = static_cast<double>(std::max<std::size_t>(values.size(), 1));
  const double median = values.empty() ? 0 : values[values.size() / 2];
  const auto told = [&](double v) {
    return fmt::format("{:.3g}{}", h.quantity.factor * v, h.quantity.unit);
  };
  draw_text(canvas, {left, top + bars_height + 60}, picture_text,
            fmt::format("{}: mean {}, median {}", h.caption, told(sum / n), told(median)), ink);
  write_png(name, canvas);
}

}  // namespace sightline::io
