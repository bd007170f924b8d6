// render camera: shaded, depth and normal pictures, and the data behind them.
#include "host/files/core/file_format.hpp"
#include "host/files/pictures/camera.hpp"
#include "host/files/pictures/exr.hpp"
#include "host/files/pictures/ply.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/inputs.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/interrupt.hpp"
#include "host/program/verbs/render.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

/// Depth, id, normal, and what a PNG, an EXR or a PLY takes beside them.
constexpr std::uint64_t bytes_per_pixel = 20 + 40;
constexpr std::uint64_t most_rays_per_chunk = 1 << 20;

struct CameraArguments : RenderArguments {
  std::vector<double> eye, target;  ///< x, y, z
  double field_of_view = 70;
  std::uint64_t width = 1280, height = 720;
  io::CameraShow show = io::CameraShow::shaded;
  std::uint32_t mask = 0xFFFFFFFFu;
};

io::Camera camera_of(const CameraArguments& a, const io::Metadata& metadata) {
  io::Camera camera;
  std::copy(a.eye.begin(), a.eye.end(), camera.eye.begin());
  std::copy(a.target.begin(), a.target.end(), camera.target.begin());
  camera.field_of_view = a.field_of_view;
  camera.width = a.width;
  camera.height = a.height;
  camera.up = up_of(metadata);
  return camera;
}

Vec3 eye_of(const io::Camera& camera) {
  return {static_cast<float>(camera.eye[0]), static_cast<float>(camera.eye[1]),
          static_cast<float>(camera.eye[2])};
}

/// Casts a ray through the middle of each pixel.
io::CameraImage cast_image(const Caster& caster, const io::Camera& camera, std::uint32_t mask) {
  io::CameraImage image;
  image.camera = camera;
  const std::uint64_t n = camera.pixels();
  image.depth.resize(n);
  image.id.resize(n);
  image.normal.resize(n);
  const io::CameraRays rays(camera);
  const Vec3 eye = eye_of(camera);
  std::vector<Vec3> directions;
  const std::uint64_t chunk = chunk_size(caster, most_rays_per_chunk);
  for (std::uint64_t first = 0; first < n; first += chunk) {
    poll_interrupt();
    directions.resize(std::min(chunk, n - first));
    for (std::uint64_t i = 0; i < directions.size(); ++i) directions[i] = rays.direction(first + i);
    RaysView view;
    view.count = directions.size();
    view.origin = eye;
    view.direction = Vec3Column::rows(directions);
    view.mask.common = mask;
    const auto part = [&](auto& all) { return std::span(all).subspan(first, view.count); };
    caster.closest_hit(view, {part(image.depth), part(image.id), {}, part(image.normal)});
  }
  return image;
}

void write_data(const std::string& name, const io::CameraImage& image) {
  const Vec3* normal = image.normal.data();
  io::write_exr(name, image.camera.width, image.camera.height,
                {{"Z", image.depth.data()},
                 {"id", image.id.data()},
                 {"N.X", &normal->x, sizeof(Vec3)},
                 {"N.Y", &normal->y, sizeof(Vec3)},
                 {"N.Z", &normal->z, sizeof(Vec3)}});
}

/// The points where pixels hit something.
void write_points(const std::string& name, const io::CameraImage& image) {
  io::PlyPoints points;
  const io::CameraRays rays(image.camera);
  const Vec3 eye = eye_of(image.camera);
  for (std::uint64_t i = 0; i < image.camera.pixels(); ++i) {
    if (image.id[i] == none) continue;
    const Vec3 d = rays.direction(i);
    const double t = image.depth[i];
    const auto part = [t](float from, float along) {
      return static_cast<float>(from + t * double{along});
    };
    points.position.push_back({part(eye.x, d.x), part(eye.y, d.y), part(eye.z, d.z)});
    points.normal.push_back(image.normal[i]);
    points.id.push_back(image.id[i]);
  }
  io::write_ply(name, points);
}

void render_camera(Job& job, const CameraArguments& a) {
  require_ending(a.output, {".png", ".exr", ".ply"});
  if (io::has_ending(a.output, ".exr") && !io::can_write_exr()) {
    io::fail(ErrorKind::usage, "{}: this program was built without OpenEXR; write a .png or a .ply",
             a.output);
  }
  refuse_lanes_without_cpu(job.common().lanes, job.common().device);
  LoadedScene scene = load_scene(job, a.file);
  const io::Camera camera = camera_of(a, scene.metadata);
  require_memory(job.common().max_memory, camera.pixels() * bytes_per_pixel, "the picture");
  static_cast<void>(io::CameraRays(camera));  // refuses an eye at its target
  if (is_described_only(job,
                        fmt::format("{} x {} pixels, with some {}", camera.width, camera.height,
                                    format_bytes(camera.pixels() * bytes_per_pixel)))) {
    return;
  }
  const Caster caster = build_caster(job, std::move(scene.scene));
  io::CameraImage image = job.timed("cast", [&] { return cast_image(caster, camera, a.mask); });
  image.unit = unit_of(scene.metadata);
  const auto hits = static_cast<std::uint64_t>(
      std::count_if(image.id.begin(), image.id.end(), [](std::uint32_t id) { return id != none; }));
  job.set("/counts/rays", camera.pixels());
  job.set("/counts/hits", hits);
  job.say("cast    {}, {} hit", plural(camera.pixels(), "rays"), grouped(hits));
  if (io::has_ending(a.output, ".exr")) {
    write_data(a.output, image);
  } else if (io::has_ending(a.output, ".ply")) {
    write_points(a.output, image);
  } else {
    io::write_camera_picture(a.output, image, a.show);
  }
}

void add_camera(Verbs& render) {
  add_picture(
      render,
      {"camera", "what a pinhole camera in a scene sees",
       "sightline render camera city.st --eye 0,0,20 --target 50,50,0 -o city.png\n"
       "sightline render camera city.st --eye 0,0,20 --target 50,50,0 --show depth -o depth.png",
       "P.png|.exr|.ply", true},
      render_camera, [](Verb& v, CameraArguments& a) {
        v.positional("SCENE", a.file, "scene");
        v.number("--eye", a.eye, coordinate, "X,Y,Z", "where it is, in scene units")
            .required()
            .values(3, true);
        v.number("--target", a.target, coordinate, "X,Y,Z", "what is in the middle of the picture")
            .required()
            .values(3, true);
        v.number("--fov", a.field_of_view, {1, 170, "an angle from 1 to 170"}, "DEG",
                 "angle of the longer side, 1 to 170 degrees");
        v.count("--width", a.width, 1, 16384, "N", "pixels");
        v.count("--height", a.height, 1, 16384, "N", "pixels");
        v.choice("--show", a.show,
                 {{"shaded", io::CameraShow::shaded},
                  {"depth", io::CameraShow::depth},
                  {"normal", io::CameraShow::normal}},
                 "WHAT", "PNG: shaded (default), depth or normal");
        v.count("--mask", a.mask, 0, most_bits, "BITS",
                "32 bits; a shape is seen when its mask shares one");
      });
}

const VerbEntry camera_picture{57, add_camera, "render"};

}  // namespace
}  // namespace sightline::cli
