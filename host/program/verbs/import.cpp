// import: a map of a Doom-format WAD file as a scene and viewpoints, or another file's shapes.
#include "host/program/verbs/import.hpp"

#include "host/files/core/file.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/import/doom/import_doom.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/inputs.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

namespace sightline::cli {
namespace {

constexpr std::uint32_t default_grid = 64;

bool is_wad(const std::string& name) {
  const io::File file(name);
  char magic[4] = {};
  if (file.size() >= sizeof magic) file.read(0, magic, sizeof magic);
  return std::string_view(magic + 1, 3) == "WAD";
}

/// The extension in small letters.
std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

/// Shapes of CSV, JSON or an .npy.
void import_table(Job& job, const ImportArguments& a) {
  std::optional<Kind> kind;
  if (!a.kind.empty()) {
    kind = io::kind_named(a.kind);
    if (!kind) {
      io::fail(ErrorKind::usage, "--kind is one of {}, not {}", io::all_kinds(),
               io::in_quotes(a.kind));
    }
  }
  if (!a.faces.empty() && (kind || io::format_of(a.file) != io::FileFormat::npy)) {
    throw Error(ErrorKind::usage, "--faces is for vertices in an .npy, without --kind");
  }
  io::Metadata metadata, said;
  if (!a.unit.empty()) said["unit"] = a.unit;
  if (!a.up.empty()) said["up"] = a.up;
  io::check_units("--unit and --up", said, ErrorKind::usage);
  io::Notes notes;
  const auto up = said.contains("up") ? std::optional(said["up"][0]) : std::nullopt;
  const Scene scene = job.timed("import", [&] {
    return a.faces.empty() ? io::read_scene(a.file, &metadata, &notes, kind, up)
                           : io::read_mesh(a.file, a.faces, &notes);
  });
  warn_of(job, notes);
  said.merge(metadata);
  for (int k = 0; k < kind_count; ++k) {
    job.set(fmt::format("/counts/{}", kind_name(static_cast<Kind>(k))),
            std::uint64_t{scene.count(static_cast<Kind>(k))});
  }
  write_imported(job, a, scene, said);
}

/// Imports a Godot scene or a table of shapes; false for a WAD file. Throws Error{usage} for
/// options of another kind of file, Error{bad_input} for a file that it does not read, naming the
/// Python call where there is one, and as the importers do.
bool import_shapes(Job& job, const ImportArguments& a) {
  const std::string extension = extension_of(a.file);
  const bool godot = extension == ".tscn" || extension == ".escn";
  if (!godot && (!a.root.empty() || a.strict)) {
    throw Error(ErrorKind::usage, "--root and --strict are for Godot scenes");
  }
  const io::FileFormat format =
      godot || extension == ".wad" ? io::FileFormat::other : io::format_of(a.file);
  const bool table = format != io::FileFormat::other && format != io::FileFormat::container;
  if (!table && !(a.kind.empty() && a.faces.empty() && a.unit.empty() && a.up.empty())) {
    throw Error(ErrorKind::usage, "--kind, --faces, --unit and --up are for .csv, .json and .npy");
  }
  if (!godot && !table) {
    if (extension == ".wad" || is_wad(a.file)) return false;
    if (format == io::FileFormat::container) {
      throw Error(ErrorKind::bad_input,
                  a.file + ": is a container already, which the other verbs read as it is");
    }
    const std::string output = a.output.empty() ? "scene.safetensors" : a.output;
    if (const std::string words = io::who_reads(a.file, output); !words.empty()) {
      io::fail(ErrorKind::bad_input, "{}: {}", a.file, words);
    }
    io::fail(
        ErrorKind::bad_input,
        "{}: is of no known format: .wad (Doom), .tscn and .escn (Godot), .csv, .json and .npy "
        "(shapes)",
        a.file);
  }
  if (!a.map.empty() || a.grid || a.floors || a.drawn_walls || !a.points_output.empty()) {
    throw Error(ErrorKind::usage,
                "--map, --grid, --floors, --drawn-walls and --points-out are for WAD files");
  }
  if (a.output.empty()) throw Error(ErrorKind::usage, "--output is required");
  job.set("/input/file", a.file);
  if (!a.faces.empty()) job.set("/input/faces", a.faces);
  if (table) {
    import_table(job, a);
  } else {
    import_godot_scene(job, a);
  }
  return true;
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
  check_files(job, {a.file, a.faces}, {{a.output, "scene"}, {a.points_output, "points"}});
  if (import_shapes(job, a)) return 0;
  if (a.map.empty()) {
    const std::vector<std::string> maps = io::doom_maps(a.file);
    io::fail(ErrorKind::usage, "{}: name a map with --map: {}", a.file,
             maps.empty() ? "none" : fmt::format("{}", fmt::join(maps, ", ")));
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

void write_imported(Job& job, const ImportArguments& a, const Scene& scene,
                    const io::Metadata& metadata) {
  const std::string hash = io::scene_hash(scene);
  if (scene.size() == 0) job.warn("{}: no shapes were found", a.file);
  job.set("/scene/file", a.output);
  job.set("/scene/shapes", scene.size());
  job.set("/scene/hash", hash);
  if (job.common().dry_run) {
    const std::uint64_t bytes = io::bytes_of_scene(scene, metadata);
    job.set("/bytes/scene", bytes);
    job.say("would write {}, {}", plural(scene.size(), "shapes"), format_bytes(bytes));
    return;
  }
  io::write_scene(a.output, scene, metadata);
  job.wrote(a.output, fmt::format("{}, hash {}", plural(scene.size(), "shapes"), hash));
}

void add_import(Verb& v) {
  auto& a = v.runs<ImportArguments>(
      run_import,
      "sightline import freedoom1.wad --map E1M5 -o e1m5.st --points-out eyes.st\n"
      "sightline import level.tscn -o level.st");
  v.positional("FILE", a.file, "WAD file, .tscn, .csv, .json or .npy");
  const Option map =
      v.add("--map", a.map, "E1M5", "WAD: name of the map; without it, the maps are listed");
  v.count("--grid", a.grid, 1, 4096, "UNITS",
          "WAD: distance of viewpoints, in map units; default 64");
  v.flag("--drawn-walls", a.drawn_walls,
         "WAD: walls only as far as they are drawn, not on into what is solid: sight may pass "
         "below high floors");
  v.count("--floors", a.floors, 1, 4096, "UNITS",
          "WAD: also floors and ceilings, as boxes on a grid of cells of this side, in map units");
  v.add("--root", a.root, "DIR",
        "Godot: where res:// is; default the nearest folder with a project.godot, else by the "
        "files that the scene names");
  v.flag("--strict", a.strict, "Godot: refuse what is approximated or left out");
  v.add("--kind", a.kind, "KIND",
        ".npy, or .csv without kinds: what each row is: aabb, obb, sphere, capsule, cylinder, "
        "triangle or plane");
  v.add("--faces", a.faces, "F.npy",
        ".npy: FILE has the vertices [v,3] of a mesh, this file the vertices of each face [f,3]");
  v.add("--unit", a.unit, "WORD", "tables: of lengths; default what the file says, else m");
  v.add("--up", a.up, "AXIS", "tables: y or z; default what the file says, else z");
  map.needs(v.output("-o,--output", a.output, "SCENE", "scene to write"));
  v.output("--points-out", a.points_output, "P.npy", "WAD: viewpoints at eye height to write");
  v.report();
  v.dry_run();
}
}  // namespace sightline::cli
