// Maps of 40 x 40 units, pixel by pixel.
#pragma once

#include "host/files/pictures/picture.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/host/files/pictures/png.hpp"

namespace sightline::io {

class MapPicturesTest : public IoTest {
 protected:
  MapPicturesTest() { scene_.add_aabb({{0, 0, 0}, {40, 40, 0}}); }

  /// The pixel of a place where the map shows 40 x 40 units in 800 pixels.
  static Pixel place(double x, double y) { return {40 + x * 20, 40 + (40 - y) * 20}; }
  static Color at(const Png& png, double x, double y) {
    const Pixel p = place(x, y);
    return png.at(static_cast<int>(p.x), static_cast<int>(p.y));
  }
  static int count(const Png& png, Color color, Pixel low, Pixel high) {
    int n = 0;
    for (int y = static_cast<int>(low.y); y < static_cast<int>(high.y); ++y) {
      for (int x = static_cast<int>(low.x); x < static_cast<int>(high.x); ++x) {
        n += same(png.at(x, y), color) ? 1 : 0;
      }
    }
    return n;
  }
  void set(SceneMap& map) const {
    map.scene = &scene_;
    map.unit = "m";
    map.longest_side = 800;
  }

  Scene scene_;
};

}  // namespace sightline::io
