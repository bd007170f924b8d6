// Exact triangles against whole numbers, in pieces that can be added up:
//
//   triangle_cases [--cases N] [--seed K] [--seeds M] [--kind NAME] [--threads T] [--seconds S]
//
// Draws N cases (default 1e6) of each kind of tests/support/triangle_cases.hpp, or of one, for each
// of the seeds K, K + 1, ... K + M - 1 (default 1 alone), and prints a line of JSON a kind with the
// sums. Begins no seed's cases of a kind after S seconds; "seeds" says how many were judged.
// Exit code 0 when nothing is wrong, 1 when something is, 2 for usage.
#include "tests/support/triangle_judge.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace sightline::testing;
using Clock = std::chrono::steady_clock;

struct Options {
  double cases = 1e6, seed = 1, seeds = 1, threads = 1, seconds = 1e18;
  const char* only = nullptr;

  bool read(int argc, char** argv) {
    const std::pair<const char*, double*> numbers[] = {{"--cases", &cases},
                                                       {"--seed", &seed},
                                                       {"--seeds", &seeds},
                                                       {"--threads", &threads},
                                                       {"--seconds", &seconds}};
    for (int i = 1; i < argc; i += 2) {
      if (i + 1 == argc) return false;
      bool known = std::strcmp(argv[i], "--kind") == 0;
      if (known) only = argv[i + 1];
      for (const auto& [name, number] : numbers) {
        if (std::strcmp(argv[i], name) != 0) continue;
        char* end = nullptr;
        *number = std::strtod(argv[i + 1], &end);
        known = end != argv[i + 1] && *end == 0 && *number >= 0;
      }
      if (!known) return false;
    }
    return seeds >= 1 && threads >= 1 && threads <= 1024;
  }
  std::vector<int> kinds() const {
    std::vector<int> r;
    for (int kind = 0; kind < triangle_case_kinds; ++kind) {
      if (only == nullptr || std::strcmp(only, triangle_case_names[kind]) == 0) r.push_back(kind);
    }
    return r;
  }
};

/// One kind's cases of some seeds.
struct Sum {
  TriangleCounts counts;
  std::uint64_t seeds = 0;
  double seconds = 0;  ///< of all threads together

  Sum& operator+=(const Sum& more) {
    counts += more.counts, seeds += more.seeds, seconds += more.seconds;
    return *this;
  }
};

Sum one_seed(int kind, std::uint64_t seed, std::uint64_t cases) {
  const auto begin = Clock::now();
  TriangleCases draw(kind, seed);
  Sum r;
  r.seeds = 1;
  for (std::uint64_t i = 0; i < cases; ++i) {
    if (judge(draw.next(), r.counts) || r.counts.wrong() > 3) continue;
    std::fprintf(stderr, "wrong: %s, seed %llu, case %llu\n", triangle_case_names[kind],
                 static_cast<unsigned long long>(seed), static_cast<unsigned long long>(i));
  }
  r.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return r;
}

void print(const char* kind, double first_seed, const Sum& sum) {
  const auto number = [](std::uint64_t n) -> unsigned long long { return n; };
  const TriangleCounts& n = sum.counts;
  std::printf(
      "{\"kind\": \"%s\", \"seed\": %.0f, \"seeds\": %llu, \"cases\": %llu, \"hits\": %llu, "
      "\"in_plane\": %llu, \"open_after_a\": %llu, \"open_after_b\": %llu, "
      "\"edges_in_doubles\": %llu, \"edges_in_expansions\": %llu, \"t_in_expansions\": %llu, "
      "\"sure_hits\": %llu, \"wrong_hits\": %llu, \"wrong_t\": %llu, \"wrong_sides\": %llu, "
      "\"wrong_stages\": %llu, \"seconds\": %.1f}\n",
      kind, first_seed, number(sum.seeds), number(n.cases), number(n.hits), number(n.in_plane),
      number(n.open_after_a), number(n.open_after_b), number(n.edges_in_doubles),
      number(n.edges_in_expansions), number(n.t_in_expansions), number(n.sure_t),
      number(n.wrong_hits), number(n.wrong_t), number(n.wrong_sides), number(n.wrong_stages),
      sum.seconds);
}

/// Every kind's sum. Seed by seed all kinds, so that an early end cuts all of them.
std::vector<Sum> run(const Options& o, const std::vector<int>& kinds) {
  const auto start = Clock::now();
  const std::uint64_t tasks = static_cast<std::uint64_t>(o.seeds) * kinds.size();
  std::vector<std::vector<Sum>> by_thread(static_cast<std::size_t>(o.threads),
                                          std::vector<Sum>(kinds.size()));
  std::atomic<std::uint64_t> next = 0;
  std::vector<std::thread> threads;
  for (std::vector<Sum>& sums : by_thread) {
    threads.emplace_back([&] {
      while (std::chrono::duration<double>(Clock::now() - start).count() < o.seconds) {
        const std::uint64_t task = next++;
        if (task >= tasks) return;
        const std::uint64_t seed = static_cast<std::uint64_t>(o.seed) + task / kinds.size();
        const std::size_t k = task % kinds.size();
        sums[k] += one_seed(kinds[k], seed, static_cast<std::uint64_t>(o.cases));
      }
    });
  }
  for (std::thread& t : threads) t.join();
  std::vector<Sum> all(kinds.size());
  for (const std::vector<Sum>& sums : by_thread) {
    for (std::size_t k = 0; k < kinds.size(); ++k) all[k] += sums[k];
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const bool read = options.read(argc, argv);
  const std::vector<int> kinds = options.kinds();
  if (!read || kinds.empty()) {
    std::fprintf(stderr,
                 "usage: triangle_cases [--cases N] [--seed K] [--seeds M] [--kind NAME] "
                 "[--threads T] [--seconds S]\n");
    return 2;
  }
  const std::vector<Sum> sums = run(options, kinds);
  bool wrong = false;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    print(triangle_case_names[kinds[k]], options.seed, sums[k]);
    wrong = wrong || sums[k].counts.wrong() > 0;
  }
  return wrong ? 1 : 0;
}
