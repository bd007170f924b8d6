// sightline_bench: our own rates, by Google Benchmark. See bench/README.md.
//
// Exit code 0; 1: answers differ or a benchmark failed; 2: usage; 3: there is no such benchmark in
// this build and on this machine; 4: --seconds were over before some benchmark began.
#include "bench/harness/benchmarks.hpp"
#include "bench_revision.hpp"

#include <sightline/caster.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>

namespace sightline::bench {

int exit_code();

namespace {

Options given;

/// Takes what Google Benchmark has left.
void parse(int argc, char** argv) {
  CLI::App app(
      "Our own rates, by Google Benchmark, which takes --benchmark_filter=REGEX and others");
  // As Google Benchmark takes its own: so a dry run can have smaller scenes.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  const auto number = [&](const char* name, auto& to, const char* words) {
    using Number = std::remove_reference_t<decltype(to)>;
    const auto set = [&to](double value) { to = static_cast<Number>(value); };
    app.add_option_function<double>(name, set, words)->check(CLI::Range(1.0, 1e12));
  };
  number("--count", given.load.count,
         "rays of a kind, pairs of a matrix; of other queries an eighth");
  number("--smallest", given.smallest, "shapes of standard scenes, which are powers of ten");
  number("--largest", given.largest, "of the largest of them");
  number("--seed", given.load.seed, "of scenes and questions");
  number("--seconds", given.seconds, "begin no benchmark after so many");
  app.add_option("--scene", given.scene, "a scene's file in place of the standard ones");
  app.add_option("--rays", given.rays, "rays of the scene, in place of the standard ones");
  app.add_option("--points", given.load.points, "viewpoints and targets of the scene's matrices");
  std::string clock = "cpu", cold = "no";
  app.add_option("--clock", clock,
                 "of the cpu's rows: time of all threads over their number; or wall")
      ->check(CLI::IsMember({"cpu", "wall"}));
  app.add_option("--cold", cold, "yes: nothing warms up")->check(CLI::IsMember({"yes", "no"}));
  app.parse(argc, argv);
  given.load.count = std::max<std::uint64_t>(given.load.count, 512);
  given.clock = clock == "wall" ? Clock::wall : Clock::cpu;
  given.cold = cold == "yes";
  if (given.scene.empty() && !(given.rays.empty() && given.load.points.empty())) {
    throw CLI::ValidationError("--rays and --points are of a scene: name it by --scene");
  }
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

void add_context() {
  benchmark::AddCustomContext("revision", SIGHTLINE_REVISION);
  benchmark::AddCustomContext("answers_version", std::to_string(answers_version));
  benchmark::AddCustomContext("processor", processor());
  benchmark::AddCustomContext("clock", given.clock == Clock::wall ? "wall" : "cpu");
  benchmark::AddCustomContext("count", std::to_string(given.load.count));
  benchmark::AddCustomContext("seed", std::to_string(given.load.seed));
  const CudaDevices devices = cuda_devices();
  benchmark::AddCustomContext(
      "cuda", devices.problem.empty() ? devices.devices.front().name : devices.problem);
}

int run(int argc, char** argv) {
  try {
    benchmark::Initialize(&argc, argv);
    parse(argc, argv);
  } catch (const CLI::Error& error) {
    std::fprintf(stderr, "sightline_bench: %s; bench/README.md has the options\n", error.what());
    return 2;
  }
  add_context();
  add_device();  // first calls come first
  add_pairs();
  add_builds();
  add_rays();
  add_queries();
  add_flat();
  const std::size_t ran = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return ran == 0 ? 3 : exit_code();
}

}  // namespace

const Options& options() { return given; }

}  // namespace sightline::bench

int main(int argc, char** argv) { return sightline::bench::run(argc, argv); }
