// render: areas by class, and cover.
#include "host/files/pictures/area_picture.hpp"
#include "host/files/pictures/cover_picture.hpp"
#include "host/program/checks/verify_bakes.hpp"
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/cover_rows.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/verbs/render.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

void require_kind(const io::BakeReader& bake, io::BakeKind kind) {
  if (bake.parameters().kind == kind) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: is of kind '{}', not '{}'", bake.name(),
                          io::bake_kind_name(bake.parameters().kind), io::bake_kind_name(kind)));
}

/// The area that looks.
std::uint64_t area_of(Job& job, const RenderArguments& a, std::uint64_t areas) {
  if (!a.area && !a.viewpoint) {
    throw Error(ErrorKind::usage, "render areas: say which area looks: --area or --viewpoint");
  }
  std::uint64_t area = 0;
  if (a.area) {
    area = *a.area;
  } else {
    if (!io::holds_area_points(a.areas)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: holds no points: take --area, not --viewpoint", a.areas));
    }
    const io::Points points = load_points(job, a.areas, "/areas");
    if (*a.viewpoint >= points.area.size()) {
      throw Error(ErrorKind::usage, fmt::format("{}: there is no viewpoint {} of {}", a.areas,
                                                *a.viewpoint, points.area.size()));
    }
    area = points.area[*a.viewpoint];
  }
  if (area < areas) return area;
  throw Error(ErrorKind::usage, fmt::format("{}: there is no area {} of {}", a.file, area, areas));
}

/// The row of one area.
void read_classes(const io::BakeReader& bake, std::uint64_t from, io::AreaPicture& picture) {
  const std::uint64_t n = bake.parameters().areas;
  picture.from = from;
  picture.classes.resize(n);
  picture.samples.resize(n);
  bake.read("class", from * n, n, picture.classes.data());
  bake.read("samples", 0, n, picture.samples.data());
  for (const AreaClass c : picture.classes) {
    if (c <= AreaClass::fully) continue;
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: {} is no class of visibility", bake.name(), static_cast<int>(c)));
  }
}

void read_cover(const io::BakeReader& bake, CoverRows& rows) {
  rows.resize(bake.parameters().points);
  for_each_cover_column(rows, [&](const char* tensor, auto& column) {
    bake.read(tensor, 0, column.size(), column.data());
  });
  for (std::size_t i = 0; i < rows.height.size(); ++i) {
    if (rows.height[i] <= CoverHeight::stand && rows.facing[i] < bake.parameters().cover.directions)
      continue;
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: point {} has no such cover", bake.name(), i));
  }
}

}  // namespace

void render_areas(Job& job, const RenderArguments& a) {
  require_ending(a.output, {".png"});
  const io::BakeReader bake(a.file);
  require_kind(bake, io::BakeKind::area_visibility);
  const io::BakeParameters& p = bake.parameters();
  const std::uint64_t from = area_of(job, a, p.areas);
  const MapInputs inputs = load_map_inputs(job, a);
  require_same(bake, "a scene", a.scene, p.scene_hash, inputs.scene.hash);
  const UpAxis up = up_of(inputs.scene.metadata);
  const std::optional<std::uint32_t> asked =
      p.area_samples == 0 ? std::nullopt : std::optional(p.area_samples);
  const AreaSamples samples = load_areas(job, a.areas, asked, up);
  require_same(bake, "areas", a.areas, p.samples_hash, io::samples_hash(samples));
  require_count(bake, "areas", p.areas, a.areas, samples.size());
  if (is_told_alone(
          job, fmt::format("a map of {} areas as area {} sees them", grouped(p.areas), from))) {
    return;
  }
  require_memory(job.common().max_memory, p.areas * 5 + samples.point.size() * 4, "the classes");
  io::AreaPicture picture;
  set_map(picture, inputs, a, fmt::format("what area {} sees of the others", from));
  read_classes(bake, from, picture);
  picture.points = samples.view();
  set_floors(job, picture, picture.points);
  for (std::uint64_t i = 0; i < samples.size(); ++i) {
    picture.area.resize(samples.offsets[i + 1], static_cast<std::uint32_t>(i));
  }
  Areas polygons;
  if (!io::holds_area_points(a.areas)) {
    polygons = io::read_areas(a.areas, up == UpAxis::y ? "y" : "z");
    picture.polygons = &polygons;
  }
  io::write_area_picture(a.output, picture);
}

void render_cover(Job& job, const RenderArguments& a) {
  require_ending(a.output, {".png"});
  const io::BakeReader bake(a.file);
  require_kind(bake, io::BakeKind::cover);
  const io::BakeParameters& p = bake.parameters();
  const MapInputs inputs = load_map_inputs(job, a);
  const io::Points points = load_points(job, a.from, "/from");
  require_same(bake, "a scene", a.scene, p.scene_hash, inputs.scene.hash);
  require_same(bake, "points", a.from, p.points_hash, io::points_hash(points));
  require_count(bake, "points", p.points, a.from, points.count());
  if (is_told_alone(job, fmt::format("a map of the cover of {} points", grouped(p.points)))) return;
  constexpr std::uint64_t bytes_per_point = 2 + 4 + 4 * 8;
  require_memory(job.common().max_memory, p.points * bytes_per_point, "the cover");
  CoverRows rows;
  read_cover(bake, rows);
  io::CoverPicture picture;
  set_map(picture, inputs, a, "cover: arrows to the nearest, ticks to lean out");
  picture.points = points.view();
  set_floors(job, picture, picture.points, p.cover.crouch - p.cover.at);
  picture.cover = rows.view();
  picture.directions = p.cover.directions;
  io::write_cover_picture(a.output, picture);
}

}  // namespace sightline::cli
