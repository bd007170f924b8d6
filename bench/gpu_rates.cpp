// Rates of the cuda backend over the standard scenes, beside what the machine's memory can do.
//
//   gpu_rates [--largest SHAPES] [--rays N] [--seconds S] [--json FILE] [--cpu]
//
// Scenes of 1e3 shapes to SHAPES (1e7 by default), while S seconds (120) are not over; N rays of
// each kind (2^21; at least 64), and points and copies in proportion. --cpu adds the cpu backend's
// rows, and holds the device's answers to its. Medians of five. Exit code 0, also
// where there is no device ("skipped"); 1 when answers differ; 2 for usage.
#include "bench/ceilings.hpp"
#include "bench/scene_rates.hpp"
#include "bench/scene_variants.hpp"

#include <sightline/devices.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sightline::bench {
namespace {

struct Options {
  double largest = 1e7, rays = 1 << 21, seconds = 120;
  const char* json = nullptr;
  bool cpu = false;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    if (is("--cpu")) {
      options.cpu = true;
    } else if (i + 1 == argc) {
      return false;
    } else if (is("--json")) {
      options.json = argv[++i];
    } else if (is("--largest") || is("--rays") || is("--seconds")) {
      double& value = is("--largest") ? options.largest
                      : is("--rays")  ? options.rays
                                      : options.seconds;
      value = std::strtod(argv[++i], nullptr);
      if (!(value >= 1)) return false;
    } else {
      return false;
    }
  }
  return options.rays >= 64 && options.rays <= 1e9;
}

int run(const Options& options) {
  std::FILE* json = options.json == nullptr ? nullptr : std::fopen(options.json, "w");
  if (options.json != nullptr && json == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", options.json);
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  Table table(json);
  const Work work{static_cast<std::uint64_t>(options.rays)};
  measure_ceilings(table, work.copied_bytes());
  std::uint64_t differing = measure_switch_over(table, work.small_rays());
  if (differing > 0) table.note("DIFFERENT ANSWERS: switch-over");
  double longest = 0;  // of a scene so far: the next takes as long, and is not to be cut short
  for (double shapes = 1e3; shapes <= options.largest; shapes *= 10) {
    for (const gen::SceneKind kind :
         {gen::SceneKind::city, gen::SceneKind::cloud, gen::SceneKind::mixed}) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      const std::string name = std::string(gen::name_of(kind)) + " of " +
                               std::to_string(static_cast<std::uint64_t>(shapes)) + " shapes";
      if (spent.count() + longest > options.seconds) {
        table.note("not reached in time: " + name);
        continue;
      }
      std::uint64_t differ = 0;
      longest = std::max(longest, host_seconds([&] {
                           differ = measure_scene(table, work, kind,
                                                  static_cast<std::uint64_t>(shapes), options.cpu);
                         }));
      if (differ > 0) table.note("DIFFERENT ANSWERS: " + name);
      differing += differ;
    }
  }
  if (json != nullptr && std::fclose(json) != 0) return 2;
  return differing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  sightline::bench::Options options;
  if (!sightline::bench::parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: gpu_rates [--largest SHAPES] [--rays N] [--seconds S] [--json FILE] "
                 "[--cpu]\n");
    return 2;
  }
  const sightline::CudaDevices devices = sightline::cuda_devices();
  if (!devices.problem.empty()) {
    std::printf("skipped: %s\n", devices.problem.c_str());
    return 0;
  }
  try {
    return sightline::bench::run(options);
  } catch (const sightline::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
