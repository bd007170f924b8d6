// import: a map of a Doom-format WAD file as a scene and viewpoints, or another file's shapes.
#include "host/files/core/file_format.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/import/doom/import_doom.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/inputs.hpp"
#include "host/program/verbs/import_shapes.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

constexpr std::uint32_t default_grid = 64;

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// The viewpoints; areas are the sectors that they are in.
io::Points points_of(const io::DoomImport& map, const io::Metadata& metadata, bool with_areas) {
  io::Points points;
  points.position = map.viewpoints;
  points.metadata = metadata;
  // A single array has no room for them.
  if (!with_areas) return points;
  points.area = map.viewpoint_sector;
  points.metadata["areas"] = std::to_string(map.counts.sectors);
  return points;
}

void report_counts(Job& job, const io::DoomImport& map) {
  const io::DoomCounts& c = map.counts;
  job.set("/counts/linedefs", c.linedefs);
  job.set("/counts/sectors", c.sectors);
  job.set("/counts/walls", c.walls);
  job.set("/counts/one_sided", c.one_sided);
  job.set("/counts/lower_steps", c.lower_steps);
  job.set("/counts/upper_steps", c.upper_steps);
  job.set("/counts/axis_parallel", c.axis_parallel);
  job.set("/counts/oblique", c.oblique);
  job.set("/counts/zero_length_lines", c.zero_length_lines);
  job.set("/counts/zero_height_walls", c.zero_height_walls);
  job.set("/counts/floors", c.floors);
  job.set("/counts/viewpoints", c.viewpoints);
  job.say("map     {}: {}, {}", map.map, plural(c.linedefs, "lines"), plural(c.sectors, "sectors"));
  job.say(
      "walls   {}: {} one-sided, {}, {}; {} axis-parallel (aabb), {} "
      "oblique (obb)",
      grouped(c.walls), grouped(c.one_sided), plural(c.lower_steps, "lower steps"),
      plural(c.upper_steps, "upper steps"), grouped(c.axis_parallel), grouped(c.oblique));
  if (c.floors > 0) {
    job.say("floors  {} below floors and above ceilings", plural(c.floors, "boxes"));
  }
  job.say("points  {} at eye height", plural(c.viewpoints, "viewpoints"));
}

int run_import(Job& job, const ImportArguments& a) {
  io::refuse_other_ending(a.output);
  io::refuse_other_ending(a.points_output, ".npy");
  check_files(job, {a.file}, {{a.output, "scene"}, {a.points_output, "points"}});
  if (import_shapes(job, a)) return 0;
  if (a.map.empty()) {
    io::fail(ErrorKind::usage, "{}: name a map with --map: {}", a.file,
             joined(io::doom_maps(a.file)));
  }
  job.set("/input/file", a.file);
  job.set("/input/map", a.map);
  const std::uint32_t grid = a.grid.value_or(default_grid);
  job.set("/input/grid", std::uint64_t{grid});
  const io::DoomReach reach = a.drawn_walls ? io::DoomReach::drawn : io::DoomReach::closed;
  const io::DoomImport map =
      job.timed("import", [&] { return io::import_doom(a.file, a.map, grid, a.floors, reach); });
  report_counts(job, map);
  io::Metadata metadata = {{"unit", map.unit},
                           {"up", map.up},
                           {"doom.map", map.map},
                           {"doom.grid", std::to_string(grid)}};
  metadata["doom.walls"] = a.drawn_walls ? "drawn" : "closed";
  write_imported(job, a, map.scene, metadata);
  if (a.points_output.empty()) return 0;
  const bool npy = io::has_ending(a.points_output, ".npy");
  const io::Points points = points_of(map, metadata, !npy);
  if (job.common().dry_run) {
    const std::uint64_t bytes =
        npy ? io::npy_bytes(io::Dtype::f32, {points.count(), 3}) : io::bytes_of_points(points);
    job.set("/bytes/points", bytes);
    job.say("would write {}, {}", plural(points.count(), "points"), format_bytes(bytes));
    return 0;
  }
  io::write_points(a.points_output, points);
  job.set("/points/file", a.points_output);
  job.set("/points/count", points.count());
  job.set("/points/hash", io::points_hash(points));
  job.wrote(a.points_output, plural(points.count(), "points"));
  return 0;
}

}  // namespace

void add_import(Verb& v) {
  auto& a = v.runs<ImportArguments>(
      run_import,
      "sightline import freedoom1.wad --map E1M5 -o e1m5.st --points-out eyes.st\n"
      "sightline import level.tscn -o level.st");
  v.positional("FILE", a.file, "WAD file, .tscn, .csv, .json or .npy");
  const Option map =
      v.text("--map", a.map, "E1M5", "WAD: name of the map; without it, the maps are listed");
  v.count("--grid", a.grid, 1, 4096, "UNITS",
          "WAD: distance of viewpoints, in map units; default 64");
  v.flag("--drawn-walls", a.drawn_walls,
         "WAD: walls only as far as they are drawn, not on into what is solid: sight may pass "
         "below high floors");
  v.count("--floors", a.floors, 1, 4096, "UNITS",
          "WAD: also floors and ceilings, as boxes of cells of so many map units");
  v.text("--root", a.root, "DIR",
         "Godot: where res:// is; default the nearest folder with a project.godot, else by the "
         "files that the scene names");
  v.flag("--strict", a.strict, "Godot: refuse what is approximated or left out");
  v.text("--kind", a.kind, "KIND",
         ".npy, or .csv without kinds: what each row is: aabb, obb, sphere, capsule or plane");
  v.text("--unit", a.unit, "WORD", "tables: of lengths; default what the file says, else m");
  v.text("--up", a.up, "AXIS", "tables: y or z; default what the file says, else z");
  map.needs(v.output("-o,--output", a.output, "SCENE", "scene to write"));
  v.output("--points-out", a.points_output, "P.npy", "WAD: viewpoints at eye height to write");
  v.report();
  v.dry_run();
}
}  // namespace sightline::cli
