// render: pictures of results, and of what a camera sees.
#include "host/program/verbs/render.hpp"

#include "host/files/pictures/picture.hpp"
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

io::Slice slice_of(const RenderArguments& a) {
  return a.slice.empty() ? io::Slice{} : io::Slice{a.slice[0], a.slice[1]};
}

}  // namespace

bool is_described_only(Job& job, const std::string& what) {
  if (job.common().dry_run) job.say(fmt::format("would draw {}", what));
  return job.common().dry_run;
}

ResultFile open_result(const RenderArguments& a, std::initializer_list<std::string_view> kinds) {
  ResultFile result(a.file);
  const std::string_view found = result.result().names.kind;
  if (std::find(kinds.begin(), kinds.end(), found) != kinds.end()) return result;
  throw Error(ErrorKind::usage, fmt::format("{}: is of kind '{}'; this picture is of '{}'", a.file,
                                            found, fmt::join(kinds, "', '")));
}

InputFiles inputs_of(Job& job, const RenderArguments& a, const ResultFile& result) {
  return {job, a.inputs, a.file, result.result().names.kind, true};
}

MapInputs load_map_inputs(InputFiles& in, const ResultFile& result) {
  std::string hash = result.result().scene_hash;
  MapInputs inputs{in.scene(hash), {}, {}};
  inputs.over = load_over(in.job(), in.value("--over"), inputs.scene.metadata);
  if (const std::string links = in.value("--links"); !links.empty()) {
    io::Metadata metadata;
    inputs.jumps = load_map(in.job(), links, metadata).jumps;
    InputFiles(in.job(), {}, links, "a navigation map")
        .require("a scene", in.file_of("--scene"), metadata["scene.hash"], hash);
  }
  return inputs;
}

void set_map(io::SceneMap& map, const MapInputs& inputs, const RenderArguments& a,
             const std::string& caption) {
  map.scene = inputs.over ? &*inputs.over : &inputs.scene.scene;
  map.unit = unit_of(inputs.scene.metadata);
  map.up = up_of(inputs.scene.metadata);
  map.caption = caption;
  map.slice = slice_of(a);
  if (inputs.jumps) map.jumps = &*inputs.jumps;
}

void set_floors(Job& job, io::SceneMap& map, const MapInputs& inputs, const PointsView& points,
                float lift) {
  const Caster caster = build_caster(job, Scene(inputs.scene.scene), "cpu");
  set_floors(job, map, caster, inputs.over, points, lift);
}

void render_nav(Job& job, const RenderArguments& a) {
  require_ending(a.output, {".png"});
  io::Metadata metadata;
  const NavMap map = load_map(job, a.file, metadata);
  const LoadedScene scene =
      InputFiles(job, a.inputs, a.file, "a navigation map").scene(metadata["scene.hash"]);
  if (is_described_only(job, fmt::format("a map of {} spans and {} jumps", grouped(map.spans()),
                                         grouped(map.jumps.size())))) {
    return;
  }
  io::write_nav_picture(a.output, map, scene.scene, unit_of(scene.metadata), slice_of(a));
}

int run_render(Job& job, const RenderArguments& a) {
  if (!a.slice.empty() && a.slice[0] > a.slice[1]) {
    throw Error(ErrorKind::usage,
                fmt::format("--slice {},{}: the lower height comes first", a.slice[0], a.slice[1]));
  }
  std::vector<std::string> files = InputFiles(job, a.inputs).names();
  files.push_back(a.file);
  check_files(job, files, {a.output});
  job.set("/input/file", a.file);
  job.timed("picture", [&] { a.draw(job, a); });
  if (job.common().dry_run) return 0;
  job.set("/picture/file", a.output);
  job.wrote(a.output);
  return 0;
}

}  // namespace sightline::cli
