// Pictures read back, pixel by pixel.
#pragma once

#include "host/files/pictures/canvas.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <string>
#include <vector>

namespace sightline::io {

struct Png {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
  Color at(int x, int y) const {
    const auto* p = rgb.data() + 3 * (static_cast<std::ptrdiff_t>(y) * width + x);
    return {p[0], p[1], p[2]};
  }
};

inline Png read_png(const std::string& name) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&image, name.c_str()), 0) << image.message;
  image.format = PNG_FORMAT_RGB;
  Png png{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  png.rgb.resize(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, png.rgb.data(), 0, nullptr), 0) << image.message;
  return png;
}

inline bool same(Color a, Color b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

}  // namespace sightline::io
