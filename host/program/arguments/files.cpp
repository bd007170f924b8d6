// Options of what is known of files and what makes them: info, status, gen, import.
#include "host/program/arguments/options.hpp"
#include "host/program/arguments/verbs.hpp"

namespace sightline::cli {

void add_verb(CLI::App& app, InfoArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("info", "about the program and its devices, or about a file");
  verb.add_option("FILE", to.file, "scene, rays, points or result")->type_name("");
  add_report(verb, common);
}

void add_verb(CLI::App& app, StatusArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("status", "what a result holds, or how far its job is");
  verb.add_option("FILE", to.file, "output of a job, finished or not")->required()->type_name("");
  add_report(verb, common);
}

void add_verb(CLI::App& app, GenArguments& to, CommonArguments& common) {
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

void add_verb(CLI::App& app, ImportArguments& to, CommonArguments& common) {
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
  verb.add_flag("--drawn-walls", to.drawn_walls,
                "WAD: walls only as far as they are drawn, not on into what is solid: sight may "
                "pass below high floors");
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

}  // namespace sightline::cli
