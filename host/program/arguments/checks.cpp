// Options of checks and rates: verify, bench.
#include "host/program/arguments/options.hpp"
#include "host/program/verbs/verbs.hpp"

namespace sightline::cli {
namespace {

void add_verify(Verbs& verbs) {
  auto [v, a] =
      verbs.add("verify", "recompute a result by brute force and compare its bytes", run_verify,
                "sightline verify hits.st city.st rays.st\n"
                "sightline verify seen.st city.st eyes.npy --full");
  v.positional("RESULT", a.result, "any result, or a navigation map, to check");
  v.app
      .add_option_function<std::vector<std::string>>(
          "FILES",
          [&to = a.inputs](const std::vector<std::string>& files) {
            for (const std::string& file : files) to.push_back({"", file});
          },
          "what it was computed from, in any order: each is recognised by its hash; or by name:")
      ->type_name("")
      ->check(not_empty());
  v.input("--scene", a.inputs, "SCENE", "its scene");
  v.rays(a.inputs, true);
  v.fields(a.inputs);
  const std::tuple<const char*, const char*, const char*> others[] = {
      {"--radius", "R.npy", "its rays' radii, where a file of their own has them"},
      {"--from", "A", "its viewpoints"},
      {"--to", "B", "its targets, where they are not the viewpoints; its ends"},
      {"--points", "P", "its points"},
      {"--areas", "AREAS", "its areas"},
      {"--with", "SHAPES", "its query shapes, of overlap"},
      {"--capsules", "SHAPES", "its shapes that move, along --directions"},
      {"--circles", "C.npy", "its circles, of flat"},
      {"--segments", "S.npy", "its segments, of flat"}};
  for (const auto& [name, type, words] : others) v.input(name, a.inputs, type, words);
  auto* sample = v.count("--sample", a.sample, 1, std::uint64_t{1} << 40, "N",
                         "rays, pairs, shapes or points to recompute");
  v.flag("--full", a.full, "recompute all of them")->excludes(sample);
  v.count("--seed", a.seed, 0, any, "S", "of the sample");
  v.threads();
  v.report();
  v.dry_run();
}

void add_bench(Verbs& verbs) {
  auto [v, a] = verbs.add("bench", "rates on standard scenes, or on your own", run_bench,
                          "sightline bench --scene city --shapes 1e5 --count 1e5\n"
                          "sightline bench --scene level.st --rays rays.st --threads 1");
  v.list("--scene", a.scenes, "SCENE,...",
         "city, cloud, mixed, lattice, adversarial, or files; default city,cloud,mixed")
      ->check(not_empty());
  v.list("--shapes", a.shapes, "N,...", "of standard scenes; default 1000,100000,1000000")
      ->transform(whole(1, 0xFFFFFFFE));
  v.list("--rays", a.rays, "RAYS,...",
         "coherent, incoherent, los, matrix, or files; default the first four")
      ->check(not_empty());
  v.choice("--query", a.any,
           std::vector<std::pair<std::string, bool>>{{"closest", false}, {"any", true}}, "QUERY",
           "of files of rays: closest (default) or any");
  v.count("--count", a.count, 4096, std::uint64_t{1} << 32, "M",
          "rays of each kind, and at most so many pairs");
  v.count("--seed", a.seed, 0, any, "S", "of scenes and rays");
  v.list("--threads", a.threads, "N,...", "threads on the CPU; default 1 and all cores")
      ->transform(whole(1, 4096));
  v.count("--pairs", a.pairs, 1, 1000, "K", "runs that a row is the median of");
  v.choice("--clock", a.wall,
           std::vector<std::pair<std::string, bool>>{{"cpu", false}, {"wall", true}}, "CLOCK",
           "cpu (time of all threads over their number; default) or wall (for a quiet machine)");
  v.text("--against", a.against, "RIVAL", "a rival to run in turn with ours: embree");
  v.device("auto (cpu, and cuda where it can be used), reference, cpu, cuda or cuda:i");
  v.lanes(a.lanes, "LANES,...",
          "instructions of the CPU, each with rows of its own: avx512, avx2, portable or auto (the "
          "widest; default)")
      ->delimiter(',')
      ->allow_extra_args(false);
  v.report();
}

}  // namespace

void add_check_verbs(Verbs& verbs) {
  add_verify(verbs);
  add_bench(verbs);
}

}  // namespace sightline::cli
