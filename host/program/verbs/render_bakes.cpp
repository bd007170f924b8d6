// render: areas by class, and cover.
#include "host/files/pictures/picture.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/memory.hpp"
#include "host/program/verbs/render.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

struct AreaMapArguments : RenderArguments {
  std::optional<std::uint64_t> viewpoint, area;
};

/// The area that looks.
std::uint64_t area_of(Job& job, const AreaMapArguments& a, const std::string& file,
                      std::uint64_t areas) {
  std::uint64_t area = a.area.value_or(0);
  if (a.viewpoint) {
    if (!io::holds_area_points(file)) {
      io::fail(ErrorKind::usage, "{}: holds no points: take --area, not --viewpoint", file);
    }
    const io::Points points = load_points(job, file, "/areas");
    if (*a.viewpoint >= points.area.size()) {
      io::fail(ErrorKind::usage, "{}: there is no viewpoint {} of {}", file, *a.viewpoint,
               points.area.size());
    }
    area = points.area[*a.viewpoint];
  }
  if (area < areas) return area;
  io::fail(ErrorKind::usage, "{}: there is no area {} of {}", a.file, area, areas);
}

/// The row of one area.
void read_classes(const ResultFile& bake, std::uint64_t from, std::uint64_t areas,
                  io::AreaPicture& picture) {
  picture.from = from;
  picture.classes = bake.read<AreaClass>("class", from * areas, areas);
  picture.samples = bake.read<std::uint32_t>("samples", 0, areas);
  for (const AreaClass c : picture.classes) {
    if (c <= AreaClass::fully) continue;
    io::fail(ErrorKind::bad_input, "{}: {} is no class of visibility", bake.name(),
             static_cast<int>(c));
  }
}

CoverRows read_cover(const ResultFile& bake, std::uint64_t n) {
  CoverRows rows = {
      bake.read<CoverHeight>("height", 0, n),  bake.read<std::uint8_t>("facing", 0, n),
      bake.read<float>("distance", 0, n),      bake.read<std::uint64_t>("crouch", 0, n),
      bake.read<std::uint64_t>("stand", 0, n), bake.read<std::uint64_t>("left", 0, n),
      bake.read<std::uint64_t>("right", 0, n)};
  const std::uint64_t directions = bake.number("query.directions");
  for (std::size_t i = 0; i < n; ++i) {
    if (rows.height[i] <= CoverHeight::stand && rows.facing[i] < directions) continue;
    io::fail(ErrorKind::bad_input, "{}: point {} has no such cover", bake.name(), i);
  }
  return rows;
}

void render_areas(Job& job, const AreaMapArguments& a) {
  const ResultFile bake = open_result(a, {"area visibility"});
  if (!a.area && !a.viewpoint) {
    throw Error(ErrorKind::usage, "render areas: say which area looks: --area or --viewpoint");
  }
  InputFiles in = inputs_of(job, a, bake);
  const MapInputs inputs = load_map_inputs(in, bake);
  const UpAxis up = up_of(inputs.scene.metadata);
  const auto asked_samples = static_cast<std::uint32_t>(bake.number("query.samples"));
  const auto asked = asked_samples == 0 ? std::nullopt : std::optional(asked_samples);
  const std::uint64_t count = bake.number("areas.count");
  Input input = {"--areas", "/areas", "areas", "areas", bake.text("areas.hash"), count};
  AreaSamples samples;
  const std::string file = in.file(input, [&](const std::string& name) {
    samples = load_areas(job, name, asked, up);
    return io::samples_hash(samples);
  });
  in.settle_count(input, file, samples.size());
  const std::uint64_t from = area_of(job, a, file, count);
  if (is_described_only(
          job, fmt::format("a map of {} as area {} sees them", plural(count, "areas"), from))) {
    return;
  }
  require_memory(job.common().max_memory, count * 5 + samples.point.size() * 4, "the classes");
  io::AreaPicture picture;
  set_map(picture, inputs, a, fmt::format("what area {} sees of the others", from));
  read_classes(bake, from, count, picture);
  picture.points = samples.view();
  set_floors(job, picture, inputs, picture.points);
  for (std::uint64_t i = 0; i < samples.size(); ++i) {
    picture.area.resize(samples.offsets[i + 1], static_cast<std::uint32_t>(i));
  }
  Areas polygons;
  if (!io::holds_area_points(file)) {
    polygons = io::read_areas(file, up == UpAxis::y ? "y" : "z");
    picture.polygons = &polygons;
  }
  warn_of_floors(job, a.output, io::write_area_picture(a.output, picture), "points");
}

void render_cover(Job& job, const RenderArguments& a) {
  const ResultFile bake = open_result(a, {"cover"});
  InputFiles in = inputs_of(job, a, bake);
  const MapInputs inputs = load_map_inputs(in, bake);
  Input input = bake.points("--from", "points");
  const std::uint64_t count = input.count;
  const io::Points points = in.points(input);
  if (is_described_only(job, fmt::format("a map of the cover of {}", plural(count, "points"))))
    return;
  constexpr std::uint64_t bytes_per_point = 2 + 4 + 4 * 8;
  require_memory(job.common().max_memory, count * bytes_per_point, "the cover");
  CoverRows rows = read_cover(bake, count);
  io::CoverPicture picture;
  set_map(picture, inputs, a, "cover: arrows to the nearest, ticks to lean out");
  picture.points = points.view();
  set_floors(job, picture, inputs, picture.points,
             bake.real("query.crouch") - bake.real("query.at"));
  picture.cover = rows.view();
  picture.directions = static_cast<std::uint32_t>(bake.number("query.directions"));
  warn_of_floors(job, a.output, io::write_cover_picture(a.output, picture), "points");
}

}  // namespace

void add_area_picture(Verb& v) {
  auto& a = add_picture(
      v, render_areas,
      "sightline render areas rooms.st --scene house.st --areas rooms.json --area 0 -o rooms.png\n"
      "sightline render areas cells.st --scene house.st --areas eyes.st --viewpoint 7 -o p.png");
  add_map_options(v, a);
  v.input("--areas", a.inputs, "AREAS", "its areas");
  const Option area =
      v.count("--area", a.area, 0, unlimited, "I", "number of the area that looks, from 0");
  v.count("--viewpoint", a.viewpoint, 0, unlimited, "I",
          "instead: number of one of its points, where the areas are a file of points")
      .excludes(area);
  add_picture_output(v, a);
}

void add_cover_picture(Verb& v) {
  auto& a = add_picture(
      v, render_cover,
      "sightline render cover cover.st --scene city.st --points places.st -o cover.png");
  add_point_map_options(v, a);
  add_picture_output(v, a);
}

}  // namespace sightline::cli
