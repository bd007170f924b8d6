// Options of bakes: areas, pvs, exposure, probes, cover, nav.
#include "host/program/arguments/options.hpp"
#include "host/program/verbs/nav_options.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

void add_areas(Verbs& verbs) {
  auto [v, a] = verbs.add(
      "areas", "which areas (cells, sectors, polygons, boxes) see which: not, partly, fully",
      run_areas,
      "sightline areas e1m5.st --areas eyes.st -o areas.st\n"
      "sightline areas city.st --areas rooms.json --samples 64 --classes -o areas.st");
  v.scene(a.inputs);
  v.input("--areas", a.inputs, "AREAS", "areas, or points that say which area each is in")
      ->required();
  v.count("--samples", a.samples, 1, 65535, "N",
          "points in each area that does not say how many; default 16");
  v.flag("--classes", a.classes,
         "write the classes alone: areas are done as soon as they are known to be partly visible");
  v.range(a.options.range);
  v.inside(a.options.inside);
  v.output(a.output, "OUT", "classes and counts to write");
  v.picture(a.picture,
            "map from above: samples coloured by how many areas theirs sees, and the shapes");
  v.bake(a);
}

void add_pvs(Verbs& verbs) {
  auto [v, a] = verbs.add(
      "pvs", "potentially visible sets of what areas wrote: bits, and lists of differences",
      run_pvs,
      "sightline pvs areas.st -o pvs.st\n"
      "sightline pvs areas.st -o pvs.st --dry-run");
  v.positional("AREAS", a.areas, "classes of areas");
  v.choice("--unknown", a.unknown_seen,
           std::vector<std::pair<std::string, bool>>{{"seen", true}, {"unseen", false}}, "HOW",
           "areas without samples, of which nothing is known: seen by all areas and seeing all "
           "(default), or unseen");
  v.output(a.output, "PVS", "sets to write");
  v.report();
  v.dry_run();
}

void add_exposure(Verbs& verbs) {
  auto [v, a] =
      verbs.add("exposure", "how many viewpoints see each target", run_exposure,
                "sightline exposure city.st --from eyes.npy --to goals.npy -o seen.st\n"
                "sightline exposure city.st --from eyes.npy --to eyes.npy --max-distance 100 "
                "-o seen.st --picture seen.png");
  v.sight(a, "targets")->required();
  v.output(a.output, "OUT", "counts and shares to write");
  v.picture(a.picture, "map from above: targets coloured by how many see them, and the shapes");
  v.bake(a);
}

void add_probes(Verbs& verbs) {
  auto [v, a] =
      verbs.add("probes", "how far one sees from points in every direction", run_probes,
                "sightline probes city.st --points eyes.npy -o probes.st\n"
                "sightline probes city.st --points eyes.npy --grid 32 --range 80 -o probes.st");
  v.scene(a.inputs);
  v.input("--points", a.inputs, "P", "points")->required();
  v.count("--grid", a.grid, 1, 4096, "N", "N x N directions of an octahedral map");
  v.range(a.options.range);
  v.inside(a.options.inside);
  v.output(a.output, "OUT", "distances and directions to write");
  v.bake(a);
}

void add_cover(Verbs& verbs) {
  auto [v, a] = verbs.add(
      "cover", "where one can take cover, from which directions, and where one can lean out",
      run_cover,
      "sightline cover city.st --points places.npy -o cover.st\n"
      "sightline cover city.st --nav city.nav --points-out places.npy -o cover.st");
  v.scene(a.inputs);
  auto* points = v.input("--points", a.inputs, "P", "points where one could stand");
  auto* map = v.input("--nav", a.inputs, "MAP",
                      "instead of points: a navigation map, along whose walls to look for places "
                      "with cover")
                  ->excludes(points);
  auto* places =
      v.output("--points-out", a.places, "POINTS", "points to write: the places found")->needs(map);
  map->needs(places);
  v.number("--spacing", a.spacing, length, "L",
           "how far apart similar places are, at most 64 of the map's cells; 0: all")
      ->needs(map);
  v.add("--direction-count", a.options.directions, "K", "4, 8, 16, 32 or 64, evenly around")
      ->check(member({"4", "8", "16", "32", "64"}));
  const std::tuple<const char*, float*, const char*> lengths[] = {
      {"--at", &a.options.at, "how high the points are above the feet, in scene units as all"},
      {"--crouch", &a.options.crouch, "eyes above the feet when crouching"},
      {"--stand", &a.options.stand, "eyes above the feet when standing"},
      {"--radius", &a.options.radius, "of the body: what is nearer leaves no room"},
      {"--reach", &a.options.reach, "what is further away is no cover"},
      {"--lean", &a.options.lean, "how far one leans to the side"},
      {"--view", &a.options.view, "how far one must see from there"}};
  for (const auto& [name, value, words] : lengths) {
    v.number(name, *value, value == &a.options.at ? coordinate : length, "L", words);
  }
  v.output(a.output, "OUT", "cover to write");
  v.picture(a.picture,
            "map from above: points coloured by how many directions are safe, and the shapes");
  v.input("--over", a.inputs, "SCENE",
          "the picture shows the shapes of another scene of the same map, such as its walls alone")
      ->needs("--picture");
  v.bake(a);
}

void add_agent(Verb& v, NavArguments& a) {
  for (const NavLength& l : nav_lengths) {
    const std::string words =
        fmt::format("{}; default {}, in a Doom map {}", l.words, l.metres, l.doom);
    CLI::Option* option = v.number(l.option, a.lengths.*l.to, length, "L", words);
    if (l.is_of_points) option->needs("--points-out");
  }
  v.number("--slope", a.slope, {0, 90, "a number from 0 to 90"}, "DEG",
           "the steepest floor it walks on, in degrees");
  v.number("--range", a.range, length, "L",
           "distances are measured as far as this, at most 64 cells; 0: 4 radii");
  v.number("--jump", a.jump, length, "L",
           "look for jumps and drops as far as this, at most 64 cells");
}

void add_nav(Verbs& verbs) {
  auto [v, a] =
      verbs.add("nav", "where an agent can walk: floors, clearances, regions", run_nav,
                "sightline nav city.st -o city.nav --picture city.png\n"
                "sightline nav city.st -o city.nav --points-out eyes.st --from spawns.npy");
  v.positional("SCENE", a.scene, "scene");
  v.output(a.output, "OUT", "map to write");
  v.output("--points-out", a.points, "POINTS",
           "also points over the walkable floors, with areas, for the bakes of visibility");
  add_agent(v, a);
  v.count("--mask", a.mask, 0, most_bits, "BITS",
          "32 bits; a shape counts when its mask shares one; default all");
  v.one_of("--up", a.up, {"y", "z"}, "AXIS", "y or z; default: as the scene says");
  v.number("--bounds", a.bounds, coordinate, "N",
           "minimum and maximum of what is baked, x y z x y z; default: all shapes")
      ->expected(6);
  v.text("--from", a.from, "P", "keep only what can be reached from the floors below points");
  v.output("--recast", a.recast, "FILE", "also spans for Recast");
  v.output("--editor", a.editor, "FILE.json", "also JSON for editors");
  v.output("--arrays", a.arrays, "FOLDER", "also every column as .npy, in a folder");
  v.output("--picture", a.picture, "MAP.png", "also a map with a legend");
  v.yes(a.yes);
  v.device();
  v.threads();
  v.max_memory();
  v.report();
  v.dry_run();
}

}  // namespace

void add_bake_verbs(Verbs& verbs) {
  add_areas(verbs);
  add_pvs(verbs);
  add_exposure(verbs);
  add_probes(verbs);
  add_cover(verbs);
  add_nav(verbs);
}

}  // namespace sightline::cli
