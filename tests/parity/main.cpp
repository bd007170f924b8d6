// Parity of a backend with the others, byte by byte, over many scenes, queries and policies.
//
//   backend_parity [--device cuda|cpu] [--pairs N] [--seconds S] [--seed K] [--largest SHAPES]
//                  [--threads T]
//
// Compared are the cuda backend and the cpu's, or the trees of the cpu backend and its brute force;
// samples of all with the reference. A pair is a ray, or two points, in one policy, answered by the
// judge and by every member of the panel; other queries are asked beside them. Runs until N pairs
// (default 1e9) are compared, but at most S seconds (default: no limit). Prints one line of JSON;
// exit code 0 when nothing differs, 1 when something does, 2 for usage, 3 where there is no device,
// 4 for too few pairs in the time given.
#include "tests/parity/runs.hpp"

#include <sightline/caster.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace sightline::testing {
namespace {

struct Options {
  Backend tested = Backend::cuda;
  double pairs = 1e9, seconds = infinity, seed = 1, largest = 1e6;
  double threads = std::max(1u, std::thread::hardware_concurrency());
};

bool parse(int argc, char** argv, Options& options) {
  const std::pair<const char*, double*> names[] = {{"--pairs", &options.pairs},
                                                   {"--seconds", &options.seconds},
                                                   {"--seed", &options.seed},
                                                   {"--largest", &options.largest},
                                                   {"--threads", &options.threads}};
  for (int i = 1; i < argc; i += 2) {
    if (std::strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
      const std::string device = argv[i + 1];
      if (device != "cuda" && device != "cpu") return false;
      options.tested = device == "cpu" ? Backend::cpu : Backend::cuda;
      continue;
    }
    const auto* option = std::find_if(std::begin(names), std::end(names), [&](const auto& name) {
      return std::strcmp(name.first, argv[i]) == 0;
    });
    char* end = nullptr;
    if (option == std::end(names) || i + 1 == argc) return false;
    *option->second = std::strtod(argv[i + 1], &end);
    if (end == argv[i + 1] || *end != 0 || !(*option->second >= 1)) return false;
  }
  return true;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  int operator()() {
    const double rays = std::clamp(options_.pairs / 1000, 1e3, 1e6);
    // The large scenes may take half of the time.
    for (std::uint64_t i = 0;
         seconds() < options_.seconds / 2 && guarded([&] {
           return run_standard_scene(i, static_cast<std::uint64_t>(options_.largest),
                                     static_cast<std::uint64_t>(rays), options_.tested, totals_);
         });
         ++i) {
      progress();
    }
    std::vector<std::thread> threads;
    for (int k = 0; k < static_cast<int>(options_.threads); ++k) {
      threads.emplace_back([this] { small_scenes(); });
    }
    for (std::thread& t : threads) t.join();
    report();
    if (totals_.differing > 0) return 1;
    return enough() ? 0 : 4;
  }

 private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double pairs() const {
    return static_cast<double>(totals_.pairs) + static_cast<double>(totals_.sight_pairs);
  }
  bool enough() const { return pairs() >= options_.pairs; }

  void small_scenes() {
    const auto first = static_cast<std::uint64_t>(options_.seed) * 1'000'003;
    while (!enough() && seconds() < options_.seconds && totals_.differing < 100) {
      guarded(
          [&] { return run_small_scene(first + next_scene_++, options_.tested, totals_), true; });
      if (seconds() > 5 * static_cast<double>(reports_)) progress();
    }
  }

  /// An error is a difference: the cpu answered.
  template <class F>
  bool guarded(F&& f) {
    try {
      return f();
    } catch (const Error& error) {
      totals_.complain(error.what());
      return true;
    }
  }

  void progress() {
    const std::lock_guard lock(totals_.output);
    reports_ = static_cast<std::uint64_t>(seconds() / 5) + 1;
    std::fprintf(stderr,
                 "%6.1f s  %7llu scenes  %8.2f million pairs  %7.2f million/s  %llu differ\n",
                 seconds(), number(totals_.scenes), pairs() / 1e6, pairs() / seconds() / 1e6,
                 number(totals_.differing));
  }

  void report() const {
    std::printf(
        "{\"seed\": %.0f, \"scenes\": %llu, \"ray_pairs\": %llu, \"sight_pairs\": %llu, "
        "\"pairs\": %.0f, \"pairs_asked\": %.0f, \"other_queries\": %llu, \"hits\": %llu, "
        "\"differing\": %llu, \"threads\": %.0f, \"seconds\": "
        "%.1f, \"answers_version\": %u, \"device\": \"%s\"}\n",
        options_.seed, number(totals_.scenes), number(totals_.pairs), number(totals_.sight_pairs),
        pairs(), options_.pairs, number(totals_.asked), number(totals_.hits),
        number(totals_.differing), options_.threads, seconds(), answers_version, device_.c_str());
  }

  static unsigned long long number(std::uint64_t n) { return n; }

  Options options_;
  Totals totals_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> next_scene_{0}, reports_{0};
  const std::string device_ =  ///< asked while there is one
      options_.tested == Backend::cpu ? "cpu" : cuda_devices().devices.front().name;
};

}  // namespace
}  // namespace sightline::testing

int main(int argc, char** argv) {
  sightline::testing::Options options;
  if (!sightline::testing::parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: backend_parity [--device cuda|cpu] [--pairs N] [--seconds S] [--seed K] "
                 "[--largest SHAPES] [--threads T]\n");
    return 2;
  }
  if (const std::string problem = sightline::cuda_devices().problem;
      options.tested == sightline::Backend::cuda && !problem.empty()) {
    std::printf("skipped: %s\n", problem.c_str());
    return 3;
  }
  return sightline::testing::Run(options)();
}
