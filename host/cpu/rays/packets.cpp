#include "host/cpu/rays/packets.hpp"

#include "host/cpu/threads.hpp"

namespace sightline::detail {
namespace {

/// Appends a run, merged with the last one if it continues it.
void append(const RayRun& run, std::vector<RayRun>& runs) {
  if (run.count == 0) return;
  if (!runs.empty() && runs.back().first + runs.back().count == run.first) {
    runs.back().count += run.count;
  } else {
    runs.push_back(run);
  }
}

}  // namespace

std::vector<RayRun> take_packets(std::uint32_t count, std::uint32_t size,
                                 const std::function<bool(std::uint32_t first)>& take) {
  constexpr std::uint32_t most_tries = 4;
  const std::uint32_t packets = count / size;
  const std::uint32_t tries = packets < most_tries ? packets : most_tries;
  bool taken[most_tries];
  std::uint32_t found = 0;
  for (std::uint32_t k = 0; k < tries; ++k) found += taken[k] = take(packets / tries * k * size);

  std::vector<RayRun> others;
  std::uint32_t k = 0;
  for (std::uint32_t packet = 0; packet < packets; ++packet) {
    const bool tried = k < tries && packet == packets / tries * k;
    const bool done = tried ? taken[k++] : 2 * found >= tries && take(packet * size);
    if (!done) append({packet * size, size}, others);
  }
  append({packets * size, count - packets * size}, others);
  return others;
}

std::vector<RayRun> take_packets(std::uint32_t count, std::uint32_t size, std::uint32_t piece,
                                 const std::function<bool(std::uint32_t first)>& take) {
  if (count <= piece) return take_packets(count, size, take);
  std::vector<std::vector<RayRun>> runs_of((count - 1) / piece + 1);
  nested_parallel_for(
      count, piece, [] { return 0; },
      [&](int, std::uint64_t begin, std::uint64_t end) {
        const auto first = static_cast<std::uint32_t>(begin);
        auto& runs = runs_of[first / piece];
        runs = take_packets(static_cast<std::uint32_t>(end - begin), size,
                            [&](std::uint32_t k) { return take(first + k); });
        for (RayRun& run : runs) run.first += first;
      });
  std::vector<RayRun> others;
  for (const auto& runs : runs_of) {
    for (const RayRun& run : runs) append(run, others);
  }
  return others;
}

}  // namespace sightline::detail
