// sightline_bench: our own rates, by Google Benchmark. See bench/README.md.
//
// Exit code 0; 1: answers differ or a benchmark failed; 2: usage; 3: there is no such benchmark in
// this build and on this machine; 4: --seconds were over before some benchmark began.
#include "bench/harness/benchmarks.hpp"
#include "bench_revision.hpp"

#include <sightline/caster.hpp>
#include <sightline/error.hpp>

#include <cstdio>
#include <fstream>

namespace sightline::bench {

int exit_code();

namespace {

Options given;

constexpr char usage[] =
    "sightline_bench [--benchmark_filter=REGEX] [--benchmark_out=FILE] ... (Google Benchmark's)\n"
    "  --count=N     rays of a kind and pairs of a matrix (2^20); other queries are an eighth\n"
    "  --smallest=N, --largest=N   shapes of standard scenes: powers of ten (10, 1e6)\n"
    "  --scene=FILE  a scene in place of the standard ones\n"
    "  --rays=FILE   rays in place of the standard ones; needs --scene\n"
    "  --points=FILE viewpoints and targets of matrices; needs --scene\n"
    "  --seed=S      of scenes and questions (1)\n"
    "  --clock=cpu   of the cpu's rows: time of all threads over their number; or wall\n"
    "  --cold=yes    nothing warms up\n"
    "  --seconds=S   begin no benchmark after so many\n";

std::uint64_t whole(const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
  }
  if (used != text.size() || !(value >= 1 && value <= 1e12)) {
    throw Error(ErrorKind::usage, "'" + text + "' is not a number from 1 to 1e12");
  }
  return static_cast<std::uint64_t>(value);
}

void set(const std::string& name, const std::string& value) {
  if (name == "--count") {
    given.load.count = std::max<std::uint64_t>(whole(value), 512);
  } else if (name == "--largest") {
    given.largest = whole(value);
  } else if (name == "--smallest") {
    given.smallest = whole(value);
  } else if (name == "--cold" && (value == "yes" || value == "no")) {
    given.cold = value == "yes";
  } else if (name == "--seed") {
    given.load.seed = whole(value);
  } else if (name == "--seconds") {
    given.seconds = static_cast<double>(whole(value));
  } else if (name == "--scene") {
    given.scene = value;
  } else if (name == "--rays") {
    given.rays = value;
  } else if (name == "--points") {
    given.load.points = value;
  } else if (name == "--clock" && (value == "cpu" || value == "wall")) {
    given.clock = value == "wall" ? Clock::wall : Clock::cpu;
  } else {
    throw Error(ErrorKind::usage, "unknown option " + name + "=" + value);
  }
}

/// Takes what Google Benchmark has left.
void parse(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t at = word.find('=');
    if (at == word.npos) throw Error(ErrorKind::usage, "unknown option " + word);
    set(word.substr(0, at), word.substr(at + 1));
  }
  if (given.scene.empty() && !(given.rays.empty() && given.load.points.empty())) {
    throw Error(ErrorKind::usage, "--rays and --points are of a scene: name it by --scene");
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
  } catch (const Error& error) {
    std::fprintf(stderr, "sightline_bench: %s\n%s", error.what(), usage);
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
