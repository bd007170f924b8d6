// Measured rates as a printed table, and as lines of JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace sightline::bench {

/// One thing measured: `amount` units of work took `seconds`, one entry a sample.
struct Row {
  std::string what;   ///< closest hit, build ...
  std::string how;    ///< tree, brute force, cpu ...
  std::string scene;  ///< empty: no scene
  std::uint64_t shapes = 0;
  std::string work;  ///< the unit: rays, pairs, shapes, bytes
  double amount = 0;
  std::vector<double> seconds;
  double bytes = 0;  ///< that the work reads and writes beside the scene; 0: not counted
};

double median(std::vector<double> values);

/// Prints every row as it comes, so that a run cut short leaves what it had.
class Table {
 public:
  /// `json` may be null.
  explicit Table(std::FILE* json);
  void add(const Row& row);
  void note(const std::string& text);

 private:
  std::FILE* json_;
};

inline constexpr int sample_count = 5;

/// Seconds of each of sample_count calls, after one that warms up.
template <class F>
std::vector<double> sample(F&& seconds_of_one) {
  seconds_of_one();
  std::vector<double> samples;
  for (int k = 0; k < sample_count; ++k) samples.push_back(seconds_of_one());
  return samples;
}

/// Of work that is done when it returns, on the host's clock.
template <class F>
double host_seconds(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace sightline::bench
