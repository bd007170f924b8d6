// Pictures read back, pixel by pixel.
#pragma once

#include "host/files/pictures/canvas.hpp"

#include <cairo.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace sightline::io {

struct Png {
  int width = 0, height = 0;
  std::vector<Color> colors;
  Color at(int x, int y) const { return colors.at(static_cast<std::size_t>(y * width + x)); }
};

inline Png read_png(const std::string& name) {
  cairo_surface_t* image = cairo_image_surface_create_from_png(name.c_str());
  EXPECT_EQ(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
  Png png{cairo_image_surface_get_width(image), cairo_image_surface_get_height(image), {}};
  for (int y = 0; y < png.height; ++y) {
    const unsigned char* row =
        cairo_image_surface_get_data(image) + y * cairo_image_surface_get_stride(image);
    for (int x = 0; x < png.width; ++x) {
      std::uint32_t c = 0;
      std::memcpy(&c, row + 4 * x, sizeof c);
      png.colors.push_back({std::uint8_t(c >> 16), std::uint8_t(c >> 8), std::uint8_t(c)});
    }
  }
  cairo_surface_destroy(image);
  return png;
}

/// Cairo mixes colors in bytes.
inline bool nearly(Color a, Color b) {
  return std::abs(a.r - b.r) < 3 && std::abs(a.g - b.g) < 3 && std::abs(a.b - b.b) < 3;
}
inline bool same(Color a, Color b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

}  // namespace sightline::io
