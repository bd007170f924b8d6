// A picture in memory: filled rectangles, discs, smooth lines, small text; written as PNG.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::io {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0;
};

/// Pixels from the left and from the top; pixel (0, 0) covers [0, 1) x [0, 1).
struct Pixel {
  double x = 0, y = 0;
};

/// RGB pixels, row by row from the top. Everything drawn is cut to `clip`.
struct Canvas {
  struct Clip {
    int left, top, right, bottom;  ///< pixels [left, right) x [top, bottom)
  };

  Canvas(int width_pixels, int height_pixels, Color background);
  /// Mixes a color into one pixel, `share` of it.
  void blend(int x, int y, Color color, double share);

  int width, height;
  Clip clip;
  std::vector<std::uint8_t> rgb;  ///< [height, width, 3]
};

/// Whole pixels: both corners are rounded, so that neighbours neither overlap nor leave a gap.
void fill_rectangle(Canvas& canvas, Pixel low, Pixel high, Color color);
/// A convex polygon, its corners in order: the pixels whose middles are in it.
void fill_convex(Canvas& canvas, const std::vector<Pixel>& corners, Color color);
void fill_disc(Canvas& canvas, Pixel center, double radius, Color color);
/// A smooth line with round ends; `share` below 1 lets what is below shine through.
void draw_line(Canvas& canvas, Pixel a, Pixel b, double width, Color color, double share = 1);

/// Text of digits, letters (all drawn small) and " .,-+%/:()"; other characters are blanks. `at`
/// is its upper left; one character is 6 * size wide and 9 * size high with its gaps.
void draw_text(Canvas& canvas, Pixel at, int size, std::string_view text, Color color);
int text_width(int size, std::string_view text);

/// Throws Error{io}; whole or not at all.
void write_png(const std::string& name, const Canvas& canvas);

}  // namespace sightline::io
