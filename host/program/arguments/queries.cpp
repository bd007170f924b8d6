// Options of questions to a scene: cast, visibility, overlap, distance, sweep, flat.
#include "host/program/arguments/options.hpp"
#include "host/program/verbs/verbs.hpp"

namespace sightline::cli {
namespace {

CLI::Option* add_overlap_query(Verb& v, OverlapQueryKind& to, const char* words) {
  return v.choice(
      "--query", to,
      std::vector<std::pair<std::string, OverlapQueryKind>>{{"any", OverlapQueryKind::any},
                                                            {"count", OverlapQueryKind::count},
                                                            {"all", OverlapQueryKind::all}},
      "QUERY", words);
}

/// A radius for all rays, or the name of a file.
void add_radius(Verb& v, CastArguments& a) {
  const auto take = [&a](const std::string& text) {
    float value = NAN;
    if (!CLI::detail::lexical_cast(text, value)) {
      a.inputs.push_back({"--radius", text});
    } else if (0 <= value && value <= domain_limit) {
      a.radius = value;
    } else {
      throw CLI::ValidationError("--radius", "'" + text + "' is not " + length.words);
    }
  };
  v.app
      .add_option_function<std::string>(
          "--radius", take,
          "of spheres that move along the rays: a number, or a file of [n] f32; default 0")
      ->type_name("R|R.npy")
      ->check(not_empty())
      ->group("Question");
}

void add_cast(Verbs& verbs) {
  auto [v, a] = verbs.add("cast", "cast the rays of a file, of any number, at a scene", run_cast,
                          "sightline cast city.st --rays rays.st -o hits.st\n"
                          "sightline cast city.st --rays rays.st --query all --first 4 -o rows.st");
  v.scene(a.inputs);
  v.rays(a.inputs);
  v.number("--t-min", a.t_min, not_negative, "T", "start, in lengths of the direction; default 0");
  v.number("--t-max", a.t_max, not_negative, "T", "end, in lengths of the direction; default inf");
  v.count("--mask", a.mask, 0, most_bits, "BITS",
          "32 bits; a shape counts when its mask shares one; default all");
  v.list("--exclude", a.exclude, "ID,...", "shapes to leave out: ids or kind:index, at most two");
  v.list("--exclude-group", a.exclude_group, "GROUP,...", "groups to leave out, at most two")
      ->transform(whole(0, most_bits));
  v.choice("--query", a.query,
           std::vector<std::pair<std::string, CastQueryKind>>{{"closest", CastQueryKind::closest},
                                                              {"any", CastQueryKind::any},
                                                              {"count", CastQueryKind::count},
                                                              {"all", CastQueryKind::all}},
           "QUERY",
           "closest (t, id, flags; default), any (one bit per ray), count, or all (hits in rows)");
  v.count("--first", a.first, 1, none - 1, "K", "all: keep the nearest K hits of a ray");
  v.flag("--t-out", a.t_out, "all: also write where each shape is left");
  add_radius(v, a);
  v.inside(a.inside);
  v.normals(a.normals);
  v.flag("--strict", a.strict, "a bad ray is an error, not a miss");
  v.output(a.output, "HITS", "hits to write");
  v.job(a.resume);
}

void add_visibility(Verbs& verbs) {
  auto [v, a] =
      verbs.add("visibility", "which points see which", run_visibility,
                "sightline visibility city.st --from eyes.npy -o seen.st\n"
                "sightline visibility city.st --from eyes.npy --to goals.npy --max-distance 50 "
                "-o seen.st --picture seen.png");
  v.sight(a, "targets; default: the viewpoints themselves");
  v.output(a.output, "VIS", "bits to write");
  v.picture(a.picture, "map from above: viewpoints coloured by how much they see, and the shapes");
  v.job(a.resume);
}

void add_overlap(Verbs& verbs) {
  auto [v, a] =
      verbs.add("overlap", "which shapes of a scene overlap those of another", run_overlap,
                "sightline overlap city.st --with bodies.st -o touching.st\n"
                "sightline overlap city.st --with bodies.st --query all -o pairs.st");
  v.scene(a.inputs);
  v.input("--with", a.inputs, "SHAPES",
          "scene of the query shapes, in the order of their ids; a point is a sphere of radius 0, "
          "planes cannot query")
      ->required();
  add_overlap_query(v, a.query, "any (one bit per shape; default), count, or all (ids in rows)");
  v.output(a.output, "OUT", "result to write");
  v.job(a.resume, false);
}

void add_distance(Verbs& verbs) {
  auto [v, a] = verbs.add(
      "distance", "the shapes nearest to points, or to segments: how clear a path is", run_distance,
      "sightline distance city.st --points eyes.npy -o near.st\n"
      "sightline distance city.st --points a.npy --to b.npy --k 3 -o clear.st");
  v.scene(a.inputs);
  v.input("--points", a.inputs, "P", "points, or where segments begin")->required();
  v.input("--to", a.inputs, "Q", "where the segments end, one for each point; then clearances");
  v.number("--range", a.options.range, not_negative, "R",
           "farthest shape, in scene units; default inf");
  v.count("--k", a.options.k, 1, none - 1, "K", "shapes for each, nearest first");
  v.output(a.output, "OUT", "result to write");
  v.job(a.resume, false);
}

void add_sweep(Verbs& verbs) {
  auto [v, a] =
      verbs.add("sweep", "what spheres and capsules that move hit of a scene", run_sweep,
                "sightline sweep city.st --capsules bodies.st --directions d.npy -o hits.st\n"
                "sightline sweep city.st --capsules bodies.st --directions d.npy --t-max 1 "
                "--normals -o hits.st");
  v.scene(a.inputs);
  v.input("--capsules", a.inputs, "SHAPES",
          "scene whose spheres and capsules move, in the order of their ids")
      ->required();
  v.input("--directions", a.inputs, "D.npy", "directions [n,3] f32, of any nonzero length")
      ->required();
  v.number("--t-max", a.options.t_max, not_negative, "T",
           "end, in lengths of the direction; default inf");
  v.inside(a.options.inside);
  v.normals(a.normals);
  v.flag("--strict", a.strict, "a NaN or infinite direction is an error, not a miss");
  v.output(a.output, "HITS", "hits to write");
  v.job(a.resume, false);
}

void add_flat(Verbs& verbs) {
  auto [v, a] = verbs.add("flat", "circles and segments at a set of 2D shapes", run_flat,
                          "sightline flat set.json --circles c.npy --query count -o overlaps.st\n"
                          "sightline flat set.json --segments s.npy -o hits.st");
  v.positional("SET", a.inputs, "--scene", "set of 2D shapes");
  auto* circles = v.input("--circles", a.inputs, "C.npy",
                          "which shapes overlap these circles: x, y, radius [n,3] f32");
  auto* segments = v.input("--segments", a.inputs, "S.npy",
                           "where these segments hit a shape first: two ends [n,4] f32")
                       ->excludes(circles);
  add_overlap_query(v, a.query,
                    "of circles: any (one bit per circle; default), count, or all (ids in rows)")
      ->excludes(segments);
  v.inside(a.inside);
  v.app.get_option("--inside")->excludes(circles);
  v.output(a.output, "OUT", "result to write");
  v.job(a.resume, false);
}

}  // namespace

void add_query_verbs(Verbs& verbs) {
  add_cast(verbs);
  add_visibility(verbs);
  add_overlap(verbs);
  add_distance(verbs);
  add_sweep(verbs);
  add_flat(verbs);
}

}  // namespace sightline::cli
