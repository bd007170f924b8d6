#include "host/files/pictures/camera.hpp"

#include "host/files/pictures/color_ramp.hpp"
#include "host/files/pictures/legend.hpp"
#include "host/files/pictures/map_view.hpp"

#include <sightline/error.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr Color sky{206, 218, 230};

Double3 unit(const Double3& v) { return times(v, 1 / length(v)); }

/// A pixel of a surface: lighter where it faces the sky, a little where it faces the viewer, and
/// paler far away.
Color shade(const CameraImage& image, const CameraRays& rays, double full, std::uint64_t i) {
  const Vec3 n = image.normal[i], d = rays.direction(i);
  const Double3 normal = {n.x, n.y, n.z};
  const double facing = std::abs(dot(normal, unit({d.x, d.y, d.z})));
  const double upward = image.camera.up == UpAxis::z ? normal[2] : normal[1];
  // From the side, so that walls that meet differ.
  const double aside =
      normal[0] * 0.8 + (image.camera.up == UpAxis::z ? normal[1] : normal[2]) * 0.6;
  const double light = 0.46 + 0.16 * facing + 0.26 * upward + 0.12 * aside;
  const double haze = 0.55 * (1 - std::exp(-2 * image.depth[i] / full));
  const auto part = [=](double of, std::uint8_t air) {
    return static_cast<std::uint8_t>(
        std::lround(std::clamp((1 - haze) * light * of + haze * air, 0.0, 255.0)));
  };
  return {part(250, sky.r), part(240, sky.g), part(224, sky.b)};
}

Color normal_color(const Vec3& n) {
  const auto part = [](double v) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(127.5 + 127.5 * v, 0.0, 255.0)));
  };
  return {part(n.x), part(n.y), part(n.z)};
}

/// Whether pixel i shows another shape, or another face, than the one at j.
bool is_edge(const CameraImage& image, std::uint64_t i, std::uint64_t j) {
  if (image.id[i] != image.id[j]) return true;
  if (image.id[i] == none) return false;
  const Vec3 a = image.normal[i], b = image.normal[j];
  return a.x * b.x + a.y * b.y + a.z * b.z < 0.8f;
}

void draw_edges(Canvas& canvas, const CameraImage& image) {
  const std::uint64_t width = image.camera.width;
  for (std::uint64_t i = 0; i < image.camera.pixels(); ++i) {
    const auto x = static_cast<int>(i % width), y = static_cast<int>(i / width);
    const bool right = i % width + 1 < width && is_edge(image, i, i + 1);
    const bool below = i + width < image.camera.pixels() && is_edge(image, i, i + width);
    if (right || below) canvas.blend(x, y, ink, 0.55);
  }
}

double farthest(const CameraImage& image) {
  float most = 0;
  for (const float depth : image.depth) {
    if (std::isfinite(depth)) most = std::max(most, depth);
  }
  return most;
}

void draw_legend(Canvas& canvas, const CameraImage& image, CameraShow show, double full) {
  const Pixel at{picture_margin, static_cast<double>(image.camera.height) + 30};
  if (show == CameraShow::depth) {
    draw_ramp_legend(canvas, at, full, "depth along the view", {" " + image.unit, 1});
  } else if (show == CameraShow::normal) {
    draw_class_legend(canvas, at, canvas.width - 2 * picture_margin, "outward normals",
                      {{normal_color({1, 0, 0}), "+x"},
                       {normal_color({-1, 0, 0}), "-x"},
                       {normal_color({0, 1, 0}), "+y"},
                       {normal_color({0, -1, 0}), "-y"},
                       {normal_color({0, 0, 1}), "+z"},
                       {normal_color({0, 0, -1}), "-z"}});
  }
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
  const bool has_legend = show != CameraShow::shaded;
  Canvas canvas(has_legend ? std::max(width, 2 * picture_margin + 560) : width,
                height + (has_legend ? legend_height : 0), paper);
  const double full = ramp_end(farthest(image));
  const CameraRays rays(image.camera);
  for (std::uint64_t i = 0; i < image.camera.pixels(); ++i) {
    Color color = sky;
    if (image.id[i] != none) {
      color = show == CameraShow::shaded  ? shade(image, rays, full, i)
              : show == CameraShow::depth ? ramp_color(image.depth[i] / full)
                                          : normal_color(image.normal[i]);
    }
    canvas.blend(static_cast<int>(i % image.camera.width), static_cast<int>(i / image.camera.width),
                 color, 1);
  }
  draw_edges(canvas, image);
  if (has_legend) draw_legend(canvas, image, show, full);
  write_png(name, canvas);
}

}  // namespace sightline::io
