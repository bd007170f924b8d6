// nav: where an agent can walk, from a scene to the files that others load.
#include "host/files/core/file.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/recast_file.hpp"
#include "host/files/pictures/picture.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/memory.hpp"
#include "host/program/jobs/progress.hpp"
#include "host/program/verbs/nav_options.hpp"

#include <sightline/geometry/shapes/rays_alone.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

namespace sightline::cli {
namespace {

struct NavCounts {
  std::uint64_t floors = 0, surfaces = 0, walkable = 0, ledges = 0;
  double area = 0, largest = 0;
};

NavCounts count_floors(const NavMap& map) {
  NavCounts c;
  for (std::uint64_t i = 0; i < map.spans(); ++i) {
    c.floors += (map.flags[i] & nav_flags::floor) != 0 ? 1u : 0u;
    c.surfaces += (map.flags[i] & nav_flags::surface) != 0 ? 1u : 0u;
    c.walkable += (map.flags[i] & nav_flags::walkable) != 0 ? 1u : 0u;
    c.ledges += map.ledges[i] != 0 ? 1u : 0u;
  }
  for (const NavRegion& r : map.regions) {
    c.area += r.area;
    c.largest = std::max(c.largest, r.area);
  }
  return c;
}

void report_nav(Job& job, const NavMap& map, const std::string& unit) {
  const NavCounts c = count_floors(map);
  job.set("/grid/width", std::uint64_t{map.grid.width});
  job.set("/grid/depth", std::uint64_t{map.grid.depth});
  job.set("/counts/columns", map.grid.columns());
  job.set("/counts/spans", map.spans());
  job.set("/counts/floors", c.floors);
  job.set("/counts/surfaces", c.surfaces);
  job.set("/counts/walkable", c.walkable);
  job.set("/counts/ledges", c.ledges);
  job.set("/counts/regions", std::uint64_t{map.regions.size()});
  job.set("/counts/jumps", map.jumps.size());
  job.set("/area/walkable", c.area);
  job.set("/area/largest_region", c.largest);
  job.say("grid    {} x {} columns, {}", map.grid.width, map.grid.depth,
          plural(map.spans(), "spans"));
  job.say("floors  {} with head room, {} no steeper than {} degrees, {} walkable",
          grouped(c.floors), grouped(c.surfaces), map.agent.slope, grouped(c.walkable));
  job.say("regions {}: {} square {} walkable, {} in the largest", grouped(map.regions.size()),
          plain_number(c.area), many(unit), plain_number(c.largest));
  if (map.jumps.size() > 0) job.say("jumps   {}", grouped(map.jumps.size()));
}

/// Whether a scene is of a Doom map's walls alone. Boxes of floors have labels beyond the walls'.
bool lacks_floors(const Scene& scene, const io::Metadata& metadata) {
  if (!metadata.contains("doom.walls")) return false;
  for (std::uint32_t id = 0; id < scene.size(); ++id) {
    if (scene.attributes(id).label >> 32 != 0) return false;
  }
  return true;
}

/// Why there is no walkable place: the first stage of the bake that leaves nothing.
std::string why_no_region(const NavMap& map, const NavArguments& a, bool walls_alone) {
  const NavCounts c = count_floors(map);
  if (walls_alone) return "the scene has a Doom map's walls alone; import the map with --floors 8";
  if (map.spans() == 0) return "no shape is above or below any column";
  if (c.floors == 0) {
    return fmt::format("no shape within the bounds has --height {} of free room above it",
                       map.agent.height);
  }
  if (c.surfaces == 0) {
    return fmt::format("all floors are steeper than --slope {}", map.agent.slope);
  }
  if (!a.from.empty()) {
    return fmt::format("no floor where an agent of --radius {} fits can be reached from {}",
                       map.agent.radius, a.from);
  }
  return fmt::format("all floors are nearer than --radius {} to an obstacle or to their border",
                     map.agent.radius);
}

void warn_of_agent(Job& job, const NavOptions& o) {
  if (o.agent.radius < 0.71f * o.cell) {
    job.warn(
        "the radius is less than 0.71 cells: walls that are thinner than a cell may be missed; "
        "take smaller cells");
  }
}

/// How many steps come closest to a length; at least one, and no more than a product of two holds.
std::uint64_t whole_steps(double length, double step) {
  return static_cast<std::uint64_t>(std::clamp(std::round(length / step), 1.0, 1e9));
}

/// Points over every walkable floor, in the order of columns and from the lowest up. The area of
/// each is what a square of the grid holds of one region, numbered as they come.
io::Points nav_points(const NavMap& map, const NavLengths& o) {
  const std::uint64_t step = whole_steps(o.spacing, map.grid.cell);
  const double spacing = static_cast<double>(step) * static_cast<double>(map.grid.cell);
  const std::uint64_t side = step * whole_steps(o.area_side, spacing);
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, std::uint32_t> areas;
  io::Points points;
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    const std::uint64_t i = c % map.grid.width, j = c / map.grid.width;
    if (i % step != step / 2 || j % step != step / 2) continue;
    for (std::uint64_t s = map.offsets[c]; s < map.offsets[c + 1]; ++s) {
      if ((map.flags[s] & nav_flags::walkable) == 0) continue;
      points.position.push_back(map.grid.at(c, map.top[s] + o.eye));
      const auto next = static_cast<std::uint32_t>(areas.size());
      points.area.push_back(
          areas.try_emplace({map.region[s], i / side, j / side}, next).first->second);
    }
  }
  return points;
}

/// What the largest of the files takes while it is written, beside the map.
void require_nav_files(const Job& job, const NavArguments& a, const NavMap& map) {
  const std::uint64_t limit = job.common().max_memory;
  if (!a.recast.empty()) {
    require_memory(limit, map.grid.columns() * 8 + map.spans() * 5, "the spans for Recast");
  }
  if (!a.editor.empty()) require_memory(limit, io::nav_json_bytes(map), "the editor's file");
  if (!a.picture.empty()) require_memory(limit, io::nav_picture_bytes(map), "the picture");
}

void write_nav_files(Job& job, const NavArguments& a, const NavLengths& lengths, const NavMap& map,
                     const Caster& caster, const io::Metadata& metadata) {
  require_nav_files(job, a, map);
  job.timed("commit", [&] { io::write_nav(a.output, map, metadata); });
  job.wrote(a.output);
  job.set("/result/file", a.output);
  const auto also_write = [&](const std::string& file, const auto& write) {
    if (file.empty()) return;
    write();
    job.wrote(file);
  };
  also_write(a.recast, [&] { io::write_recast(a.recast, map, metadata); });
  also_write(a.editor, [&] { io::write_nav_json(a.editor, map, metadata); });
  also_write(a.arrays, [&] { io::write_nav_arrays(a.arrays, map); });
  also_write(a.picture, [&] {
    const std::uint64_t hidden =
        io::write_nav_picture(a.picture, map, caster.scene(), unit_of(metadata));
    warn_of_floors(job, a.picture, hidden, "walkable cells");
  });
  if (!a.points.empty()) {
    io::Points points = nav_points(map, lengths);
    points.metadata = {{"unit", unit_of(metadata)}, {"up", map.grid.up == UpAxis::y ? "y" : "z"}};
    job.set("/points/file", a.points);
    job.set("/points/count", points.count());
    if (io::has_ending(a.points, ".npy")) points.area.clear();  // which has no room for them
    io::write_points(a.points, points);
    job.wrote(a.points, plural(points.count(), "points"));
  }
}

int run_nav(Job& job, const NavArguments& a) {
  if (!a.picture.empty()) require_ending(a.picture, {".png"});
  io::refuse_other_ending(a.output);
  io::refuse_other_ending(a.recast);
  io::refuse_other_ending(a.points, ".npy");
  const bool json =
      std::filesystem::path(a.editor).extension().empty() || io::has_ending(a.editor, ".json");
  if (!json)
    io::fail(ErrorKind::usage, "--editor {}: this file is JSON: end its name in .json", a.editor);
  const bool is_new = a.arrays.empty() || !io::exists(a.arrays);
  check_files(job, {a.scene, a.from},
              {{a.output, "nav"},
               {a.recast, "recast"},
               a.editor,
               a.picture,
               {a.points, "points"},
               is_new ? a.arrays : a.arrays + "/offsets.npy"});
  LoadedScene scene = load_scene(job, a.scene);
  const std::string unit = unit_of(scene.metadata);
  const NavLengths lengths = lengths_in(unit, a.lengths);
  NavOptions options = nav_options(a, lengths, scene.metadata);
  io::Metadata metadata = {{"unit", unit},
                           {"scene.hash", scene.hash},
                           {"sightline.answers", std::to_string(answers_version)}};
  if (options.mask != NavOptions().mask) metadata["query.mask"] = std::to_string(options.mask);
  if (const Aabb bounds = scene.scene.bounds(); a.bounds.empty() && bounds.min.x > bounds.max.x) {
    io::fail(
        ErrorKind::usage,
        "{}: no shape has bounds, so that nothing says how large the map is: name its --bounds",
        a.scene);
  }
  const NavGrid grid = nav_grid(scene.scene, options);
  if (!job.common().dry_run && job.common().max_memory == 0) {
    require_yes(job, nav_bytes(grid),
                fmt::format("a map of {}, {} x {} of {} {},", plural(grid.columns(), "columns"),
                            grid.width, grid.depth, grid.cell, many(unit)));
  }
  std::optional<io::Points> from;
  if (!a.from.empty()) {
    from = load_points(job, a.from, "/from");
    if (from->count() == 0) {
      throw Error(ErrorKind::bad_input, a.from + ": has no points to walk from");
    }
    options.from = from->view();
    metadata["from.hash"] = io::points_hash(*from);
  }
  with_refused(scene.scene, Refused::without_columns, [&](Kind kind, std::uint32_t n) {
    io::fail(ErrorKind::bad_input,
             "{}: navigation maps take no {}s yet, and the scene has {}: remove them", a.scene,
             kind_name(kind), n);
  });
  const Caster caster = build_caster(job, std::move(scene.scene));
  if (job.common().max_memory != 0) {
    options.max_bytes = std::max<std::uint64_t>(1, free_memory(job.common().max_memory));
  }
  job.set("/up", options.up == UpAxis::y ? "y" : "z");
  warn_of_agent(job, options);
  if (!a.recast.empty()) io::check_recast(grid);
  if (job.common().dry_run) {
    const std::uint64_t bytes = nav_bytes(grid), file = nav_file_bytes(grid);
    job.set("/counts/columns", grid.columns());
    job.set("/memory/estimate_bytes", bytes);
    job.set("/bytes/estimate", file);
    job.say("would cast {}, {} x {}; if each has one floor, would hold some {} and write some {}",
            plural(grid.columns(), "columns"), grid.width, grid.depth, format_bytes(bytes),
            format_bytes(file));
    return 0;
  }
  std::string stage;
  std::optional<Progress> progress;  // a bar for each stage of the bake
  options.progress = [&](const char* name, std::uint64_t done, std::uint64_t total) {
    if (stage != name) {
      progress.reset();
      stage = name;
      progress.emplace("nav", stage, total, job.common().quiet);
    }
    progress->update(done);
  };
  const NavMap map = job.timed("nav", [&] { return bake_nav(caster, options); });
  report_nav(job, map, unit);
  if (map.regions.empty()) {
    const bool walls_alone = lacks_floors(caster.scene(), scene.metadata);
    job.warn("there is no walkable place: {}", why_no_region(map, a, walls_alone));
  }
  write_nav_files(job, a, lengths, map, caster, metadata);
  return 0;
}

void add_agent(Verb& v, NavArguments& a, Option points) {
  for (const NavLength& l : nav_lengths) {
    const std::string words =
        fmt::format("{}; default {}, in a Doom map {}", l.words, l.metres, l.doom);
    const Option option = v.number(l.option, a.lengths.*l.to, any_length, "L", words);
    if (l.is_of_points) option.needs(points);
  }
  v.number("--slope", a.slope, {0, 90, "a number from 0 to 90"}, "DEG",
           "the steepest floor it walks on, in degrees");
  v.number("--range", a.range, any_length, "L",
           "distances are measured as far as this, at most 64 cells; 0: 4 radii");
  v.number("--jump", a.jump, any_length, "L",
           "look for jumps and drops as far as this, at most 64 cells");
}

}  // namespace

void add_nav(Verb& v) {
  auto& a = v.runs<NavArguments>(
      run_nav,
      "sightline nav city.st -o city.nav --picture city.png\n"
      "sightline nav city.st -o city.nav --points-out eyes.st --from spawns.npy");
  v.positional("SCENE", a.scene, "scene");
  v.output(a.output, "OUT", "map to write");
  add_agent(
      v, a,
      v.output("--points-out", a.points, "POINTS",
               "also points over the walkable floors, with areas, for the bakes of visibility"));
  v.count("--mask", a.mask, 0, most_bits, "BITS",
          "32 bits; a shape counts when its mask shares one; default all");
  v.add("--up", a.up, "AXIS", "y or z; default: as the scene says").check(member({"y", "z"}));
  v.number("--bounds", a.bounds, coordinate, "N",
           "minimum and maximum of what is baked, x y z x y z; default: all shapes")
      .values(6, false);
  v.add("--from", a.from, "P", "keep only what can be reached from the floors below points");
  v.output("--recast", a.recast, "FILE", "also spans for Recast");
  v.output("--editor", a.editor, "FILE.json", "also JSON for editors");
  v.output("--arrays", a.arrays, "FOLDER", "also every column as .npy, in a folder");
  v.output("--picture", a.picture, "MAP.png", "also a map with a legend");
  v.yes();
  v.run();
}
}  // namespace sightline::cli
