// Time of a piece of work: by the clock on the wall, and of all threads together.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

namespace sightline::bench {

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
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

template <class F>
Taken taken_by(F&& work) {
  const double cpu = cpu_seconds();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {cpu_seconds() - cpu, wall.count()};
}

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// One thread and all cores.
inline std::vector<int> default_threads() {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return cores == 1 ? std::vector<int>{1} : std::vector<int>{1, cores};
}

}  // namespace sightline::bench
