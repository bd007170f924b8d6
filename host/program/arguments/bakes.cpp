// Options of bakes: areas, pvs, exposure, probes, cover, nav.
#include "host/program/arguments/options.hpp"
#include "host/program/arguments/verbs.hpp"

namespace sightline::cli {
namespace {

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

}  // namespace

void add_verb(CLI::App& app, AreasArguments& to, CommonArguments& common) {
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
  add_job(verb, to.resume, common, true);
}

void add_verb(CLI::App& app, SetsArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand(
      "pvs", "potentially visible sets of what areas wrote: bits, and lists of differences");
  verb.add_option("AREAS", to.areas, "classes of areas")->required()->type_name("");
  verb.add_option("-o,--output", to.output, "sets to write")->required()->type_name("PVS");
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_verb(CLI::App& app, ExposureArguments& to, CommonArguments& common) {
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
  add_job(verb, to.resume, common, true);
}

void add_verb(CLI::App& app, ProbesArguments& to, CommonArguments& common) {
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
  add_job(verb, to.resume, common, true);
}

void add_verb(CLI::App& app, CoverArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand(
      "cover", "where one can take cover, from which directions, and where one can lean out");
  verb.add_option("SCENE", to.scene, "scene")->required()->type_name("");
  auto* points =
      verb.add_option("--points", to.points, "points where one could stand")->type_name("P");
  auto* map = verb.add_option("--nav", to.map,
                              "instead of points: a navigation map, along whose walls to look for "
                              "places with cover")
                  ->excludes(points)
                  ->type_name("MAP");
  auto* places = verb.add_option("--points-out", to.places, "points to write: the places found")
                     ->needs(map)
                     ->type_name("POINTS");
  map->needs(places);
  verb.add_option("--spacing", to.spacing,
                  "how far apart places are that are alike, at most 64 of the map's cells; 0: all; "
                  "default 1")
      ->needs(map)
      ->check(number(0, domain_limit, "a number from 0 to 2^40"))
      ->type_name("L");
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
  add_job(verb, to.resume, common, true);
}

void add_verb(CLI::App& app, NavArguments& to, CommonArguments& common) {
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

}  // namespace sightline::cli
