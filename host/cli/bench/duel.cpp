#include "host/cli/bench/duel.hpp"

#include "host/cli/interrupt.hpp"

#include <sightline/error.hpp>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr double worth_all_rays = 1.6;
constexpr double worth_pairs = 1.15;
constexpr std::size_t most_finalists = 3;
constexpr std::uint64_t least_rays_of_trial = 1 << 15;

double seconds(const Taken& t, Clock clock) { return clock == Clock::wall ? t.wall : t.busiest; }

Taken timed(const CastFirst& cast, std::uint64_t n, Answers& answers) {
  poll_interrupt();
  answers.poison();
  return taken_by([&] { cast(n, answers); });
}

struct Runs {
  std::vector<double> busiest, wall;
  void add(const Taken& t) {
    busiest.push_back(t.busiest);
    wall.push_back(t.wall);
  }
  Taken medians() const { return {median(busiest), median(wall)}; }
};

/// Numbers of contenders, the fastest first.
struct Tried {
  std::vector<std::size_t> order;
  std::vector<double> seconds;  ///< by contender; 0: not tried
};

/// Those of `who` that take at most `factor` times the least.
Tried best_of(const std::vector<std::size_t>& who, double factor, std::uint64_t n,
              const Answers& expected, const std::vector<Contender>& contenders, Clock clock,
              Answers& answers, Difference& sum) {
  Tried tried;
  tried.seconds.resize(contenders.size());
  for (const std::size_t k : who) {
    tried.seconds[k] = seconds(timed(contenders[k].cast, n, answers), clock);
    sum.add(difference(expected, answers, n));
    tried.order.push_back(k);
  }
  std::sort(tried.order.begin(), tried.order.end(),
            [&](std::size_t a, std::size_t b) { return tried.seconds[a] < tried.seconds[b]; });
  const auto too_slow = [&](std::size_t k) {
    return tried.seconds[k] > factor * tried.seconds[tried.order.front()];
  };
  tried.order.erase(std::find_if(tried.order.begin(), tried.order.end(), too_slow),
                    tried.order.end());
  return tried;
}

}  // namespace

DuelResult duel(std::uint64_t n, const CastFirst& ours, Answers& expected,
                const std::vector<Contender>& contenders, const DuelOptions& options) {
  DuelResult result;
  Answers answers = expected;
  timed(ours, n, expected);  // warms up, and gives what the others are held to
  std::vector<std::size_t> who(contenders.size());
  for (std::size_t k = 0; k < who.size(); ++k) who[k] = k;
  if (who.size() > 1) {
    const std::uint64_t few = std::min(n, std::max(n / 8, least_rays_of_trial));
    who = best_of(who, worth_all_rays, few, expected, contenders, options.clock, answers,
                  result.difference)
              .order;
  }
  if (!who.empty()) {
    const Tried tried = best_of(who, worth_pairs, n, expected, contenders, options.clock, answers,
                                result.difference);
    for (const std::size_t k : who) {
      result.seconds.emplace_back(contenders[k].mode, tried.seconds[k]);
    }
    who = tried.order;
    who.resize(std::min(who.size(), most_finalists));
  }
  Runs all_ours;
  std::vector<Runs> rivals(contenders.size());
  std::vector<std::vector<double>> ratios(contenders.size());
  for (int pair = 0; pair < options.pairs; ++pair) {
    if (who.empty()) all_ours.add(timed(ours, n, answers));
    for (const std::size_t k : who) {
      const Taken a = timed(ours, n, answers);
      if (!same_answers(answers, expected)) {
        throw Error(ErrorKind::internal, "the same call gave other answers");
      }
      const Taken b = timed(contenders[k].cast, n, answers);
      all_ours.add(a);
      rivals[k].add(b);
      ratios[k].push_back(seconds(b, options.clock) / seconds(a, options.clock));
    }
  }
  result.ours = all_ours.medians();
  for (const std::size_t k : who) {
    const Taken medians = rivals[k].medians();
    if (result.ratios.empty() ||
        seconds(medians, options.clock) < seconds(result.rival, options.clock)) {
      result.winner = k;
      result.rival = medians;
      result.ratios = ratios[k];
      result.ratio = median(ratios[k]);
    }
  }
  return result;
}

}  // namespace sightline::cli
