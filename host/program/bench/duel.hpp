// Ours against the best of a rival's ways, in turn: A B A B.
#pragma once

#include "host/program/bench/answers.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace sightline::cli {

/// What a piece of work took, in seconds.
struct Taken {
  double cpu = 0;  ///< of all threads together
  double wall = 0;
};

/// Which of the two counts. `cpu` is the time of all threads divided by their number: others on the
/// machine do not lengthen it, but what one thread does while the others sleep counts for little.
/// `wall` counts that in full, and holds on a quiet machine.
enum class Clock { cpu, wall };

struct Timing {
  Clock clock = Clock::cpu;
  int threads = 1;

  double seconds(const Taken& t) const {
    return clock == Clock::wall ? t.wall : t.cpu / static_cast<double>(threads);
  }
};

/// Of all threads of this process, in seconds.
double cpu_seconds();

template <class F>
Taken taken_by(F&& work) {
  const double cpu = cpu_seconds();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {cpu_seconds() - cpu, wall.count()};
}

double median(std::vector<double> values);
/// One thread and all cores.
std::vector<int> default_threads();

/// Casts the first n rays of a batch into the answers.
using CastFirst = std::function<void(std::uint64_t n, Answers& answers)>;

struct Contender {
  std::string mode;
  CastFirst cast;
};

struct DuelOptions {
  int pairs = 5;
  Timing timing;
};

struct DuelResult {
  Taken ours;  ///< medians
  std::size_t winner = 0;
  Taken rival;                                          ///< medians of the winner
  double ratio = 0;                                     ///< median of the pairs' ratios
  std::vector<double> ratios;                           ///< rival's time over ours, pair by pair
  std::vector<std::pair<std::string, double>> seconds;  ///< of each mode tried on all the rays
  Difference difference;                                ///< of all modes' answers from ours
};

/// `ours` answers all n rays into `expected`, which is of the right size. Modes are tried on parts
/// of the rays and then on all; those within 1.15 times the best, at most three, run in pairs with
/// ours. The winner has the least median time. Without contenders ours runs alone, `pairs` times.
DuelResult duel(std::uint64_t n, const CastFirst& ours, Answers& expected,
                const std::vector<Contender>& contenders, const DuelOptions& options);

}  // namespace sightline::cli
