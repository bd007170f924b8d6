// Options of questions to a scene: cast, visibility, overlap, distance, sweep, flat.
#include "host/program/arguments/options.hpp"
#include "host/program/arguments/verbs.hpp"

namespace sightline::cli {
namespace {

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

}  // namespace

void add_verb(CLI::App& app, CastArguments& to, CommonArguments& common) {
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
  add_job(verb, to.resume, common, true);
}

void add_verb(CLI::App& app, VisibilityArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("visibility", "which points see which");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  verb.add_option("--from", to.from, "viewpoints")->required()->type_name("A");
  verb.add_option("--to", to.to, "targets; default: the viewpoints themselves")->type_name("B");
  add_sight(verb, to);
  verb.add_option("-o,--output", to.output, "bits to write")->required()->type_name("VIS");
  verb.add_option("--picture", to.picture,
                  "map from above: viewpoints coloured by how much they see, and the shapes")
      ->type_name("P.png");
  add_job(verb, to.resume, common, true);
}

void add_verb(CLI::App& app, OverlapArguments& to, CommonArguments& common) {
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
  add_job(verb, to.resume, common);
}

void add_verb(CLI::App& app, FlatArguments& to, CommonArguments& common) {
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
  add_job(verb, to.resume, common);
}

void add_verb(CLI::App& app, DistanceArguments& to, CommonArguments& common) {
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
  add_job(verb, to.resume, common);
}

void add_verb(CLI::App& app, SweepArguments& to, CommonArguments& common) {
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
  add_job(verb, to.resume, common);
}

}  // namespace sightline::cli
