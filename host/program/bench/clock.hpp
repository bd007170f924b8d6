// How long work takes on a machine that others use too.
#pragma once

#include <chrono>
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

}  // namespace sightline::cli
