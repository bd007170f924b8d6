// Rates of the cuda backend over the standard scenes, beside what the machine can do.
//
//   gpu_rates [--largest SHAPES] [--rays N] [--seconds S] [--json FILE] [--cpu] [--plan]
//
// Scenes of 1e3 shapes to SHAPES (1e7 by default), while S seconds (120) are not over; N rays of
// each kind (2^21; at least 64), and points and copies in proportion. --cpu adds the cpu backend's
// rows, and holds the device's answers to its. Medians of five. --plan says what would be measured,
// and how many of the seconds each part has. Exit code 0, also where there is no device
// ("skipped"); 1 when answers differ; 2 for usage.
#include "bench/gpu_rates.hpp"

#include <sightline/devices.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace sightline::bench {
namespace {

struct Options {
  double largest = 1e7, rays = 1 << 21, seconds = 120;
  const char* json = nullptr;
  bool cpu = false, plan = false;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    if (is("--cpu")) {
      options.cpu = true;
    } else if (is("--plan")) {
      options.plan = true;
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

constexpr gen::SceneKind every_kind[] = {gen::SceneKind::city, gen::SceneKind::cloud,
                                         gen::SceneKind::mixed};

/// Parts of the run, and of its seconds. What one leaves goes to the next.
struct Part {
  const char* name;
  const char* what;
  double share;
};
constexpr Part ceilings = {"ceilings", "copies on the device and over the bus, issue rates", 0.04},
               switch_over = {"switch-over", "brute force against the tree, 16 to 1024 shapes",
                              0.06},
               matrices = {"matrices", "visibility of up to 100,000 points by as many", 0.15},
               variants = {"variants", "layouts, schedules, sorting and builders, to 1e6 shapes",
                           0.3},
               growth = {"growth", "builds, device and host rays, matrices, by size", 0.45};
constexpr Part parts[] = {ceilings, switch_over, matrices, variants, growth};

void print_plan(const Options& options) {
  for (const Part& part : parts) {
    std::printf("%-12s %5.0f s  %s\n", part.name, part.share * options.seconds, part.what);
  }
}

/// Measures one thing after the other while a part's time lasts.
class Run {
 public:
  Run(const Options& options, Table& table) : options_(options), table_(table) {}

  void begin(const Part& part) {
    until_ += part.share * options_.seconds;
    longest_ = 0;
  }
  /// work() returns how many answers differ. It is not begun where `times` the longest so far of
  /// this part would not fit.
  template <class Work>
  void item(const std::string& name, Work&& work, double times = 1) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    if (spent.count() + times * longest_ > until_) {
      return table_.note("not reached in time: " + name);
    }
    std::uint64_t differ = 0;
    longest_ = std::max(longest_, host_seconds([&] { differ = work(); }));
    if (differ > 0) table_.note("DIFFERENT ANSWERS: " + name);
    differing_ += differ;
  }
  std::uint64_t differing() const { return differing_; }

 private:
  const Options& options_;
  Table& table_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double until_ = 0, longest_ = 0;
  std::uint64_t differing_ = 0;
};

std::string name_of(gen::SceneKind kind, double shapes) {
  return std::string(gen::name_of(kind)) + " of " +
         std::to_string(static_cast<std::uint64_t>(shapes)) + " shapes";
}

std::uint64_t measure(const Options& options, Table& table) {
  const Work work{static_cast<std::uint64_t>(options.rays)};
  Run run(options, table);
  run.begin(ceilings);
  run.item("ceilings", [&] {
    measure_ceilings(table, work.copied_bytes());
    return std::uint64_t{0};
  });
  run.begin(switch_over);
  for (const gen::SceneKind kind : every_kind) {
    run.item("switch-over, " + std::string(gen::name_of(kind)),
             [&] { return measure_switch_over(table, kind, work.small_rays()); });
  }
  run.begin(matrices);
  const double shapes_seen = std::min(options.largest, 1e5);
  for (const gen::SceneKind kind : {gen::SceneKind::city, gen::SceneKind::cloud}) {
    for (const std::uint64_t points : {work.large_points() / 10, work.large_points()}) {
      run.item("matrix of " + std::to_string(points) + ", " + name_of(kind, shapes_seen), [&] {
        return measure_matrix(table, kind, static_cast<std::uint64_t>(shapes_seen), points);
      });
    }
  }
  run.begin(variants);
  for (const double shapes : {1e6, 1e5, 1e4, 1e3}) {
    if (shapes > options.largest) continue;
    for (const gen::SceneKind kind : every_kind) {
      run.item("variants, " + name_of(kind, shapes), [&] {
        return measure_variants(table, kind, static_cast<std::uint64_t>(shapes), work.rays);
      });
    }
  }
  for (const gen::SceneKind kind : every_kind) {
    run.begin({growth.name, growth.what, growth.share / std::size(every_kind)});
    for (double shapes = 1e3; shapes <= options.largest; shapes *= 10) {
      // A scene ten times as large may take that much longer, but for what does not grow.
      run.item(
          name_of(kind, shapes),
          [&] {
            return measure_scene(table, work, kind, static_cast<std::uint64_t>(shapes),
                                 options.cpu);
          },
          5);
    }
  }
  return run.differing();
}

int run(const Options& options) {
  std::FILE* json = options.json == nullptr ? nullptr : std::fopen(options.json, "w");
  if (options.json != nullptr && json == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", options.json);
    return 2;
  }
  Table table(json);
  const std::uint64_t differing = measure(options, table);
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
                 "[--cpu] [--plan]\n");
    return 2;
  }
  if (options.plan) {
    sightline::bench::print_plan(options);
    return 0;
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
