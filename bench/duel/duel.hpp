// Ours against the best of a rival's ways, in turn: A B A B.
#pragma once

#include "bench/harness/answers.hpp"
#include "bench/harness/timing.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sightline::bench {

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

}  // namespace sightline::bench
