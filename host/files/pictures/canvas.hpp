// A picture in memory: filled shapes, smooth lines and text; written as PNG. Drawn by Cairo.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::io {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0;
};
/// `share` of the second over the first.
inline Color mixed(Color below, Color above, double share) {
  const auto part = [share](int a, int b) {
    return static_cast<std::uint8_t>(std::lround(a + share * (b - a)));
  };
  return {part(below.r, above.r), part(below.g, above.g), part(below.b, above.b)};
}

/// Pixels from the left and from the top; pixel (0, 0) covers [0, 1) x [0, 1).
struct Pixel {
  double x = 0, y = 0;
};

/// Places may be anywhere: what is drawn outside is cut off, and what is not finite left out.
struct Canvas {
  /// Throws Error{usage} for more than 32767 pixels in a row or column.
  Canvas(int width_pixels, int height_pixels, Color background);

  int width, height;
  std::shared_ptr<void> cairo;  ///< a cairo_t
};

/// Until the next call, drawing is cut to this rectangle.
void clip(Canvas& canvas, Pixel low, Pixel high);

/// The pixels whose middles are within an outline.
void fill_outline(Canvas& canvas, const std::vector<Pixel>& corners, Color color, double share = 1);
/// Whole pixels: both corners are rounded, so that neighbours neither overlap nor leave a gap.
inline void fill_rectangle(Canvas& canvas, Pixel low, Pixel high, Color color) {
  low = {std::round(low.x), std::round(low.y)};
  high = {std::round(high.x), std::round(high.y)};
  fill_outline(canvas, {low, {high.x, low.y}, high, {low.x, high.y}}, color);
}
/// Smooth lines around an outline; `share` below 1 lets what is below shine through.
void draw_outline(Canvas& canvas, const std::vector<Pixel>& corners, double width, Color color,
                  double share = 1);
/// A smooth line with round ends.
inline void draw_line(Canvas& canvas, Pixel a, Pixel b, double width, Color color) {
  draw_outline(canvas, {a, b}, width, color);
}
inline void fill_disc(Canvas& canvas, Pixel center, double radius, Color color) {
  draw_line(canvas, center, center, 2 * radius, color);
}

inline constexpr int text_height = 18;
/// `at` is its upper left, or with `left_of` 1 its upper right, with 0.5 its upper middle.
void draw_text(Canvas& canvas, Pixel at, std::string_view text, Color color, double left_of = 0);
/// Upwards along a vertical line: `at` is the left middle of its foot, so that it ends above.
void draw_text_upwards(Canvas& canvas, Pixel at, std::string_view text, Color color);
double text_width(std::string_view text);

/// Throws Error{usage} where this program was built without Cairo.
void require_pictures(const std::string& name);
/// Throws Error{io}; whole or not at all.
void write_png(const std::string& name, const Canvas& canvas);

}  // namespace sightline::io
