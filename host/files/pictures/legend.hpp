// What the colors of a picture mean: ramps of numbers with units, and classes.
#pragma once

#include "host/files/pictures/canvas.hpp"
#include "host/files/pictures/picture.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sightline::io {

inline constexpr int legend_height = 120;  ///< of a ramp, in pixels below a picture
inline constexpr int class_line = 32;      ///< from one line of classes to the next

/// Good, bad and failed, as level designers color them.
inline constexpr Color good_green{76, 160, 84}, bad_red{200, 62, 52}, failed_blue{54, 96, 190};
inline constexpr Color middling_amber{240, 186, 76};  ///< between good and bad

/// The number at a ramp's end: the least that holds `largest` and has short numbers at the ticks;
/// 1 where nothing is larger than 0.
double ramp_end(double largest);

/// A bar of the ramp from 0 to `full`, with the caption above and numbers below.
void draw_ramp_legend(Canvas& canvas, Pixel at, double full, const std::string& caption,
                      const Quantity& quantity);

struct ColorClass {
  std::optional<Color> color;  ///< none: words alone
  std::string words;
};
/// Boxes with their words, side by side in as many lines as this width takes.
void draw_classes(Canvas& canvas, Pixel at, double width, const std::vector<ColorClass>& classes);
/// A caption, and below it the classes.
void draw_class_legend(Canvas& canvas, Pixel at, double width, const std::string& caption,
                       const std::vector<ColorClass>& classes);
/// The pixels that it takes below a picture.
int class_legend_height(double width, const std::vector<ColorClass>& classes);

}  // namespace sightline::io
