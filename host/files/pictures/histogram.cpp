#include "host/files/pictures/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr int bars = 40, bar_width = 24, bars_height = 480, left = 140, top = 90, bottom = 110;

/// How many values fall into each bar; the last has its upper end too.
std::vector<std::uint64_t> counts_of(const std::vector<float>& values, const RampScale& scale) {
  std::vector<std::uint64_t> counts(bars);
  for (const float value : values) {
    const double place = std::clamp(bars * scale.share(value), 0.0, double{bars - 1});
    ++counts[static_cast<std::size_t>(place)];
  }
  return counts;
}

void draw_axes(Canvas& canvas, const RampScale& values, const RampScale& counts,
               const Histogram& h) {
  constexpr double right = left + bars * bar_width, base = top + bars_height;
  for (int k = 0; k <= RampScale::ticks; ++k) {
    const double share = double(k) / RampScale::ticks;
    const double x = left + share * bars * bar_width, y = base - share * bars_height;
    draw_line(canvas, {left - 8, y}, {right, y}, 1, mixed(paper, faint, 0.5));
    draw_text(canvas, {left - 16, y - text_height / 2.0}, tick_label(counts, k), ink, 1);
    draw_line(canvas, {x, base}, {x, base + 8}, 1.5, ink);
    draw_text(canvas, {x, base + 14}, tick_label(values, k, h.quantity), ink, 0.5);
  }
  draw_text(canvas, {picture_margin, top - 45}, h.counted, ink);
}

}  // namespace

void write_histogram_picture(const std::string& name, const Histogram& h) {
  std::vector<float> values;
  for (const float value : h.values) {
    if (std::isfinite(value)) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  const RampScale scale =
      values.empty() ? RampScale()
                     : ramp_scale(std::min(0.0f, values.front()), std::max(0.0f, values.back()));
  const std::vector<std::uint64_t> counts = counts_of(values, scale);
  const RampScale heights =
      ramp_scale(0, static_cast<double>(*std::max_element(counts.begin(), counts.end())));
  Canvas canvas(left + bars * bar_width + 2 * picture_margin, top + bars_height + bottom, paper);
  draw_axes(canvas, scale, heights, h);
  for (std::size_t i = 0; i < bars; ++i) {
    const double x = left + static_cast<double>(bar_width * i), y = top + bars_height;
    const double height = bars_height * heights.share(static_cast<double>(counts[i]));
    fill_rectangle(canvas, {x + 1, y - height}, {x + bar_width - 1, y},
                   ramp_color((static_cast<double>(i) + 0.5) / bars));
  }
  double sum = 0;
  for (const float value : values) sum += value;
  const double n = static_cast<double>(std::max<std::size_t>(values.size(), 1));
  const double median = values.empty() ? 0 : values[values.size() / 2];
  draw_text(canvas, {left, top + bars_height + 60},
            fmt::format("{} ({}): mean {:.3g}, median {:.3g}", h.caption, h.quantity.unit,
                        h.quantity.factor * sum / n, h.quantity.factor * median),
            ink);
  write_png(name, canvas);
}

}  // namespace sightline::io
