// How long work takes on a machine that others use too.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

namespace sightline::cli {

/// What a piece of work took.
struct Taken {
  /// Time on a core of the thread that spent most there: with one thread what it computed, with
  /// several what the last of them would have waited for. Others on the machine do not lengthen it.
  double busiest = 0;
  double wall = 0;
};

/// Nanoseconds on a core, by thread of this process.
std::map<int, std::int64_t> thread_times();
/// Of the thread whose time grew most since, in seconds.
double busiest_since(const std::map<int, std::int64_t>& before);

template <class F>
Taken taken_by(F&& work) {
  const auto before = thread_times();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {busiest_since(before), wall.count()};
}

double median(std::vector<double> values);

}  // namespace sightline::cli
