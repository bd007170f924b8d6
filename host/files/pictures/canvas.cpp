#include "host/files/pictures/canvas.hpp"

#include "host/files/core/file.hpp"

#include <sightline/error.hpp>

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sightline::io {
namespace {

/// The whole pixels of [low, high], cut to [first, end); none where a bound is NaN.
struct Span {
  int begin, end;
};
Span pixels(double low, double high, int first, int end) {
  if (std::isnan(low) || std::isnan(high)) return {first, first};
  const double begin = std::clamp(std::floor(low), double(first), double(end));
  const double stop = std::clamp(std::ceil(high), double(first), double(end));
  return {static_cast<int>(begin), static_cast<int>(stop)};
}

}  // namespace

Canvas::Canvas(int width_pixels, int height_pixels, Color background)
    : width(width_pixels), height(height_pixels), clip{0, 0, width_pixels, height_pixels} {
  rgb.reserve(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::int64_t i = 0; i < std::int64_t{width} * height; ++i) {
    rgb.insert(rgb.end(), {background.r, background.g, background.b});
  }
}

void Canvas::blend(int x, int y, Color color, double share) {
  if (x < clip.left || x >= clip.right || y < clip.top || y >= clip.bottom) return;
  std::uint8_t* at = rgb.data() + 3 * (static_cast<std::ptrdiff_t>(y) * width + x);
  const std::uint8_t parts[3] = {color.r, color.g, color.b};
  for (int k = 0; k < 3; ++k) {
    at[k] = static_cast<std::uint8_t>(std::lround(at[k] + share * (parts[k] - at[k])));
  }
}

void fill_rectangle(Canvas& canvas, Pixel low, Pixel high, Color color) {
  const Canvas::Clip& c = canvas.clip;
  const Span xs = pixels(std::round(low.x), std::round(high.x), c.left, c.right);
  const Span ys = pixels(std::round(low.y), std::round(high.y), c.top, c.bottom);
  for (int y = ys.begin; y < ys.end; ++y) {
    for (int x = xs.begin; x < xs.end; ++x) canvas.blend(x, y, color, 1);
  }
}

void fill_convex(Canvas& canvas, const std::vector<Pixel>& corners, Color color) {
  const Canvas::Clip& c = canvas.clip;
  double top = c.bottom, bottom = c.top;
  for (const Pixel& p : corners) top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  const Span ys = pixels(top - 1, bottom + 1, c.top, c.bottom);
  for (int y = ys.begin; y < ys.end; ++y) {
    const double middle = y + 0.5;
    double left = c.right, right = c.left;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Pixel &a = corners[k], &b = corners[(k + 1) % corners.size()];
      if ((a.y <= middle) == (b.y <= middle)) continue;
      const double x = a.x + (middle - a.y) / (b.y - a.y) * (b.x - a.x);
      left = std::min(left, x), right = std::max(right, x);
    }
    const Span xs = pixels(std::ceil(left - 0.5), std::ceil(right - 0.5), c.left, c.right);
    for (int x = xs.begin; x < xs.end; ++x) canvas.blend(x, y, color, 1);
  }
}

void fill_disc(Canvas& canvas, Pixel center, double radius, Color color) {
  draw_line(canvas, center, center, 2 * radius, color);
}

void draw_line(Canvas& canvas, Pixel a, Pixel b, double width, Color color, double share) {
  if (a.y > b.y) std::swap(a, b);
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double reach = width / 2 + 1;
  const Canvas::Clip& c = canvas.clip;
  const Span ys = pixels(a.y - reach, b.y + reach, c.top, c.bottom);
  for (int y = ys.begin; y < ys.end; ++y) {
    const double cy = y + 0.5;
    // The part of the line within reach of this row.
    const double from = dy > 0 ? std::clamp((cy - reach - a.y) / dy, 0.0, 1.0) : 0;
    const double to = dy > 0 ? std::clamp((cy + reach - a.y) / dy, 0.0, 1.0) : 1;
    const double x0 = a.x + from * dx, x1 = a.x + to * dx;
    const Span xs = pixels(std::min(x0, x1) - reach, std::max(x0, x1) + reach, c.left, c.right);
    for (int x = xs.begin; x < xs.end; ++x) {
      const double px = x + 0.5 - a.x, py = cy - a.y;
      const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
      const double distance = std::hypot(px - t * dx, py - t * dy);
      const double covered = std::clamp(width / 2 + 0.5 - distance, 0.0, 1.0);
      if (covered > 0) canvas.blend(x, y, color, covered * share);
    }
  }
}

void write_png(const std::string& name, const Canvas& canvas) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(canvas.width);
  image.height = static_cast<png_uint_32>(canvas.height);
  image.format = PNG_FORMAT_RGB;
  const auto encode = [&](void* to, png_alloc_size_t& bytes) {
    if (png_image_write_to_memory(&image, to, &bytes, 0, canvas.rgb.data(), 0, nullptr) == 0) {
      throw Error(ErrorKind::io, name + ": the picture cannot be encoded: " + image.message);
    }
  };
  // What the format can take at most; the simplified interface would encode twice to tell.
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::uint8_t> memory(bytes);
  encode(memory.data(), bytes);
  PartialFile file(name, bytes);
  file.write(0, memory.data(), bytes);
  file.commit();
}

}  // namespace sightline::io
