#include "bench/duel/duel.hpp"

#include <sightline/error.hpp>

#include <algorithm>

namespace sightline::bench {
namespace {

constexpr std::size_t most_finalists = 3;
constexpr std::uint64_t least_rays_of_trial = 1 << 14;

/// A heat on a part of the rays, after which those remain that took at most `factor` times the
/// least. Few rays are unfair to modes that sort, so the first heats let many pass.
struct Heat {
  std::uint64_t part;
  double factor;
};
constexpr Heat heats[] = {{64, 2.5}, {8, 1.6}, {1, 1.15}};

Taken timed(const CastFirst& cast, std::uint64_t n, Answers& answers) {
  answers.poison();
  return taken_by([&] { cast(n, answers); });
}

struct Runs {
  std::vector<double> cpu, wall;
  void add(const Taken& t) {
    cpu.push_back(t.cpu);
    wall.push_back(t.wall);
  }
  Taken medians() const { return {median(cpu), median(wall)}; }
};

/// Numbers of contenders, the fastest first.
struct Tried {
  std::vector<std::size_t> order;
  std::vector<double> seconds;  ///< by contender; 0: not tried
};

/// Those of `who` that take at most `factor` times the least.
Tried best_of(const std::vector<std::size_t>& who, double factor, std::uint64_t n,
              const Answers& expected, const std::vector<Contender>& contenders,
              const Timing& timing, Answers& answers, Difference& sum) {
  Tried tried;
  tried.seconds.resize(contenders.size());
  for (const std::size_t k : who) {
    tried.seconds[k] = timing.seconds(timed(contenders[k].cast, n, answers));
    sum.add(difference(expected, answers, n));
    tried.order.push_back(k);
  }
  std::sort(tried.order.begin(), tried.order.end(),
            [&](std::size_t a, std::size_t b) { return tried.seconds[a] < tried.seconds[b]; });
  const auto too_slow = [&](std::size_t k) {
    return tried.seconds[k] > factor * tried.seconds[tried.order.front()];
  };
  if (tried.order.empty()) return tried;
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
  for (const Heat& heat : heats) {
    const std::uint64_t some = std::min(n, std::max(n / heat.part, least_rays_of_trial));
    const Tried tried = best_of(who, heat.factor, some, expected, contenders, options.timing,
                                answers, result.difference);
    if (some == n) {
      for (const std::size_t k : who) {
        result.seconds.emplace_back(contenders[k].mode, tried.seconds[k]);
      }
    }
    who = tried.order;
    if (some == n) break;
  }
  who.resize(std::min(who.size(), most_finalists));
  Runs all_ours;
  std::vector<Runs> rivals(contenders.size());
  std::vector<std::vector<double>> ratios(contenders.size());
  const auto again = [&] {
    const Taken taken = timed(ours, n, answers);
    if (same_answers(answers, expected)) return taken;
    throw Error(ErrorKind::internal, "the same call gave other answers");
  };
  for (int pair = 0; pair < options.pairs; ++pair) {
    if (who.empty()) all_ours.add(again());
    for (const std::size_t k : who) {
      const Taken a = again();
      const Taken b = timed(contenders[k].cast, n, answers);
      all_ours.add(a);
      rivals[k].add(b);
      ratios[k].push_back(options.timing.seconds(b) / options.timing.seconds(a));
    }
  }
  result.ours = all_ours.medians();
  for (const std::size_t k : who) {
    const Taken medians = rivals[k].medians();
    if (result.ratios.empty() ||
        options.timing.seconds(medians) < options.timing.seconds(result.rival)) {
      result.winner = k;
      result.rival = medians;
      result.ratios = ratios[k];
      result.ratio = median(ratios[k]);
    }
  }
  return result;
}

}  // namespace sightline::bench
