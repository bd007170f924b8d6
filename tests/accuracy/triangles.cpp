// Exact triangles against whole numbers, in pieces that can be added up:
//
//   triangle_cases [--cases N] [--seed K] [--kind NAME] [--seconds S]
//
// Draws N cases (default 1e6) of each kind of tests/support/triangle_cases.hpp, or of one, and
// prints a line of JSON a kind. Stops at S seconds in all, and says how many cases were judged.
// Exit code 0 when nothing is wrong, 1 when something is, 2 for usage.
#include "tests/support/triangle_judge.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace sightline::testing;

unsigned long long number(std::uint64_t n) { return n; }

void print(const char* kind, std::uint64_t seed, const TriangleCounts& n, double seconds) {
  std::printf(
      "{\"kind\": \"%s\", \"seed\": %llu, \"cases\": %llu, \"hits\": %llu, \"in_plane\": %llu, "
      "\"open_after_a\": %llu, \"open_after_b\": %llu, \"edges_in_doubles\": %llu, "
      "\"edges_in_expansions\": %llu, \"t_in_expansions\": %llu, \"sure_hits\": %llu, "
      "\"wrong_hits\": %llu, \"wrong_t\": %llu, \"wrong_sides\": %llu, \"wrong_stages\": %llu, "
      "\"seconds\": %.1f}\n",
      kind, number(seed), number(n.cases), number(n.hits), number(n.in_plane),
      number(n.open_after_a), number(n.open_after_b), number(n.edges_in_doubles),
      number(n.edges_in_expansions), number(n.t_in_expansions), number(n.sure_t),
      number(n.wrong_hits), number(n.wrong_t), number(n.wrong_sides), number(n.wrong_stages),
      seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  double cases = 1e6, seed = 1, seconds = 1e18;
  const char* only = nullptr;
  bool usage = argc % 2 == 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    char* end = argv[i + 1];
    if (std::strcmp(argv[i], "--cases") == 0) {
      cases = std::strtod(argv[i + 1], &end);
    } else if (std::strcmp(argv[i], "--seed") == 0) {
      seed = std::strtod(argv[i + 1], &end);
    } else if (std::strcmp(argv[i], "--seconds") == 0) {
      seconds = std::strtod(argv[i + 1], &end);
    } else if (std::strcmp(argv[i], "--kind") == 0) {
      only = argv[i + 1];
      continue;
    }
    usage = usage || end == argv[i + 1] || *end != 0;
  }
  const auto clock = [] { return std::chrono::steady_clock::now(); };
  const auto start = clock();
  bool wrong = false, found = false;
  for (int kind = 0; kind < triangle_case_kinds && !usage; ++kind) {
    const char* name = triangle_case_names[kind];
    if (only != nullptr && std::strcmp(only, name) != 0) continue;
    found = true;
    const auto begin = clock();
    const auto since = [&](auto from) {
      return std::chrono::duration<double>(clock() - from).count();
    };
    TriangleCases draw(kind, static_cast<std::uint64_t>(seed));
    TriangleCounts n;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(cases); ++i) {
      if (i % 4096 == 0 && since(start) > seconds) break;
      if (!judge(draw.next(), n) && n.wrong() <= 3) {
        std::fprintf(stderr, "wrong: %s, seed %.0f, case %llu\n", name, seed, number(i));
      }
    }
    print(name, static_cast<std::uint64_t>(seed), n, since(begin));
    wrong = wrong || n.wrong() > 0;
  }
  if (usage || !found) {
    std::fprintf(stderr,
                 "usage: triangle_cases [--cases N] [--seed K] [--kind NAME] "
                 "[--seconds S]\n");
    return 2;
  }
  return wrong ? 1 : 0;
}
