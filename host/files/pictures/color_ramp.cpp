#include "host/files/pictures/color_ramp.hpp"

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

}  // namespace

Color ramp_color(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  const double lightness = 0.38 + 0.57 * s;
  // Most colorful in the middle, where screens can show it.
  const double chroma = 0.10 + 0.08 * std::sin(3.14159265358979 * s);
  const double hue = (-55 + 160 * s) * 3.14159265358979 / 180;
  return from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
}

}  // namespace sightline::io
