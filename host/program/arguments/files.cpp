// Options of what describes files and what makes them: info, status, gen, import.
#include "host/program/arguments/options.hpp"
#include "host/program/verbs/verbs.hpp"

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_shapes = 0xFFFFFFFE;

void add_gen(Verbs& verbs) {
  auto [v, a] = verbs.add("gen", "make a standard scene, and rays over it", run_gen,
                          "sightline gen city --shapes 1000 -o city.st\n"
                          "sightline gen cloud --shapes 1e6 -o cloud.st --rays los --count 1e6 "
                          "--rays-out rays.st");
  v.positional("KIND", a.kind, "city, cloud, mixed, lattice or adversarial");
  v.app.get_option("KIND")->check(member({"city", "cloud", "mixed", "lattice", "adversarial"}));
  v.app.add_option("--shapes", a.shapes, "number of shapes")
      ->transform(whole(1, most_shapes))
      ->required()
      ->type_name("N")
      ->group("Question");
  v.count("--seed", a.seed, 0, any, "S", "the same seed makes the same file");
  v.output(a.output, "SCENE", "scene to write");
  auto* rays = v.one_of("--rays", a.rays, {"coherent", "incoherent", "los"}, "KIND",
                        "coherent (a camera), incoherent, or los (segments)");
  auto* count = v.app.add_option("--count", a.ray_count, "number of rays")
                    ->transform(whole(1, std::uint64_t{1} << 40))
                    ->type_name("M")
                    ->group("Question");
  auto* output = v.output("--rays-out", a.rays_output, "RAYS", "rays to write");
  rays->needs(count)->needs(output);
  count->needs(rays);
  output->needs(rays);
  v.device();
  v.threads();
  v.report();
  v.dry_run();
}

void add_import(Verbs& verbs) {
  auto [v, a] = verbs.add(
      "import", "read a map, a level, a molecule, voxels or a table of shapes", run_import,
      "sightline import freedoom1.wad --map E1M5 -o e1m5.st --points-out eyes.st\n"
      "sightline import level.tscn -o level.st");
  v.positional("FILE", a.file, "WAD file, .tscn, .pdb or .cif, .3dmap, .csv, .json or .npy");
  auto* map =
      v.text("--map", a.map, "E1M5", "WAD: name of the map; without it, the maps are listed");
  v.count("--grid", a.grid, 1, 4096, "UNITS",
          "WAD: distance of viewpoints, in map units; default 64");
  v.flag(
      "--drawn-walls", a.drawn_walls,
      "WAD: walls only as far as they are drawn, not on into what is solid: sight may pass below "
      "high floors");
  v.count("--floors", a.floors, 1, 4096, "UNITS",
          "WAD: also floors and ceilings, as boxes of cells of so many map units");
  v.number("--ball", a.ball, {0, 1e6f, "a number from 0 to 1,000,000"}, "R",
           "molecules: radius of every atom, in angstrom; default its van der Waals radius");
  v.text("--copies", a.copies, "N",
         "molecules: the first N copies that the file describes, or all; default the atoms as they "
         "are");
  v.text("--root", a.root, "DIR",
         "Godot: where res:// is; default the nearest folder with a project.godot, else by the "
         "files that the scene names");
  v.flag("--strict", a.strict, "Godot: refuse what is approximated or left out");
  v.text("--kind", a.kind, "KIND",
         ".npy, or .csv without kinds: what each row is: aabb, obb, sphere, capsule or plane");
  v.text("--unit", a.unit, "WORD", "tables: of lengths; default what the file says, else m");
  v.text("--up", a.up, "AXIS", "tables: y or z; default what the file says, else z");
  map->needs(v.output("-o,--output", a.output, "SCENE", "scene to write"));
  v.output("--points-out", a.points_output, "P.npy", "WAD: viewpoints at eye height to write");
  v.report();
  v.dry_run();
}

}  // namespace

void add_file_verbs(Verbs& verbs) {
  {
    auto [v, a] = verbs.add("info", "about the program and its devices, or about a file", run_info,
                            "sightline info\n"
                            "sightline info hits.st --json -");
    v.app.add_option("FILE", a.file, "scene, rays, points or result")
        ->type_name("")
        ->check(not_empty());
    v.report();
  }
  {
    auto [v, a] = verbs.add("status", "what a result holds, or how far its job is", run_status,
                            "sightline status hits.st\n"
                            "sightline status hits.st --json -");
    v.positional("FILE", a.file, "output of a job, finished or not");
    v.report();
  }
  {
    auto [v, a] = verbs.add("export", "a result as a table: CSV, JSON or an array", run_export,
                            "sightline export near.st --scene level.csv -o near.csv\n"
                            "sightline export hits.st --columns t -o t.npy");
    v.positional("RESULT", a.result, "result to read");
    v.text("--scene", a.scene, "SCENE", "the result's scene: its names or labels instead of ids");
    v.list("--columns", a.columns, "A,B", "columns to write; default all that make one table");
    v.output(a.output, "TABLE", "by its ending: .csv, .json, or .npy for one column");
    v.report();
  }
  add_gen(verbs);
  add_import(verbs);
}

}  // namespace sightline::cli
