#include "host/files/pictures/camera.hpp"

#include "host/files/pictures/legend.hpp"

#include <sightline/error.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr Color sky{206, 218, 230};
/// Shapes that are narrower, in pixels, have no outline.
constexpr std::uint64_t least_outlined = 6;

Double3 unit(const Double3& v) { return times(v, 1 / length(v)); }

std::uint8_t byte(double v) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(v, 0.0, 255.0)));
}

/// A pixel of a surface: lighter where it faces the sky, a little where it faces the viewer, and
/// paler far away.
Color shade(const CameraImage& image, const CameraRays& rays, double farthest, std::uint64_t i) {
  const Vec3 n = image.normal[i], d = rays.direction(i);
  const Double3 normal = {n.x, n.y, n.z};
  const double facing = std::abs(dot(normal, unit({d.x, d.y, d.z})));
  const double upward = image.camera.up == UpAxis::z ? normal[2] : normal[1];
  // From the side, so that walls that meet differ.
  const double aside =
      normal[0] * 0.8 + (image.camera.up == UpAxis::z ? normal[1] : normal[2]) * 0.6;
  const double light = 0.46 + 0.16 * facing + 0.26 * upward + 0.12 * aside;
  const double haze = 0.55 * (1 - std::exp(-2 * image.depth[i] / farthest));
  const auto part = [=](double of, int air) { return byte((1 - haze) * light * of + haze * air); };
  return {part(250, sky.r), part(240, sky.g), part(224, sky.b)};
}

Color normal_color(const Vec3& n) {
  const auto part = [](double v) { return byte(127.5 + 127.5 * v); };
  return {part(n.x), part(n.y), part(n.z)};
}

/// Whether between pixel i and the next one, `step` on, one shape or face ends and another begins.
/// `before` and `behind` are how many pixels there are on both sides: where a shape is narrow an
/// outline would be most of what is seen, so it has none.
bool is_edge(const CameraImage& image, std::uint64_t i, std::uint64_t step, std::uint64_t before,
             std::uint64_t behind) {
  if (behind == 0) return false;
  const std::uint64_t j = i + step;
  const std::uint32_t here = image.id[i], there = image.id[j];
  const Vec3 a = image.normal[i], b = image.normal[j];
  if (here == there && (here == none || a.x * b.x + a.y * b.y + a.z * b.z >= 0.8f)) return false;
  for (std::uint64_t k = 1; k < least_outlined; ++k) {
    if (here != none && k <= before && image.id[i - k * step] != here) return false;
    if (there != none && k < behind && image.id[j + k * step] != there) return false;
  }
  return true;
}

void darken_edges(std::vector<Color>& colors, const CameraImage& image) {
  const std::uint64_t width = image.camera.width, height = image.camera.height;
  for (std::uint64_t i = 0; i < colors.size(); ++i) {
    const std::uint64_t x = i % width, y = i / width;
    const bool edge =
        is_edge(image, i, 1, x, width - 1 - x) || is_edge(image, i, width, y, height - 1 - y);
    if (edge) colors[i] = mixed(colors[i], ink, 0.55);
  }
}

/// The nearest and the farthest that is seen.
Slice depths_of(const CameraImage& image) {
  Slice depths{INFINITY, 0};
  for (const float depth : image.depth) {
    if (!std::isfinite(depth)) continue;
    depths = {std::min<double>(depths.low, depth), std::max<double>(depths.high, depth)};
  }
  return {std::min(depths.low, depths.high), depths.high};
}

Legend legend_of(const CameraImage& image, CameraShow show, const RampScale& depths) {
  if (show == CameraShow::depth) return {"depth along the view", {}, depths, {image.unit, 1}};
  return {"outward normals",
          {{normal_color({1, 0, 0}), "+x"},
           {normal_color({-1, 0, 0}), "-x"},
           {normal_color({0, 1, 0}), "+y"},
           {normal_color({0, -1, 0}), "-y"},
           {normal_color({0, 0, 1}), "+z"},
           {normal_color({0, 0, -1}), "-z"}}};
}

}  // namespace

CameraRays::CameraRays(const Camera& camera) : width_(camera.width) {
  Double3 forward{};
  for (std::size_t k = 0; k < 3; ++k) forward[k] = camera.target[k] - camera.eye[k];
  if (!(length(forward) > 0)) {
    throw Error(ErrorKind::usage, "the camera's eye and target are the same point");
  }
  forward = unit(forward);
  Double3 up = camera.up == UpAxis::z ? Double3{0, 0, 1} : Double3{0, 1, 0};
  // Straight up or down, the top of the picture is y or -z.
  if (std::abs(dot(forward, up)) > 1 - 1e-9) {
    up = camera.up == UpAxis::z ? Double3{0, 1, 0} : Double3{0, 0, -1};
  }
  right_ = unit(cross(forward, up));
  down_ = cross(forward, right_);
  const auto longer = static_cast<double>(std::max(camera.width, camera.height));
  const double pixel = 2 * std::tan(camera.field_of_view * 3.14159265358979323846 / 360) / longer;
  right_ = times(right_, pixel);
  down_ = times(down_, pixel);
  const double x = 0.5 - static_cast<double>(camera.width) / 2;
  const double y = 0.5 - static_cast<double>(camera.height) / 2;
  for (std::size_t k = 0; k < 3; ++k) first_[k] = forward[k] + x * right_[k] + y * down_[k];
}

Vec3 CameraRays::direction(std::uint64_t pixel) const {
  const auto x = static_cast<double>(pixel % width_), y = static_cast<double>(pixel / width_);
  const auto part = [&](std::size_t k) {
    return static_cast<float>(first_[k] + x * right_[k] + y * down_[k]);
  };
  return {part(0), part(1), part(2)};
}

void write_camera_picture(const std::string& name, const CameraImage& image, CameraShow show) {
  const auto width = static_cast<int>(image.camera.width);
  const auto height = static_cast<int>(image.camera.height);
  const Slice depths = depths_of(image);
  const RampScale scale = ramp_scale(depths.low, depths.high);
  const CameraRays rays(image.camera);
  std::vector<Color> colors(image.camera.pixels(), sky);
  for (std::uint64_t i = 0; i < colors.size(); ++i) {
    if (image.id[i] == none) continue;
    colors[i] = show == CameraShow::shaded  ? shade(image, rays, depths.high, i)
                : show == CameraShow::depth ? ramp_color(scale.share(image.depth[i]))
                                            : normal_color(image.normal[i]);
  }
  darken_edges(colors, image);
  const Legend legend = legend_of(image, show, scale);
  const bool has_legend = show != CameraShow::shaded;
  const int canvas_width = has_legend ? std::max(width, 2 * picture_margin + 560) : width;
  const double legend_width = canvas_width - 2 * picture_margin;
  Canvas canvas(canvas_width, height + (has_legend ? 30 + legend.height(legend_width) : 0), paper);
  draw_pixels(canvas, colors, width);
  if (has_legend) legend.draw(canvas, {picture_margin, height + 30.0}, legend_width);
  write_png(name, canvas);
}

}  // namespace sightline::io
