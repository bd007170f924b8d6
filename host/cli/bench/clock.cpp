#include "host/cli/bench/clock.hpp"

#include <time.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace sightline::cli {
namespace {

/// The clock of one thread of this process, as Linux numbers them: bits 0-1 say "time on a core",
/// bit 2 "of a thread", the rest is the complement of its number.
clockid_t clock_of(int thread) {
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6u);
}

}  // namespace

std::map<int, std::int64_t> thread_times() {
  std::map<int, std::int64_t> times;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const int thread = std::stoi(entry.path().filename().string());
    timespec t{};
    if (clock_gettime(clock_of(thread), &t) != 0) continue;  // it has ended
    times[thread] = std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
  }
  return times;
}

double busiest_since(const std::map<int, std::int64_t>& before) {
  std::int64_t most = 0;
  for (const auto& [thread, time] : thread_times()) {
    const auto at = before.find(thread);
    most = std::max(most, time - (at == before.end() ? 0 : at->second));
  }
  return static_cast<double>(most) * 1e-9;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace sightline::cli
