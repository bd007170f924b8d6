// Options of checks and rates: verify, bench.
#include "host/program/arguments/options.hpp"
#include "host/program/arguments/verbs.hpp"

namespace sightline::cli {

void add_verb(CLI::App& app, VerifyArguments& to, CommonArguments& common) {
  auto& verb =
      *app.add_subcommand("verify", "recompute a result by brute force and compare its bytes");
  verb.add_option("RESULT", to.result, "hits, bits, overlaps or distances to check")
      ->required()
      ->type_name("");
  verb.add_option("FILES", to.files,
                  "what it was computed from, in any order: each is known by its hash; or by name:")
      ->type_name("");
  verb.add_option("--scene", to.scene, "its scene")->type_name("SCENE");
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

void add_verb(CLI::App& app, BenchArguments& to, CommonArguments& common) {
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
  verb.add_option_function<std::vector<std::string>>(
          "--lanes",
          [&to](const std::vector<std::string>& names) {
            to.lanes.clear();
            for (const std::string& name : names) to.lanes.push_back(lanes_named(name));
          },
          "instructions of the CPU, each with rows of its own: avx512, avx2, portable or auto (the "
          "widest; default)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(lanes_name())
      ->type_name("LANES,...");
  add_report(verb, common);
}

}  // namespace sightline::cli
