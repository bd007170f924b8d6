// The only file that sees CLI11, which takes seconds to compile.
#include "host/cli/arguments.hpp"

#include "host/cli/bytes.hpp"

#include <CLI/CLI.hpp>

#include <cmath>

namespace sightline::cli {
namespace {

constexpr char about[] =
    "sightline: a batch ray caster whose answers are equal to the bit on every device.\n"
    "Data goes to files, words to stderr. Exit codes: 0 done, 1 a check found a difference,\n"
    "2 usage, 3 bad input, 4 device, 5 out of memory, 6 input/output, 7 a defect of ours,\n"
    "75 stopped, the same command goes on, 130 interrupted.";

CLI::Validator byte_size() {
  return {[](std::string& text) {
            const auto bytes = parse_bytes(text);
            if (!bytes) return "'" + text + "' is not a size such as 268435456, 256M or 1G";
            text = std::to_string(*bytes);
            return std::string();
          },
          ""};
}

CLI::Validator device_name() {
  return {
      [](std::string& text) {
        const bool plain = text == "auto" || text == "reference" || text == "cpu" || text == "cuda";
        const bool numbered = text.size() > 5 && text.size() < 9 && text.rfind("cuda:", 0) == 0 &&
                              text.find_first_not_of("0123456789", 5) == std::string::npos;
        if (plain || numbered) return std::string();
        return "'" + text + "' is not auto, reference, cpu, cuda or cuda:NUMBER";
      },
      ""};
}

/// A float option that may be inf but not NaN.
CLI::Validator number(float least, float most, const std::string& words) {
  return {[=](std::string& text) {
            float value = NAN;
            if (CLI::detail::lexical_cast(text, value) && least <= value && value <= most) {
              return std::string();
            }
            return "'" + text + "' is not " + words;
          },
          ""};
}

void add_report(CLI::App& verb, CommonArguments& to) {
  verb.add_option("--json", to.json, "machine report to a FILE, or - for stdout")
      ->type_name("FILE|-");
  verb.add_flag("-q,--quiet", to.quiet, "say only warnings and errors");
}
void add_dry_run(CLI::App& verb, CommonArguments& to) {
  verb.add_flag("--dry-run", to.dry_run,
                "say what would be done, with bytes and memory; write nothing");
}
/// What the verbs whose stopped runs go on share.
void add_keeping(CLI::App& verb, io::Keeping& to) {
  verb.add_flag("--restart", to.restart,
                "throw away what an unfinished run of this output has done");
  verb.add_option("--keep-every", to.every_seconds,
                  "seconds after which what is done is kept for the next run, whatever ends this "
                  "one; rarer on a slow disk; 0: after every chunk")
      ->check(CLI::Range(0.0, 1e6).description(""))
      ->type_name("S")
      ->capture_default_str();
}
void add_threads(CLI::App& verb, CommonArguments& to) {
  verb.add_option("--threads", to.threads, "threads on the CPU; 0 = all cores")
      ->check(CLI::Range(0, 4096).description(""))
      ->type_name("N")
      ->capture_default_str();
}
void add_lanes(CLI::App& verb, CommonArguments& to) {
  verb.add_option_function<std::string>(
          "--lanes",
          [&to](const std::string& name) {
            to.lanes = name == "avx512"     ? Lanes::avx512
                       : name == "avx2"     ? Lanes::avx2
                       : name == "portable" ? Lanes::portable
                                            : Lanes::automatic;
          },
          "instructions of the CPU: avx512, avx2, portable or auto (the widest; default)")
      ->check(CLI::IsMember({"avx512", "avx2", "portable", "auto"}).description(""))
      ->type_name("LANES");
}
void add_device(CLI::App& verb, CommonArguments& to) {
  verb.add_option("--device", to.device, "auto, reference (brute force), cpu, cuda or cuda:i")
      ->transform(device_name())
      ->type_name("DEVICE")
      ->capture_default_str();
}
void add_max_memory(CLI::App& verb, CommonArguments& to) {
  verb.add_option("--max-memory", to.max_memory,
                  "bytes of main memory to stay within; K, M, G, T are binary; default: no limit")
      ->transform(byte_size())
      ->type_name("BYTES");
}

void add_inside(CLI::App& verb, Inside& to) {
  verb.add_option_function<std::string>(
          "--inside",
          [&to](const std::string& name) {
            to = name == "surface"  ? Inside::surface
                 : name == "ignore" ? Inside::ignore
                                    : Inside::solid;
          },
          "what begins in a shape: solid (a hit at once; default), surface (its way out) or ignore "
          "(not that shape)")
      ->check(CLI::IsMember({"solid", "surface", "ignore"}).description(""))
      ->type_name("POLICY");
}

void add_normals(CLI::App& verb, bool& to) {
  verb.add_flag("--normals", to, "also write outward unit normals");
}

/// A radius for all rays, or the name of a file.
void add_radius(CLI::App& verb, CastArguments& to) {
  verb.add_option_function<std::string>(
          "--radius",
          [&to](const std::string& text) {
            float value = NAN;
            if (!CLI::detail::lexical_cast(text, value)) {
              to.radii = text;
            } else if (0 <= value && value <= domain_limit) {
              to.radius = value;
            } else {
              throw CLI::ValidationError("--radius", "'" + text + "' is not 0 to 2^40");
            }
          },
          "of spheres that move along the rays: a number, or a file of [n] f32; default 0")
      ->type_name("R|R.npy");
}

/// `alone`: whether directions may come without origins, for what is not rays.
void add_rays(CLI::App& verb, RaysArguments& to, bool alone = false) {
  auto* rays = verb.add_option("--rays", to.rays, "file of rays")->type_name("RAYS");
  auto* origins = verb.add_option("--origins", to.origins, "origins [n,3] f32, in scene units")
                      ->type_name("O.npy");
  auto* directions =
      verb.add_option("--directions", to.directions, "directions [n,3] f32, of any nonzero length")
          ->type_name("D.npy");
  origins->needs(directions)->excludes(rays);
  directions->excludes(rays);
  if (!alone) directions->needs(origins);
}

/// How wide and how far viewpoints see in their directions.
void add_fields(CLI::App& verb, FieldArguments& to) {
  verb.add_option(
          "--half-angle", to.half_angle,
          "of fields of view about their directions, 0 to 180 degrees: a number, or [V] f32")
      ->type_name("DEG|A.npy");
  verb.add_option("--view-range", to.range,
                  "how far viewpoints see, in scene units: a number, or [V] f32; default inf")
      ->type_name("R|R.npy");
}

void add_range(CLI::App& verb, float& to) {
  verb.add_option("--range", to, "farthest sight, in scene units; default inf")
      ->check(number(0, infinity, "a number of at least 0"))
      ->type_name("R");
}

/// How viewpoints see, of visibility and of exposure.
template <class Arguments>
void add_sight(CLI::App& verb, Arguments& to) {
  verb.add_option("--directions", to.fields.directions,
                  "where viewpoints look: [V,3] f32 of any nonzero length, or [1,3] for all")
      ->type_name("D.npy");
  add_fields(verb, to.fields);
  verb.add_flag("--sector", to.fields.sector,
                "fields are sectors of the map, whatever the heights; default cones");
  add_range(verb, to.range);
  verb.add_option("--margin", to.margin,
                  "share of a segment left out at both ends, 0 to below 0.5; default 0")
      ->check(number(0, std::nextafter(0.5f, 0.0f), "at least 0 and below 0.5"))
      ->type_name("M");
  add_inside(verb, to.inside);
}

void add_info(CLI::App& app, InfoArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("info", "about the program and its devices, or about a file");
  verb.add_option("FILE", to.file, "scene, rays, points or result")->type_name("");
  add_report(verb, common);
}

void add_gen(CLI::App& app, GenArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("gen", "make a standard scene, and rays over it");
  verb.add_option("KIND", to.kind, "city, cloud, mixed, lattice or adversarial")
      ->required()
      ->check(CLI::IsMember({"city", "cloud", "mixed", "lattice", "adversarial"}).description(""))
      ->type_name("");
  verb.add_option("--shapes", to.shapes, "number of shapes")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{0xFFFFFFFE}).description(""))
      ->type_name("N");
  verb.add_option("--seed", to.seed, "the same seed makes the same file")
      ->type_name("S")
      ->capture_default_str();
  verb.add_option("-o,--output", to.output, "scene to write")->required()->type_name("SCENE");
  auto* rays =
      verb.add_option("--rays", to.rays, "coherent (a camera), incoherent, or los (segments)")
          ->check(CLI::IsMember({"coherent", "incoherent", "los"}).description(""))
          ->type_name("KIND");
  auto* count = verb.add_option("--count", to.ray_count, "number of rays")
                    ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40).description(""))
                    ->type_name("M");
  auto* output = verb.add_option("--rays-out", to.rays_output, "rays to write")->type_name("RAYS");
  rays->needs(count)->needs(output);
  count->needs(rays);
  output->needs(rays);
  add_device(verb, common);
  add_threads(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_import(CLI::App& app, ImportArguments& to, CommonArguments& common) {
  auto& verb =
      *app.add_subcommand("import", "read a Doom map, a Godot scene, a PDB molecule, a voxel map");
  verb.add_option("FILE", to.file, "WAD file, .tscn, .pdb or .ent, or .3dmap")
      ->required()
      ->type_name("");
  auto* map =
      verb.add_option("--map", to.map, "WAD: name of the map; without it, the maps are listed")
          ->type_name("E1M5");
  verb.add_option("--grid", to.grid, "WAD: distance of viewpoints, in map units; default 64")
      ->check(CLI::Range(1u, 4096u).description(""))
      ->type_name("UNITS");
  verb.add_flag("--closed", to.closed,
                "WAD: walls reach on into what is solid, so that nothing sees through floors");
  verb.add_option("--floors", to.floors,
                  "WAD: also floors and ceilings, as boxes of cells of so many map units")
      ->check(CLI::Range(1u, 4096u).description(""))
      ->type_name("UNITS");
  verb.add_option("--ball", to.ball,
                  "PDB: radius of every atom, in angstrom; default its van der Waals radius")
      ->check(number(0, 1e6f, "0 to 1,000,000"))
      ->type_name("R");
  verb.add_option("--copies", to.copies,
                  "PDB: the first N copies of REMARK 350, or all; default the atoms as they are")
      ->type_name("N");
  verb.add_option("--root", to.root,
                  "Godot: where res:// is; default the nearest folder with a project.godot, else "
                  "by the files that the scene names")
      ->type_name("DIR");
  verb.add_flag("--strict", to.strict, "Godot: refuse what is approximated or left out");
  map->needs(verb.add_option("-o,--output", to.output, "scene to write")->type_name("SCENE"));
  verb.add_option("--points-out", to.points_output, "WAD: viewpoints at eye height to write")
      ->type_name("P.npy");
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_cast(CLI::App& app, CastArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("cast", "cast the rays of a file, of any number, at a scene");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  add_rays(verb, to.input);

  verb.add_option("--t-min", to.t_min, "start, in lengths of the direction; default 0")
      ->check(number(0, infinity, "a number of at least 0"))
      ->type_name("T");
  verb.add_option("--t-max", to.t_max, "end, in lengths of the direction; default inf")
      ->check(number(0, infinity, "a number of at least 0"))
      ->type_name("T");
  verb.add_option("--mask", to.mask,
                  "32 bits; a shape counts when its mask shares one; default all")
      ->type_name("BITS");
  verb.add_option("--exclude", to.exclude, "shapes to leave out: ids or kind:index, at most two")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID,...");
  verb.add_option("--exclude-group", to.exclude_group, "groups to leave out, at most two")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("GROUP,...");
  verb.add_option_function<std::string>(
          "--query",
          [&to](const std::string& query) {
            to.query = query == "any"     ? CastQueryKind::any
                       : query == "count" ? CastQueryKind::count
                       : query == "all"   ? CastQueryKind::all
                                          : CastQueryKind::closest;
          },
          "closest (t, id, flags; default), any (one bit per ray), count, or all (hits in rows)")
      ->check(CLI::IsMember({"closest", "any", "count", "all"}).description(""))
      ->type_name("QUERY");
  verb.add_option("--first", to.first, "all: keep the nearest K hits of a ray; default all")
      ->check(CLI::Range(std::uint32_t{1}, none - 1).description(""))
      ->type_name("K");
  verb.add_flag("--t-out", to.t_out, "all: also write where each shape is left");
  add_radius(verb, to);
  add_inside(verb, to.inside);
  add_normals(verb, to.normals);
  verb.add_flag("--strict", to.strict, "a bad ray is an error, not a miss");
  verb.add_option("-o,--output", to.output, "hits to write")->required()->type_name("HITS");
  add_keeping(verb, to.keeping);
  add_device(verb, common);
  add_threads(verb, common);
  add_lanes(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_visibility(CLI::App& app, VisibilityArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("visibility", "which points see which");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option("--from", to.from, "viewpoints")->required()->type_name("A");
  verb.add_option("--to", to.to, "targets; default: the viewpoints themselves")->type_name("B");
  add_sight(verb, to);
  verb.add_option("-o,--output", to.output, "bits to write")->required()->type_name("VIS");
  verb.add_option("--picture", to.picture,
                  "map from above: viewpoints coloured by how much they see, and the shapes")
      ->type_name("P.png");
  add_keeping(verb, to.keeping);
  add_device(verb, common);
  add_threads(verb, common);
  add_lanes(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

CLI::Option* add_overlap_query(CLI::App& verb, OverlapQueryKind& to, const std::string& words) {
  return verb
      .add_option_function<std::string>(
          "--query",
          [&to](const std::string& query) {
            to = query == "count" ? OverlapQueryKind::count
                 : query == "all" ? OverlapQueryKind::all
                                  : OverlapQueryKind::any;
          },
          words)
      ->check(CLI::IsMember({"any", "count", "all"}).description(""))
      ->type_name("QUERY");
}

void add_overlap(CLI::App& app, OverlapArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("overlap", "which shapes of a scene overlap those of another");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option(
          "--with", to.with,
          "scene whose shapes ask, in the order of their ids; a point is a sphere of radius "
          "0, planes cannot ask")
      ->required()
      ->type_name("SHAPES");
  add_overlap_query(verb, to.query,
                    "any (one bit per shape; default), count, or all (ids in rows)");
  verb.add_option("-o,--output", to.output, "result to write")->required()->type_name("OUT");
  add_keeping(verb, to.keeping);
  add_device(verb, common);
  add_threads(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_flat(CLI::App& app, FlatArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("flat", "circles and segments at a set of 2D shapes");
  verb.add_option("SET", to.scene, "set of 2D shapes")->required()->type_name("");
  auto* circles = verb.add_option("--circles", to.circles,
                                  "which shapes overlap these circles: x, y, radius [n,3] f32")
                      ->type_name("C.npy");
  auto* segments = verb.add_option("--segments", to.segments,
                                   "where these segments hit a shape first: two ends [n,4] f32")
                       ->type_name("S.npy")
                       ->excludes(circles);
  add_overlap_query(verb, to.query,
                    "of circles: any (one bit per circle; default), count, or all (ids in rows)")
      ->excludes(segments);
  add_inside(verb, to.inside);
  verb.get_option("--inside")->excludes(circles);
  verb.add_option("-o,--output", to.output, "result to write")->required()->type_name("OUT");
  add_keeping(verb, to.keeping);
  add_device(verb, common);
  add_threads(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_distance(CLI::App& app, DistanceArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand(
      "distance", "the shapes nearest to points, or to segments: how clear a path is");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option("--points", to.points, "points, or where segments begin")
      ->required()
      ->type_name("P");
  verb.add_option("--to", to.to, "where the segments end, one for each point; then clearances")
      ->type_name("Q");
  verb.add_option("--range", to.range, "farthest shape, in scene units; default inf")
      ->check(number(0, infinity, "a number of at least 0"))
      ->type_name("R");
  verb.add_option("--k", to.k, "shapes for each, nearest first")
      ->check(CLI::Range(1u, none - 1).description(""))
      ->type_name("K")
      ->capture_default_str();
  verb.add_option("-o,--output", to.output, "result to write")->required()->type_name("OUT");
  add_keeping(verb, to.keeping);
  add_device(verb, common);
  add_threads(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_sweep(CLI::App& app, SweepArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("sweep", "what spheres and capsules that move hit of a scene");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option("--capsules", to.capsules,
                  "scene whose spheres and capsules move, in the order of their ids")
      ->required()
      ->type_name("SHAPES");
  verb.add_option("--directions", to.directions, "directions [n,3] f32, of any nonzero length")
      ->required()
      ->type_name("D.npy");
  verb.add_option("--t-max", to.t_max, "end, in lengths of the direction; default inf")
      ->check(number(0, infinity, "a number of at least 0"))
      ->type_name("T");
  add_inside(verb, to.inside);
  add_normals(verb, to.normals);
  verb.add_flag("--strict", to.strict, "a NaN or infinite direction is an error, not a miss");
  verb.add_option("-o,--output", to.output, "hits to write")->required()->type_name("HITS");
  add_keeping(verb, to.keeping);
  add_device(verb, common);
  add_threads(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_areas(CLI::App& app, AreasArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand(
      "areas", "which areas (cells, sectors, polygons, boxes) see which: not, partly, fully");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option("--areas", to.areas, "areas, or points that say of which area each is")
      ->required()
      ->type_name("AREAS");
  verb.add_option("--samples", to.samples,
                  "points in each area that does not say how many; default 16")
      ->check(CLI::Range(1u, 65535u).description(""))
      ->type_name("N");
  verb.add_flag("--classes", to.classes,
                "write the classes alone: areas are done as soon as they are known to be partly "
                "visible");
  add_range(verb, to.range);
  add_inside(verb, to.inside);
  verb.add_option("-o,--output", to.output, "classes and counts to write")
      ->required()
      ->type_name("OUT");
  verb.add_option("--picture", to.picture,
                  "map from above: samples coloured by how many areas theirs sees, and the shapes")
      ->type_name("P.png");
  add_device(verb, common);
  add_threads(verb, common);
  add_lanes(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_pvs(CLI::App& app, SetsArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand(
      "pvs", "potentially visible sets of what areas wrote: bits, and lists of differences");
  verb.add_option("AREAS", to.areas, "classes of areas")->required()->type_name("");
  verb.add_option("-o,--output", to.output, "sets to write")->required()->type_name("PVS");
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_exposure(CLI::App& app, ExposureArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("exposure", "how many viewpoints see each target");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option("--from", to.from, "viewpoints")->required()->type_name("A");
  verb.add_option("--to", to.to, "targets")->required()->type_name("B");
  add_sight(verb, to);
  verb.add_option("-o,--output", to.output, "counts and shares to write, or an .npy of counts")
      ->required()
      ->type_name("OUT");
  verb.add_option("--picture", to.picture,
                  "map from above: targets coloured by how many see them, and the shapes")
      ->type_name("P.png");
  add_device(verb, common);
  add_threads(verb, common);
  add_lanes(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_probes(CLI::App& app, ProbesArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("probes", "how far one sees from points in every direction");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option("--points", to.points, "points")->required()->type_name("P");
  verb.add_option("--grid", to.grid, "N x N directions of an octahedral map")
      ->check(CLI::Range(1u, 4096u).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_range(verb, to.range);
  add_inside(verb, to.inside);
  verb.add_option("-o,--output", to.output, "distances and directions to write")
      ->required()
      ->type_name("OUT");
  add_device(verb, common);
  add_threads(verb, common);
  add_lanes(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_cover(CLI::App& app, CoverArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand(
      "cover", "where one can take cover, from which directions, and where one can lean out");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option("--points", to.points, "points where one could stand")
      ->required()
      ->type_name("P");
  verb.add_option("--directions", to.options.directions, "4, 8, 16, 32 or 64, evenly around")
      ->check(CLI::IsMember({4u, 8u, 16u, 32u, 64u}).description(""))
      ->type_name("K")
      ->capture_default_str();
  const auto length = [&](const char* name, float& value, const char* words) {
    verb.add_option(name, value, words)
        ->check(number(-domain_limit, domain_limit, "a number of at most 2^40"))
        ->type_name("L")
        ->capture_default_str();
  };
  length("--at", to.options.at, "how high the points are above the feet, in scene units as all");
  length("--crouch", to.options.crouch, "eyes above the feet when crouching");
  length("--stand", to.options.stand, "eyes above the feet when standing");
  length("--radius", to.options.radius, "of the body: what is nearer leaves no room");
  length("--reach", to.options.reach, "what is further away is no cover");
  length("--lean", to.options.lean, "how far one leans to the side");
  length("--view", to.options.view, "how far one must see from there");
  verb.add_option("-o,--output", to.output, "cover to write")->required()->type_name("OUT");
  verb.add_option("--picture", to.picture,
                  "map from above: points coloured by how many directions are safe, and the shapes")
      ->type_name("P.png");
  add_device(verb, common);
  add_threads(verb, common);
  add_lanes(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_agent(CLI::App& verb, NavArguments& to) {
  const auto length = [&](const char* name, float& value, const std::string& words) {
    verb.add_option(name, value, words)
        ->check(number(0, domain_limit, "a number from 0 to 2^40"))
        ->type_name("L")
        ->capture_default_str();
  };
  length("--radius", to.agent.radius, "the agent's, in scene units");
  length("--height", to.agent.height, "the agent's");
  length("--climb", to.agent.climb, "its highest step");
  verb.add_option("--slope", to.agent.slope, "the steepest floor it walks on, in degrees")
      ->check(number(0, 90, "a number from 0 to 90"))
      ->type_name("DEG")
      ->capture_default_str();
  length("--cell", to.cell, "side of a column");
  length("--cell-height", to.cell_height, "of spans for Recast");
  length("--range", to.range, "distances are told as far as this, at most 64 cells; 0: 4 radii");
  length("--jump", to.jumps.distance, "look for jumps and drops as far as this, at most 64 cells");
  length("--rise", to.jumps.rise, "how far up it jumps");
  length("--drop", to.jumps.drop, "how far down");
}

void add_nav(CLI::App& app, NavArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("nav", "where an agent can walk: floors, clearances, regions");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  add_agent(verb, to);
  verb.add_option("--up", to.up, "y or z; default: as the scene says")
      ->check(CLI::IsMember({"y", "z"}).description(""))
      ->type_name("AXIS");
  verb.add_option("--bounds", to.bounds,
                  "minimum and maximum of what is baked, x y z x y z; default: all shapes")
      ->expected(6)
      ->check(number(-domain_limit, domain_limit, "a number of at most 2^40 in size"))
      ->type_name("N");
  verb.add_option("--from", to.from, "keep only what can be reached from the floors below points")
      ->type_name("P");
  verb.add_option("-o,--output", to.output, "map to write")->required()->type_name("OUT");
  verb.add_option("--recast", to.recast, "also spans for Recast")->type_name("FILE");
  verb.add_option("--editor", to.editor, "also JSON for editors")->type_name("FILE.json");
  verb.add_option("--arrays", to.arrays, "also every column as .npy, in a folder")
      ->type_name("FOLDER");
  verb.add_option("--picture", to.picture, "also a map with a legend")->type_name("MAP.png");
  verb.add_option("--points-out", to.points,
                  "also points over the walkable floors, with areas, for the bakes of visibility")
      ->type_name("POINTS");
  const auto of_points = [&](const char* name, float& value, const char* words) {
    verb.add_option(name, value, words)
        ->needs("--points-out")
        ->check(number(0, domain_limit, "a number from 0 to 2^40"))
        ->type_name("L");
  };
  of_points("--eye", to.eyes.eye, "how far above the floor the points are; default 1.6");
  of_points("--spacing", to.eyes.spacing, "how far apart, in whole cells; default 1");
  of_points("--area-side", to.eyes.area_side,
            "areas are what a square of this side holds of a region; default 8");
  add_device(verb, common);
  add_threads(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_verify(CLI::App& app, VerifyArguments& to, CommonArguments& common) {
  auto& verb =
      *app.add_subcommand("verify", "recompute a result by brute force and compare its bytes");
  verb.add_option("RESULT", to.result, "hits, bits, overlaps or distances to check")
      ->required()
      ->type_name("");
  verb.add_option("--scene", to.scene, "its scene")->required()->type_name("SCENE");
  add_rays(verb, to.input, true);
  add_fields(verb, to.fields);
  verb.add_option("--radius", to.radii, "its rays' radii, where a file of their own has them")
      ->type_name("R.npy");
  verb.add_option("--from", to.from, "its viewpoints")->type_name("A");
  verb.add_option("--to", to.to, "its targets, where they are not the viewpoints; its ends")
      ->type_name("B");
  verb.add_option("--points", to.points, "its points")->type_name("P");
  verb.add_option("--areas", to.areas, "its areas")->type_name("AREAS");
  verb.add_option("--with", to.with, "its shapes that ask")->type_name("SHAPES");
  verb.add_option("--capsules", to.capsules, "its shapes that move, along --directions")
      ->type_name("SHAPES");
  verb.add_option("--circles", to.circles, "its circles, of flat")->type_name("C.npy");
  verb.add_option("--segments", to.segments, "its segments, of flat")->type_name("S.npy");
  auto* sample =
      verb.add_option("--sample", to.sample, "rays, pairs, shapes or points to recompute")
          ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40).description(""))
          ->type_name("N")
          ->capture_default_str();
  verb.add_flag("--full", to.full, "recompute all of them")->excludes(sample);
  verb.add_option("--seed", to.seed, "of the sample")->type_name("S")->capture_default_str();
  add_threads(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

/// What all pictures of results have.
CLI::App& add_picture(CLI::App& verb, const char* name, const char* words, RenderWhat what,
                      RenderArguments& to) {
  auto& picture = *verb.add_subcommand(name, words);
  picture.callback([&to, what] { to.what = what; });
  const bool camera = what == RenderWhat::camera;
  picture.add_option(camera ? "SCENE" : "RESULT", to.file, camera ? "scene" : "its file")
      ->required()
      ->type_name("");
  picture.add_option("-o,--output", to.output, "file to write; its ending says which kind")
      ->required()
      ->type_name(camera                    ? "P.png|.exr|.ply"
                  : what == RenderWhat::map ? "P.png|.ply"
                                            : "P.png");
  return picture;
}

void add_result_points(CLI::App& picture, RenderArguments& to) {
  picture.add_option("--scene", to.scene, "the result's scene")->required()->type_name("SCENE");
  picture.add_option("--from,--points", to.from, "its viewpoints, or its points")
      ->required()
      ->type_name("A");
}

void add_slice(CLI::App& picture, RenderArguments& to) {
  picture
      .add_option("--slice", to.slice,
                  "heights that are shown: points between, shapes that reach between")
      ->delimiter(',')
      ->expected(2)
      ->type_name("LOW,HIGH");
}

void add_camera(CLI::App& verb, RenderArguments& to, CommonArguments& common) {
  auto& camera =
      add_picture(verb, "camera", "what a pinhole camera in a scene sees", RenderWhat::camera, to);
  const auto add_place = [&](const char* name, std::vector<double>& place, const char* words) {
    camera.add_option(name, place, words)
        ->required()
        ->delimiter(',')
        ->expected(3)
        ->check(CLI::Range(-double{domain_limit}, double{domain_limit}).description(""))
        ->type_name("X,Y,Z");
  };
  add_place("--eye", to.eye, "where it is, in scene units");
  add_place("--target", to.target, "what is in the middle of the picture");
  camera.add_option("--fov", to.field_of_view, "angle of the longer side, 1 to 170 degrees")
      ->check(CLI::Range(1.0, 170.0).description(""))
      ->type_name("DEG")
      ->capture_default_str();
  camera.add_option("--width", to.width, "pixels")
      ->check(CLI::Range(1, 16384).description(""))
      ->type_name("N")
      ->capture_default_str();
  camera.add_option("--height", to.height, "pixels")
      ->check(CLI::Range(1, 16384).description(""))
      ->type_name("N")
      ->capture_default_str();
  camera.add_option("--show", to.show, "PNG: shaded (default), depth or normal")
      ->check(CLI::IsMember({"shaded", "depth", "normal"}).description(""))
      ->type_name("WHAT");
  camera.add_option("--mask", to.mask, "32 bits; a shape is seen when its mask shares one")
      ->type_name("BITS");
  add_device(camera, common);
  add_threads(camera, common);
  add_lanes(camera, common);
  add_max_memory(camera, common);
  add_report(camera, common);
}

void add_render(CLI::App& app, RenderArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("render", "pictures of results, and of what a camera sees");
  verb.require_subcommand(1);
  auto& map = add_picture(verb, "map",
                          "points from above, colored by how much they see, or by the "
                          "distance of the nearest shape",
                          RenderWhat::map, to);
  add_result_points(map, to);
  add_slice(map, to);
  auto& row = add_picture(verb, "row", "targets from above, by whether one viewpoint sees them",
                          RenderWhat::row, to);
  add_result_points(row, to);
  add_slice(row, to);
  row.add_option("--to", to.to, "its targets, where they are not the viewpoints")->type_name("B");
  row.add_option("--viewpoint", to.viewpoint, "number of the viewpoint, from 0")
      ->required()
      ->type_name("I");
  auto& histogram = add_picture(verb, "histogram",
                                "how many viewpoints see how much, or how many "
                                "points are how far from shapes",
                                RenderWhat::histogram, to);
  for (CLI::App* picture : {&map, &row, &histogram}) {
    add_max_memory(*picture, common);
    add_report(*picture, common);
  }
  add_camera(verb, to, common);
}

void add_status(CLI::App& app, StatusArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("status", "what a result holds, or how far its job is");
  verb.add_option("FILE", to.file, "output of a job, finished or not")->required()->type_name("");
  add_report(verb, common);
}

void add_bench(CLI::App& app, BenchArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("bench", "rates on standard scenes, or on your own");
  verb.add_option("--scene", to.scenes,
                  "city, cloud, mixed, lattice, adversarial, or files; default city,cloud,mixed")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("SCENE,...");
  verb.add_option("--shapes", to.shapes, "of standard scenes; default 1000,100000,1000000")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{0xFFFFFFFE}).description(""))
      ->type_name("N,...");
  verb.add_option("--rays", to.rays,
                  "coherent, incoherent, los, matrix, or files; default the first four")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("RAYS,...");
  verb.add_option_function<std::string>(
          "--query", [&to](const std::string& query) { to.any = query == "any"; },
          "of files of rays: closest (default) or any")
      ->check(CLI::IsMember({"closest", "any"}).description(""))
      ->type_name("QUERY");
  verb.add_option("--count", to.count, "rays of each kind, and at most so many pairs")
      ->check(CLI::Range(std::uint64_t{4096}, std::uint64_t{1} << 32).description(""))
      ->type_name("M")
      ->capture_default_str();
  verb.add_option("--seed", to.seed, "of scenes and rays")->type_name("S")->capture_default_str();
  verb.add_option("--threads", to.threads, "threads on the CPU; default 1 and all cores")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 4096).description(""))
      ->type_name("N,...");
  verb.add_option("--pairs", to.pairs, "runs that a row is the median of")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("K")
      ->capture_default_str();
  verb.add_option_function<std::string>(
          "--clock", [&to](const std::string& clock) { to.wall = clock == "wall"; },
          "cpu (time of all threads over their number; default) or wall (for a quiet machine)")
      ->check(CLI::IsMember({"cpu", "wall"}).description(""))
      ->type_name("CLOCK");
  verb.add_option("--against", to.against, "a rival to run in turn with ours: embree")
      ->type_name("RIVAL");
  verb.add_option("--device", common.device,
                  "auto (cpu, and cuda where it can be used), reference, cpu, cuda or cuda:i")
      ->transform(device_name())
      ->type_name("DEVICE")
      ->capture_default_str();
  add_lanes(verb, common);
  add_report(verb, common);
}

}  // namespace

std::optional<int> parse_command_line(int argc, const char* const* argv, Command& command) {
  CLI::App app(about, "sightline");
  app.set_version_flag(
      "--version", "sightline " SIGHTLINE_VERSION ", answers " + std::to_string(answers_version));
  app.require_subcommand(0, 1);  // checked below, so that an unknown verb is named
  app.get_formatter()->column_width(34);
  InfoArguments info;
  GenArguments gen;
  ImportArguments import;
  CastArguments cast;
  VisibilityArguments visibility;
  OverlapArguments overlap;
  DistanceArguments distance;
  SweepArguments sweep;
  FlatArguments flat;
  AreasArguments areas;
  SetsArguments pvs;
  ExposureArguments exposure;
  ProbesArguments probes;
  CoverArguments cover;
  NavArguments nav;
  VerifyArguments verify;
  RenderArguments render;
  StatusArguments status;
  BenchArguments bench;
  add_info(app, info, command.common);
  add_gen(app, gen, command.common);
  add_import(app, import, command.common);
  add_cast(app, cast, command.common);
  add_visibility(app, visibility, command.common);
  add_overlap(app, overlap, command.common);
  add_distance(app, distance, command.common);
  add_sweep(app, sweep, command.common);
  add_flat(app, flat, command.common);
  add_areas(app, areas, command.common);
  add_pvs(app, pvs, command.common);
  add_exposure(app, exposure, command.common);
  add_probes(app, probes, command.common);
  add_cover(app, cover, command.common);
  add_nav(app, nav, command.common);
  add_verify(app, verify, command.common);
  add_render(app, render, command.common);
  add_status(app, status, command.common);
  add_bench(app, bench, command.common);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A verb");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  command.verb = app.get_subcommands().front()->get_name();
  if (command.verb == "info") command.arguments = info;
  if (command.verb == "gen") command.arguments = gen;
  if (command.verb == "import") command.arguments = import;
  if (command.verb == "cast") command.arguments = cast;
  if (command.verb == "visibility") command.arguments = visibility;
  if (command.verb == "overlap") command.arguments = overlap;
  if (command.verb == "distance") command.arguments = distance;
  if (command.verb == "sweep") command.arguments = sweep;
  if (command.verb == "flat") command.arguments = flat;
  if (command.verb == "areas") command.arguments = areas;
  if (command.verb == "pvs") command.arguments = pvs;
  if (command.verb == "exposure") command.arguments = exposure;
  if (command.verb == "probes") command.arguments = probes;
  if (command.verb == "cover") command.arguments = cover;
  if (command.verb == "nav") command.arguments = nav;
  if (command.verb == "verify") command.arguments = verify;
  if (command.verb == "render") command.arguments = render;
  if (command.verb == "status") command.arguments = status;
  if (command.verb == "bench") command.arguments = bench;
  return std::nullopt;
}

}  // namespace sightline::cli
