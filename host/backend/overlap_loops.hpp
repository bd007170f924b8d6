// What each of those that ask overlaps, one after the other: bits, counts, rows.
//
// for_each(i, leaf) calls leaf(id) for everything that i overlaps, until it says true.
#pragma once

#include <sightline/caster.hpp>

#include <algorithm>

namespace sightline::detail {

/// Sets bit i of `bits` for each i in [begin, end) that overlaps something; the others are 0
/// already. Returns how many do.
template <class ForEach>
std::uint64_t mark_overlapping(std::uint64_t begin, std::uint64_t end, const ForEach& for_each,
                               std::uint64_t* bits) {
  std::uint64_t overlapping = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    bool any = false;
    for_each(i, [&](std::uint32_t) { return any = true; });
    bits[i / 64] |= std::uint64_t{any} << i % 64;
    overlapping += any;
  }
  return overlapping;
}

/// Writes counts [begin, end); returns what they say.
template <class ForEach>
OverlapReport count_overlaps(std::uint64_t begin, std::uint64_t end, const ForEach& for_each,
                             std::uint32_t* counts) {
  OverlapReport report{end - begin, 0, 0};
  for (std::uint64_t i = begin; i < end; ++i) {
    std::uint32_t count = 0;
    for_each(i, [&](std::uint32_t) {
      ++count;
      return false;
    });
    counts[i] = count;
    report.overlapping += count > 0;
    report.pairs += count;
  }
  return report;
}

/// Appends the ids of [begin, end), ascending for each, and writes where each row of ids ends:
/// ends [begin, end).
template <class ForEach>
void append_overlaps(std::uint64_t begin, std::uint64_t end, const ForEach& for_each,
                     std::vector<std::uint32_t>& ids, std::uint64_t* ends) {
  for (std::uint64_t i = begin; i < end; ++i) {
    const auto first = static_cast<std::ptrdiff_t>(ids.size());
    for_each(i, [&](std::uint32_t id) {
      ids.push_back(id);
      return false;
    });
    std::sort(ids.begin() + first, ids.end());
    ends[i] = ids.size();
  }
}

}  // namespace sightline::detail
