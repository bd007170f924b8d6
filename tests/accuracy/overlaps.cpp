// Overlaps of triangles against whole numbers, in pieces that can be added up:
//
//   overlap_cases [--pairs N] [--seed K] [--kind NAME] [--seconds S]
//
// Draws N pairs (default 1e6) of each kind of tests/support/triangle_pairs.hpp, or of one, and
// prints a line of JSON a kind. Ends a kind after S seconds; "judged" says how many were judged.
// Exit code 0 when nothing is wrong, 1 when something is, 2 for usage.
#include "tests/support/triangle_pairs.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

using namespace sightline::testing;
using Clock = std::chrono::steady_clock;

struct Options {
  double pairs = 1e6, seed = 1, seconds = 1e18;
  const char* only = nullptr;

  bool read(int argc, char** argv) {
    const std::pair<const char*, double*> numbers[] = {
        {"--pairs", &pairs}, {"--seed", &seed}, {"--seconds", &seconds}};
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
    return true;
  }
  bool wants(int kind) const {
    return only == nullptr || std::strcmp(only, triangle_pair_names[kind]) == 0;
  }
};

/// Judges one kind and prints its line; false where something is wrong.
bool run(int kind, const Options& o) {
  const auto begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  const auto seed = static_cast<std::uint64_t>(o.seed), pairs = static_cast<std::uint64_t>(o.pairs);
  TrianglePairs draw(kind, seed);
  TrianglePairCounts n;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    if (i % 4096 == 0 && seconds() >= o.seconds) break;
    if (judge(draw.next(), n) || n.wrong > 3) continue;
    std::fprintf(stderr, "wrong: %s, seed %llu, pair %llu\n", triangle_pair_names[kind],
                 static_cast<unsigned long long>(seed), static_cast<unsigned long long>(i));
  }
  std::printf(
      "{\"kind\": \"%s\", \"seed\": %llu, \"judged\": %llu, \"overlapping\": %llu, "
      "\"in_plane\": %llu, \"wrong\": %llu, \"seconds\": %.1f}\n",
      triangle_pair_names[kind], static_cast<unsigned long long>(seed),
      static_cast<unsigned long long>(n.judged), static_cast<unsigned long long>(n.overlapping),
      static_cast<unsigned long long>(n.in_plane), static_cast<unsigned long long>(n.wrong),
      seconds());
  return n.wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bool known = options.read(argc, argv), some = false, right = true;
  for (int kind = 0; kind < triangle_pair_kinds; ++kind) some = some || options.wants(kind);
  if (!known || !some) {
    std::fprintf(stderr,
                 "usage: overlap_cases [--pairs N] [--seed K] [--kind NAME] [--seconds S]\n");
    return 2;
  }
  for (int kind = 0; kind < triangle_pair_kinds; ++kind) {
    if (options.wants(kind)) right = run(kind, options) && right;
  }
  return right ? 0 : 1;
}
