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

/// Of work that is done when it returns, on the host's clock.
template <class F>
double host_seconds(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Samples of a row; a program may set another number before it measures. Calls of 5 ms for each of
/// them warm up; a single one is not warmed up, since a profiler does that, call by call. Where
/// they take longer than the seconds, a quarter of them will do.
inline std::size_t samples_of_a_row = 20;
inline constexpr double seconds_of_a_row = 0.75;

/// The seconds that each call says it took.
template <class F>
std::vector<double> sample(F&& seconds_of_one) {
  double spent = 0;
  const auto call = [&] {
    double said = 0;
    spent += host_seconds([&] { said = seconds_of_one(); });
    return said;
  };
  while (samples_of_a_row > 1 && spent < 0.005 * static_cast<double>(samples_of_a_row)) call();
  spent = 0;
  std::vector<double> samples;
  while (samples.size() < (samples_of_a_row + 3) / 4 ||
         (samples.size() < samples_of_a_row && spent < seconds_of_a_row)) {
    samples.push_back(call());
  }
  return samples;
}

}  // namespace sightline::bench
