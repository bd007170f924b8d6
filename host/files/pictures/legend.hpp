// What the colors of a picture mean: ramps of numbers with units, and classes.
#pragma once

#include "host/files/pictures/canvas.hpp"
#include "host/files/pictures/picture.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace sightline::io {

inline constexpr Color paper{250, 250, 248}, ink{28, 28, 32}, faint{120, 120, 126};
inline constexpr int picture_margin = 40;

/// Good, bad and failed, as level designers color them.
inline constexpr Color good_green{76, 160, 84}, bad_red{200, 62, 52}, failed_blue{54, 96, 190};
inline constexpr Color middling_amber{240, 186, 76};  ///< between good and bad
inline constexpr Color inside_grey{138, 138, 146};    ///< of points in shapes

/// From dark violet (0) over red to light yellow (1); equal steps look equal, and lightness alone
/// tells the order, so that it also reads without color vision or in grey.
Color ramp_color(double share);

/// The numbers between which colors go, with short ones at the ticks.
struct RampScale {
  static constexpr int ticks = 4;
  double low = 0, high = 1;
  std::vector<double> ranked = {};  ///< ascending, or empty: equal steps of color are of rank

  double share(double value) const {
    return ranked.empty() ? (value - low) / (high - low) : rank(value) / rank(ranked.back());
  }
  double tick(int k) const;

 private:
  /// How many of them are less.
  double rank(double value) const {
    const auto at = std::lower_bound(ranked.begin(), ranked.end(), value);
    return static_cast<double>(at - ranked.begin());
  }
};
/// The narrowest scale that holds both and whose ticks are multiples of a short number.
RampScale ramp_scale(double least, double most);
/// That of a map's numbers, which holds 0 and all of them. By rank where the largest is more than
/// 10 times the median of those above the least: otherwise all but a few would have one color.
RampScale field_scale(std::vector<double> values);
inline constexpr char by_rank_words[] =
    "colors by rank: the largest is more than 10 times the median";
/// What is at a tick, without its unit.
std::string tick_label(const RampScale& scale, int k, const Quantity& quantity = {"", 1});

/// "1 point", "3 points".
std::string counted(std::uint64_t count, std::string_view one);
/// The word for several of a unit, if it has one.
std::string several(const std::string& unit);
/// A length as people write it: "16 doom map units".
std::string with_unit(double length, const std::string& unit);

struct ColorClass {
  std::optional<Color> color;  ///< none: words alone
  std::string words;
};
/// A caption, below it a ramp if there is one, and below that boxes with their words, side by side
/// in as many lines as the width takes.
struct Legend {
  std::string caption;
  std::vector<ColorClass> classes = {};
  std::optional<RampScale> ramp = std::nullopt;
  Quantity quantity = {};

  void draw(Canvas& canvas, Pixel at, double width) const;
  /// The pixels that it takes below a picture.
  int height(double width) const;
};

}  // namespace sightline::io
