// Rates of the cuda backend over the standard scenes, beside what the machine can do.
//
//   gpu_rates [--largest SHAPES] [--rays N] [--samples N] [--seconds S] [--json FILE] [--cpu]
//             [--only PART] [--items TEXT] [--scene FILE --points FILE] [--plan]
//
// Scenes of up to SHAPES (1e7), while S seconds (380) are not over; N rays of each kind (2^24; at
// least 64), and points and copies in proportion. --cpu adds the cpu backend's rows, and holds the
// device's answers to its. --scene and --points add a matrix to the part "thresholds", and are the
// one of the part "boxes". --only does one part, --items what has TEXT in its name. Medians of N
// samples (20). --plan says what would be measured, and how many of the seconds each part has. Exit
// code 0, also where there is no device ("skipped"); 1 when answers differ; 2 for usage; 3 where
// this build has not the part that is asked for; 4 where there was no time for some of it.
#include "bench/gpu_rates.hpp"

#include <sightline/devices.hpp>
#include <sightline/files.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace sightline::bench {
namespace {

struct Options {
  double largest = 1e7, rays = 1 << 24, seconds = 380, samples = 20;
  const char *json = nullptr, *only = nullptr, *items = nullptr, *scene = nullptr,
             *points = nullptr;
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
    } else if (is("--only")) {
      options.only = argv[++i];
    } else if (is("--items")) {
      options.items = argv[++i];
    } else if (is("--scene")) {
      options.scene = argv[++i];
    } else if (is("--points")) {
      options.points = argv[++i];
    } else if (is("--largest") || is("--rays") || is("--seconds") || is("--samples")) {
      double& value = is("--largest")   ? options.largest
                      : is("--rays")    ? options.rays
                      : is("--samples") ? options.samples
                                        : options.seconds;
      value = std::strtod(argv[++i], nullptr);
      if (!(value >= 1)) return false;
    } else {
      return false;
    }
  }
  return options.rays >= 64 && options.rays <= 1e9 &&
         (options.scene == nullptr) == (options.points == nullptr);
}

constexpr gen::SceneKind every_kind[] = {gen::SceneKind::city, gen::SceneKind::cloud,
                                         gen::SceneKind::mixed};

/// Parts of the run, and of its seconds. What one leaves goes to the next.
struct Part {
  const char* name;
  const char* what;
  double share;
};
constexpr Part first_calls = {"first-calls", "what a new process waits for once", 0.02},
               builds = {"builds", "of the largest scenes, from bounds to widened nodes", 0.08},
               ceilings = {"ceilings", "copies on the device and over the bus, issue rates", 0.02},
               switch_over = {"switch-over", "brute force against the tree, 1 to 1024 shapes",
                              0.06},
               matrices = {"matrices", "beside their rays, and of up to 100,000 points by as many",
                           0.08},
               boxes = {"boxes", "matrices with boxes and without, from the targets and the root",
                        0.05},
               thresholds = {"thresholds", "rows of matrices sorted, sizes of chunks", 0.08},
               scenes = {"scenes", "builds, device and host rays, matrices, by size", 0.42},
               rivals = {"rivals", "NVIDIA's cuBQL beside: 1e6 shapes", 0.07},
               variants = {"variants", "schedules: 1e6 and 1e5 shapes", 0.12};
constexpr Part counters = {"counters", "each kernel of rays, for a profiler: by --only alone", 0};
constexpr Part parts[] = {first_calls, builds, ceilings, switch_over, matrices, boxes,
                          thresholds,  scenes, rivals,   variants,    counters};
/// The sizes that predictions are made for come first.
constexpr double every_size[] = {1e6, 1e5, 1e7, 1e4, 1e3};

bool is_part(const char* name) {
  const auto is = [&](const Part& part) { return std::strcmp(part.name, name) == 0; };
  return name == nullptr || std::any_of(std::begin(parts), std::end(parts), is);
}

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
    left_out_ = options_.only != nullptr && std::strcmp(options_.only, part.name) != 0;
    if (options_.only != nullptr) {
      until_ = options_.seconds;
    } else {
      until_ += part.share * options_.seconds;
    }
    longest_ = 0;
  }
  /// work() returns how many answers differ. It is not begun where the longest so far of this part
  /// would not fit.
  template <class Work>
  void item(const std::string& name, Work&& work) {
    if (left_out_ || (options_.items != nullptr && name.find(options_.items) == name.npos)) return;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    if (spent.count() + longest_ > until_) {
      short_ = true;
      return table_.note("not reached in time: " + name);
    }
    std::uint64_t differ = 0;
    longest_ = std::max(longest_, host_seconds([&] { differ = work(); }));
    if (differ > 0) table_.note("DIFFERENT ANSWERS: " + name);
    differing_ += differ;
    const std::chrono::duration<double> now = std::chrono::steady_clock::now() - start_;
    table_.note("-- " + name + ": done at " + std::to_string(static_cast<int>(now.count())) + " s");
  }
  int exit_code() const { return differing_ > 0 ? 1 : short_ ? 4 : 0; }

 private:
  const Options& options_;
  Table& table_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double until_ = 0, longest_ = 0;
  bool left_out_ = false, short_ = false;
  std::uint64_t differing_ = 0;
};

std::string name_of(gen::SceneKind kind, double shapes) {
  return std::string(gen::name_of(kind)) + " of " +
         std::to_string(static_cast<std::uint64_t>(shapes)) + " shapes";
}

void measure_matrices(Run& run, const Options& options, const Work& work, Table& table) {
  const double shapes_seen = std::min(options.largest, 1e5);
  for (const gen::SceneKind kind : {gen::SceneKind::city, gen::SceneKind::cloud}) {
    run.item("matrix and its rays, " + name_of(kind, shapes_seen), [&] {
      return measure_matrix_and_rays(table, kind, static_cast<std::uint64_t>(shapes_seen),
                                     work.rays);
    });
    for (const std::uint64_t points : {work.large_points() / 10, work.large_points()}) {
      run.item("matrix of " + std::to_string(points) + ", " + name_of(kind, shapes_seen), [&] {
        return measure_matrix(table, kind, static_cast<std::uint64_t>(shapes_seen), points);
      });
    }
  }
}

/// measure_rows_of() or measure_boxes_of() over the scene of the options, and of their points at
/// most 16 for each root of a ray.
template <class Measure>
void measure_file(Run& run, const char* what, const Options& options, const Work& work,
                  Measure&& measure_it) {
  run.item(std::string(what) + options.points, [&] {
    const std::vector<Vec3> points = files::read_points(options.points);
    const auto most = static_cast<std::size_t>(16 * std::sqrt(static_cast<double>(work.rays)));
    const std::size_t step = std::max<std::size_t>(1, (points.size() + most - 1) / most);
    std::vector<Vec3> some;
    for (std::size_t k = 0; k < points.size(); k += step) some.push_back(points[k]);
    return measure_it(std::filesystem::path(options.scene).stem().string(),
                      files::read_scene(options.scene), some);
  });
}

void measure_boxes(Run& run, const Options& options, const Work& work, Table& table) {
  if (options.scene != nullptr) {
    return measure_file(run, "boxes, ", options, work,
                        [&](auto&&... given) { return measure_boxes_of(table, given...); });
  }
  const double shapes = std::min(options.largest, 1e5);
  for (const gen::SceneKind kind : {gen::SceneKind::city, gen::SceneKind::cloud}) {
    for (const std::uint64_t pairs : {2 * work.rays, 4 * work.rays}) {
      run.item("boxes, " + std::to_string(pairs) + " pairs, " + name_of(kind, shapes), [&] {
        return measure_boxes(table, kind, static_cast<std::uint64_t>(shapes), pairs);
      });
    }
  }
}

/// What limits in the code are set by.
void measure_thresholds(Run& run, const Options& options, const Work& work, Table& table) {
  if (options.scene != nullptr) {
    measure_file(run, "rows sorted, ", options, work,
                 [&](auto&&... given) { return measure_rows_of(table, given...); });
  }
  const double medium = std::min(options.largest, 1e5), large = std::min(options.largest, 1e6);
  for (const gen::SceneKind kind : {gen::SceneKind::city, gen::SceneKind::cloud}) {
    const auto item = [&](const char* what, auto&& measure_it, double shapes, std::uint64_t rays) {
      run.item(what + name_of(kind, shapes),
               [&] { return measure_it(table, kind, static_cast<std::uint64_t>(shapes), rays); });
    };
    item("most pairs, rows sorted, ", measure_rows, medium, 8 * work.rays);
    item("many pairs, rows sorted, ", measure_rows, medium, work.rays);
    item("few pairs, rows sorted, ", measure_rows, medium, work.rays / 16);
    item("sizes of chunks, ", measure_chunks, large, work.rays);
  }
}

int measure(const Options& options, Table& table) {
  const Work work{static_cast<std::uint64_t>(options.rays)};
  Run run(options, table);
  run.begin(first_calls);
  run.item("first calls", [&] {
    const double shapes = std::min(options.largest, 1e5);
    measure_first_calls(table, static_cast<std::uint64_t>(shapes), work.small_rays());
    return std::uint64_t{0};
  });
  run.begin(builds);
  for (const gen::SceneKind kind : every_kind) {
    run.item("builds, " + name_of(kind, options.largest), [&] {
      const auto shapes = static_cast<std::uint64_t>(options.largest);
      measure_builds(table, kind, gen::make_scene(kind, shapes, 1));
      return std::uint64_t{0};
    });
  }
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
  measure_matrices(run, options, work, table);
  run.begin(boxes);
  measure_boxes(run, options, work, table);
  run.begin(thresholds);
  measure_thresholds(run, options, work, table);
  const double large = std::min(options.largest, 1e6);
  const auto for_each_scene = [&](double least, double largest, auto&& measure_it) {
    for (const double shapes : every_size) {
      for (const gen::SceneKind kind : every_kind) {
        if (least <= shapes && shapes <= largest) measure_it(kind, shapes);
      }
    }
  };
  run.begin(scenes);
  for_each_scene(0, options.largest, [&](gen::SceneKind kind, double shapes) {
    run.item(name_of(kind, shapes), [&] {
      return measure_scene(table, work, kind, static_cast<std::uint64_t>(shapes), options.cpu);
    });
  });
  run.begin(rivals);
#ifdef SIGHTLINE_CUBQL
  for_each_scene(large, large, [&](gen::SceneKind kind, double shapes) {
    run.item("rivals, " + name_of(kind, shapes), [&] {
      measure_rivals(table, kind, static_cast<std::uint64_t>(shapes), work.rays);
      return std::uint64_t{0};
    });
  });
#else
  if (options.only == nullptr || std::strcmp(options.only, rivals.name) == 0) {
    table.note("rivals: not in this build (scripts/rivals.sh)");
    if (options.only != nullptr) return 3;
  }
#endif
  run.begin(variants);
  for_each_scene(large / 10, large, [&](gen::SceneKind kind, double shapes) {
    run.item("variants, " + name_of(kind, shapes), [&] {
      return measure_variants(table, kind, static_cast<std::uint64_t>(shapes), work.small_rays());
    });
  });
  run.begin(counters);
  if (options.only != nullptr) {
    for (const gen::SceneKind kind : every_kind) {
      run.item("counters, " + name_of(kind, large), [&] {
        measure_once(table, kind, static_cast<std::uint64_t>(large), work.small_rays());
        return std::uint64_t{0};
      });
    }
  }
  return run.exit_code();
}

int run(const Options& options) {
  std::FILE* json = options.json == nullptr ? nullptr : std::fopen(options.json, "w");
  if (options.json != nullptr && json == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", options.json);
    return 2;
  }
  Table table(json);
  samples_of_a_row = static_cast<std::size_t>(options.samples);
  const int code = measure(options, table);
  if (json != nullptr && std::fclose(json) != 0) return 2;
  return code;
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  sightline::bench::Options options;
  using namespace sightline::bench;
  if (!parse(argc, argv, options) || !is_part(options.only)) {
    std::fprintf(stderr,
                 "usage: gpu_rates [--largest SHAPES] [--rays N] [--samples N] [--seconds S] "
                 "[--json FILE] [--cpu] [--only PART] [--items TEXT] [--scene FILE --points FILE] "
                 "[--plan]\n");
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
