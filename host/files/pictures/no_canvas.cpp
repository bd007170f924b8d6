// In the place of canvas.cpp where Cairo is not there: everything that draws asks
// require_pictures() first, so nothing below it is ever called.
#include "host/files/pictures/canvas.hpp"

#include <sightline/error.hpp>

namespace sightline::io {

void require_pictures(const std::string& name) {
  throw Error(ErrorKind::usage, name + ": this program was built without Cairo, which draws it");
}

Canvas::Canvas(int width_pixels, int height_pixels, Color)
    : width(width_pixels), height(height_pixels) {
  require_pictures("picture");
}
void clip(Canvas&, Pixel, Pixel) {}
void fill_outline(Canvas&, const std::vector<Pixel>&, Color, double) {}
void draw_outline(Canvas&, const std::vector<Pixel>&, double, Color, double) {}
void draw_text(Canvas&, Pixel, std::string_view, Color, double) {}
void draw_text_upwards(Canvas&, Pixel, std::string_view, Color) {}
double text_width(std::string_view) { return 0; }
void write_png(const std::string& name, const Canvas&) { require_pictures(name); }

}  // namespace sightline::io
