// render: pictures of results, and of what a camera sees.
#include "host/program/verbs/render.hpp"

#include "host/files/core/file.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/files/pictures/nav_picture.hpp"
#include "host/program/checks/verify.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/floors.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace sightline::cli {
namespace {

void draw_picture(Job& job, const RenderArguments& a) {
  switch (a.what) {
    case RenderWhat::map:
      return render_map(job, a);
    case RenderWhat::row:
      return render_row(job, a);
    case RenderWhat::histogram:
      return render_histogram(job, a);
    case RenderWhat::areas:
      return render_areas(job, a);
    case RenderWhat::cover:
      return render_cover(job, a);
    case RenderWhat::nav:
      return render_nav(job, a);
    case RenderWhat::camera:
      return render_camera(job, a);
  }
}

/// A map that nav made of this scene.
NavMap load_nav_of(Job& job, const std::string& file, const std::string& scene,
                   const std::string& hash) {
  require_memory(job.common().max_memory, io::File(file).size(), fmt::format("map {}", file));
  io::Metadata metadata;
  NavMap map = io::read_nav(file, &metadata);
  require_same(file, "a scene", scene, metadata["scene.hash"], hash);
  return map;
}

}  // namespace

bool has_ending(const std::string& file, const std::string& ending) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return file.size() >= ending.size() &&
         std::equal(file.end() - static_cast<std::ptrdiff_t>(ending.size()), file.end(),
                    ending.begin(), same);
}

void require_ending(const std::string& file, std::initializer_list<const char*> endings) {
  for (const char* ending : endings) {
    if (has_ending(file, ending)) return;
  }
  throw Error(ErrorKind::usage,
              fmt::format("{}: this picture is written as {}", file, fmt::join(endings, ", ")));
}

bool is_told_alone(Job& job, const std::string& what) {
  if (job.common().dry_run) job.say(fmt::format("would draw {}", what));
  return job.common().dry_run;
}

void tell_picture(Job& job, const std::string& file) {
  job.set("/picture/file", file);
  job.say(fmt::format("wrote   {}", file));
}

MapInputs load_map_inputs(Job& job, const RenderArguments& a) {
  MapInputs inputs{load_scene(job, a.scene), {}};
  if (!a.links.empty()) {
    inputs.jumps = load_nav_of(job, a.links, a.scene, inputs.scene.hash).jumps;
  }
  return inputs;
}

void set_map(io::SceneMap& map, const MapInputs& inputs, const RenderArguments& a,
             const std::string& caption) {
  map.scene = &inputs.scene.scene;
  map.unit = unit_of(inputs.scene.metadata);
  map.up = up_of(inputs.scene.metadata);
  map.caption = caption;
  if (!a.slice.empty()) map.slice = {a.slice[0], a.slice[1]};
  if (inputs.jumps) map.jumps = &*inputs.jumps;
}

void set_floors(Job& job, io::SceneMap& map, const PointsView& points, float lift) {
  const Caster caster = build_caster(job, Scene(*map.scene), "cpu");
  map.floors = floors_under(caster, points, map.up, lift);
}

void render_nav(Job& job, const RenderArguments& a) {
  require_ending(a.output, {".png"});
  const LoadedScene scene = load_scene(job, a.scene);
  const NavMap map = load_nav_of(job, a.file, a.scene, scene.hash);
  if (is_told_alone(job, fmt::format("a map of {} spans and {} jumps", grouped(map.spans()),
                                     grouped(map.jumps.size())))) {
    return;
  }
  io::write_nav_picture(a.output, map, scene.scene, unit_of(scene.metadata));
}

int run_render(Job& job, const RenderArguments& a) {
  refuse_same_files(job, {a.file, a.scene, a.from, a.to, a.areas, a.links}, {a.output});
  job.set("/input/file", a.file);
  job.timed("picture", [&] { draw_picture(job, a); });
  if (!job.common().dry_run) tell_picture(job, a.output);
  return 0;
}

}  // namespace sightline::cli
