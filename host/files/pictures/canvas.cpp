#include "host/files/pictures/canvas.hpp"

#include "host/files/core/file.hpp"

#include <cairo.h>

#include <cmath>
#include <exception>

namespace sightline::io {
namespace {

cairo_t* cairo_of(const Canvas& canvas) { return static_cast<cairo_t*>(canvas.cairo.get()); }

void set_color(const Canvas& canvas, Color c, double share) {
  cairo_set_source_rgba(cairo_of(canvas), c.r / 255.0, c.g / 255.0, c.b / 255.0, share);
}

/// The part of an outline, or of a line, on the side of an axis where sign * x <= limit.
std::vector<Pixel> cut(const std::vector<Pixel>& outline, double Pixel::*axis, double sign,
                       double limit) {
  std::vector<Pixel> kept;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Pixel &p = outline[k], &q = outline[(k + 1) % outline.size()];
    const double dp = limit - sign * p.*axis, dq = limit - sign * q.*axis;
    if (dp >= 0) kept.push_back(p);
    if ((dp >= 0) == (dq >= 0)) continue;
    const double t = dp / (dp - dq);
    kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    kept.back().*axis = sign * limit;  // however far they are
  }
  return kept;
}

/// Makes it the path. Cairo's numbers end at 2^23: what is far outside is cut off before.
void trace(const Canvas& canvas, std::vector<Pixel> outline) {
  poll();
  constexpr double margin = 100;  // hides the edges of the cut
  for (const Pixel& p : outline) {
    if (!(std::abs(p.x) < 1e100 && std::abs(p.y) < 1e100)) outline.clear();
  }
  outline = cut(outline, &Pixel::x, 1, canvas.width + margin);
  outline = cut(outline, &Pixel::x, -1, margin);
  outline = cut(outline, &Pixel::y, 1, canvas.height + margin);
  outline = cut(outline, &Pixel::y, -1, margin);
  cairo_t* cairo = cairo_of(canvas);
  cairo_new_path(cairo);
  for (const Pixel& p : outline) cairo_line_to(cairo, p.x, p.y);
  if (!outline.empty()) cairo_close_path(cairo);
}

void fill(const Canvas& canvas, Color color, double share, cairo_antialias_t edges) {
  set_color(canvas, color, share);
  cairo_set_antialias(cairo_of(canvas), edges);
  cairo_fill(cairo_of(canvas));
  cairo_set_antialias(cairo_of(canvas), CAIRO_ANTIALIAS_DEFAULT);
}

/// Cairo stops drawing at bytes that are no text, and those of files may be any.
std::string drawable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown) c = c >= ' ' && c <= '~' ? c : '?';
  return shown;
}

struct PngBytes {
  std::string bytes;
  std::exception_ptr failed;
};

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
  auto& png = *static_cast<PngBytes*>(to);
  try {
    poll();
    png.bytes.append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
  } catch (...) {  // may not pass through C
    png.failed = std::current_exception();
    return CAIRO_STATUS_WRITE_ERROR;
  }
}

}  // namespace

Canvas::Canvas(int width_pixels, int height_pixels, Color background)
    : width(width_pixels), height(height_pixels) {
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  cairo_t* own = cairo_create(surface);
  cairo.reset(own, [](void* p) { cairo_destroy(static_cast<cairo_t*>(p)); });
  cairo_surface_destroy(surface);  // the context keeps it
  if (const cairo_status_t status = cairo_status(own); status != CAIRO_STATUS_SUCCESS) {
    throw Error(status == CAIRO_STATUS_NO_MEMORY ? ErrorKind::out_of_memory : ErrorKind::usage,
                fmt::format("a picture of {} x {} pixels: {}", width, height,
                            cairo_status_to_string(status)));
  }
  set_color(*this, background, 1);
  cairo_paint(own);
  cairo_set_line_cap(own, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(own, CAIRO_LINE_JOIN_ROUND);
  // Cairo's own font: the same text on every machine, and none need be installed.
  cairo_select_font_face(own, "@cairo:", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(own, text_height - 1);
}

void clip(Canvas& canvas, Pixel low, Pixel high) {
  cairo_reset_clip(cairo_of(canvas));
  cairo_new_path(cairo_of(canvas));
  cairo_rectangle(cairo_of(canvas), low.x, low.y, high.x - low.x, high.y - low.y);
  cairo_clip(cairo_of(canvas));
}

void fill_outline(Canvas& canvas, const std::vector<Pixel>& corners, Color color, double share) {
  trace(canvas, corners);
  fill(canvas, color, share, CAIRO_ANTIALIAS_NONE);
}

void draw_outline(Canvas& canvas, const std::vector<Pixel>& corners, double width, Color color,
                  double share) {
  trace(canvas, corners);
  set_color(canvas, color, share);
  cairo_set_line_width(cairo_of(canvas), width);
  cairo_stroke(cairo_of(canvas));
}

void draw_text(Canvas& canvas, Pixel at, std::string_view text, Color color, double left_of) {
  set_color(canvas, color, 1);
  cairo_move_to(cairo_of(canvas), at.x - left_of * text_width(text), at.y + text_height - 4);
  cairo_show_text(cairo_of(canvas), drawable(text).c_str());
}

void draw_text_upwards(Canvas& canvas, Pixel at, std::string_view text, Color color) {
  cairo_t* cairo = cairo_of(canvas);
  set_color(canvas, color, 1);
  cairo_save(cairo);
  cairo_translate(cairo, at.x + text_height - 4, at.y);
  cairo_rotate(cairo, -std::acos(0.0));
  cairo_move_to(cairo, 0, 0);
  cairo_show_text(cairo, drawable(text).c_str());
  cairo_restore(cairo);
}

double text_width(std::string_view text) {
  const Canvas scratch(1, 1, {});
  cairo_text_extents_t extents;
  cairo_text_extents(cairo_of(scratch), drawable(text).c_str(), &extents);
  return extents.x_advance;
}

void require_pictures(const std::string&) {}

void write_png(const std::string& name, const Canvas& canvas) {
  PngBytes png;
  // Where a stroke has failed, Cairo has left out all that follow.
  cairo_status_t status = cairo_status(cairo_of(canvas));
  if (status == CAIRO_STATUS_SUCCESS) {
    status = cairo_surface_write_to_png_stream(cairo_get_target(cairo_of(canvas)), append, &png);
  }
  if (png.failed) std::rethrow_exception(png.failed);
  if (status != CAIRO_STATUS_SUCCESS) {
    fail(status == CAIRO_STATUS_NO_MEMORY ? ErrorKind::out_of_memory : ErrorKind::io,
         "{}: the picture cannot be encoded: {}", name, cairo_status_to_string(status));
  }
  write_file(name, png.bytes);
}

}  // namespace sightline::io
