#include "host/cpu/packets.hpp"

namespace sightline::detail {

std::vector<RayRun> take_packets(std::uint32_t count, std::uint32_t size,
                                 const std::function<bool(std::uint32_t first)>& take) {
  constexpr std::uint32_t most_tries = 4;
  const std::uint32_t packets = count / size;
  const std::uint32_t tries = packets < most_tries ? packets : most_tries;
  bool taken[most_tries];
  std::uint32_t found = 0;
  for (std::uint32_t k = 0; k < tries; ++k) found += taken[k] = take(packets / tries * k * size);

  std::vector<RayRun> others;
  const auto leave = [&](std::uint32_t first, std::uint32_t end) {
    if (first == end) return;
    if (!others.empty() && others.back().first + others.back().count == first) {
      others.back().count += end - first;
    } else {
      others.push_back({first, end - first});
    }
  };
  std::uint32_t k = 0;
  for (std::uint32_t packet = 0; packet < packets; ++packet) {
    const bool tried = k < tries && packet == packets / tries * k;
    const bool done = tried ? taken[k++] : 2 * found >= tries && take(packet * size);
    if (!done) leave(packet * size, packet * size + size);
  }
  leave(packets * size, count);
  return others;
}

RayPlaces::RayPlaces(const std::vector<RayRun>& runs) {
  if (runs.size() == 1) first_ = runs[0].first;
  if (runs.size() <= 1) return;
  for (const RayRun& run : runs) {
    for (std::uint32_t i = 0; i < run.count; ++i) places_.push_back(run.first + i);
  }
}

}  // namespace sightline::detail
