// What the colors of a picture mean: ramps of numbers with units, and classes.
#pragma once

#include "host/io/canvas.hpp"
#include "host/io/picture.hpp"

#include <string>
#include <vector>

namespace sightline::io {

inline constexpr int legend_height = 120;  ///< pixels below a picture

/// Good, bad and failed, as level designers color them.
inline constexpr Color good_green{76, 160, 84}, bad_red{200, 62, 52}, failed_blue{54, 96, 190};

/// The number at a ramp's end: the least that holds `largest` and has short numbers at the ticks;
/// 1 where nothing is larger than 0.
double ramp_end(double largest);

/// A bar of the ramp from 0 to `full`, with the caption above and numbers below.
void draw_ramp_legend(Canvas& canvas, Pixel at, double full, const std::string& caption,
                      const Quantity& quantity);

struct ColorClass {
  Color color;
  std::string words;
};
/// A caption, and below it boxes with their words side by side.
void draw_class_legend(Canvas& canvas, Pixel at, const std::string& caption,
                       const std::vector<ColorClass>& classes);

}  // namespace sightline::io
