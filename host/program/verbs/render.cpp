// render: pictures of results.
#include "host/program/verbs/render.hpp"

#include "host/files/pictures/picture.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

io::Slice slice_of(const RenderArguments& a) {
  return a.slice.empty() ? io::Slice{} : io::Slice{a.slice[0], a.slice[1]};
}

void add_scene(Verb& v, RenderArguments& a) {
  v.input("--scene", a.inputs, "SCENE", "the result's scene");
}

void add_slice(Verb& v, RenderArguments& a, const char* words) {
  v.number("--slice", a.slice, {-infinity, infinity, "a number"}, "LOW,HIGH", words)
      .values(2, true);
}

}  // namespace

int run_picture(Job& job, const RenderArguments& a, const std::function<void()>& draw) {
  if (!a.slice.empty() && a.slice[0] > a.slice[1]) {
    io::fail(ErrorKind::usage, "--slice {},{}: the lower height comes first", a.slice[0],
             a.slice[1]);
  }
  std::vector<std::string> files = InputFiles(job, a.inputs).names();
  files.push_back(a.file);
  check_files(job, files, {a.output});
  require_ending(a.output, {".png"});
  job.set("/input/file", a.file);
  job.timed("picture", draw);
  if (job.common().dry_run) return 0;
  job.set("/picture/file", a.output);
  job.wrote(a.output);
  return 0;
}

void add_map_options(Verb& v, RenderArguments& a) {
  add_scene(v, a);
  v.input("--over", a.inputs, "SCENE",
          "draw over another scene of the same map, such as its walls alone");
  v.input("--links", a.inputs, "MAP.nav", "draw the jumps and drops of a map that nav made of it");
  add_slice(v, a, "heights that are shown: points between, shapes that reach between");
}

void add_point_map_options(Verb& v, RenderArguments& a) {
  add_map_options(v, a);
  v.input("--from,--points", a.inputs, "A", "its viewpoints, or its points");
}

bool is_described_only(Job& job, const std::string& what) {
  if (job.common().dry_run) job.say("would draw {}", what);
  return job.common().dry_run;
}

ResultFile open_result(const RenderArguments& a, std::initializer_list<std::string_view> kinds) {
  ResultFile result(a.file);
  const std::string_view found = result.result().names().kind;
  if (std::find(kinds.begin(), kinds.end(), found) != kinds.end()) return result;
  io::fail(ErrorKind::usage, "{}: is of kind '{}'; this picture is of '{}'", a.file, found,
           fmt::join(kinds, "', '"));
}

InputFiles inputs_of(Job& job, const RenderArguments& a, const ResultFile& result) {
  return {job, a.inputs, a.file, result.result().names().kind, true};
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

namespace {

void render_nav(Job& job, const RenderArguments& a) {
  io::Metadata metadata;
  const NavMap map = load_map(job, a.file, metadata);
  const LoadedScene scene =
      InputFiles(job, a.inputs, a.file, "a navigation map").scene(metadata["scene.hash"]);
  if (is_described_only(job, fmt::format("a map of {} and {}", plural(map.spans(), "spans"),
                                         plural(map.jumps.size(), "jumps")))) {
    return;
  }
  const std::uint64_t hidden =
      io::write_nav_picture(a.output, map, scene.scene, unit_of(scene.metadata), slice_of(a));
  warn_of_floors(job, a.output, hidden, "walkable cells");
}

}  // namespace

void add_picture_output(Verb& v, RenderArguments& a) {
  v.output(a.output, "P.png", "picture to write");
  v.max_memory(), v.report(), v.dry_run();
}

void add_nav_picture(Verb& v) {
  auto& a =
      add_picture(v, render_nav,
                  "sightline render nav city.nav --scene city.st -o nav.png\n"
                  "sightline render nav house.nav --scene house.st --slice 2.5,5 -o upstairs.png");
  add_scene(v, a);
  add_slice(v, a, "heights of the floors that are shown, such as one storey");
  add_picture_output(v, a);
}

void add_render(Verb& v) {
  v.examples(
      "sightline render map seen.st --scene city.st --from eyes.npy -o seen.png\n"
      "sightline render nav city.nav --scene city.st -o nav.png");
}

}  // namespace sightline::cli
