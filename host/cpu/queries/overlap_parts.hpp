// What many ask at the same time, in parts on all threads; see overlap_loops.hpp for for_each.
#pragma once

#include "host/backend/backend.hpp"
#include "host/backend/overlap_loops.hpp"
#include "host/cpu/threads.hpp"

#include <atomic>

namespace sightline::detail {

/// Those that ask in a part, a multiple of 64: so few that all threads are at work to the end.
inline std::uint64_t asking_part(const Threads& threads, std::uint64_t n) {
  return threads.part_of(n, 64, 512);
}

template <class Use>
void for_each_asking_part(const Threads& threads, std::uint64_t n, const Use& use) {
  threads.for_each_part(
      n, asking_part(threads, n), [] { return 0; },
      [&](int, std::uint64_t begin, std::uint64_t end) { use(begin, end); });
}

/// bits [words_for(n)].
template <class ForEach>
OverlapReport overlap_any_in_parts(const Threads& threads, std::uint64_t n, const ForEach& for_each,
                                   std::uint64_t* bits) {
  std::fill_n(bits, words_for(n), 0);
  std::atomic<std::uint64_t> overlapping{0};
  for_each_asking_part(threads, n, [&](std::uint64_t begin, std::uint64_t end) {
    overlapping += mark_overlapping(begin, end, for_each, bits);
  });
  return {n, overlapping, 0};
}

/// counts [n].
template <class ForEach>
OverlapReport overlap_count_in_parts(const Threads& threads, std::uint64_t n,
                                     const ForEach& for_each, std::uint32_t* counts) {
  std::atomic<std::uint64_t> overlapping{0}, pairs{0};
  for_each_asking_part(threads, n, [&](std::uint64_t begin, std::uint64_t end) {
    const OverlapReport here = count_overlaps(begin, end, for_each, counts);
    overlapping += here.overlapping;
    pairs += here.pairs;
  });
  return {n, overlapping, pairs};
}

/// Every part keeps its own ids until all are counted.
template <class ForEach>
OverlapRows overlap_all_in_parts(const Threads& threads, std::uint64_t n, const ForEach& for_each) {
  const std::uint64_t part = asking_part(threads, n);
  OverlapRows rows;
  rows.offsets.resize(n + 1);
  std::vector<std::vector<std::uint32_t>> ids_of(n / part + 1);
  for_each_asking_part(threads, n, [&](std::uint64_t begin, std::uint64_t end) {
    append_overlaps(begin, end, for_each, ids_of[begin / part], rows.offsets.data() + 1);
  });
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i % part == 0) before = rows.offsets[i];
    rows.offsets[i + 1] += before;
  }
  rows.ids.resize(rows.offsets[n]);
  for_each_asking_part(threads, n, [&](std::uint64_t begin, std::uint64_t) {
    const std::vector<std::uint32_t> ids = std::move(ids_of[begin / part]);
    std::copy(ids.begin(), ids.end(),
              rows.ids.begin() + static_cast<std::ptrdiff_t>(rows.offsets[begin]));
  });
  return rows;
}

}  // namespace sightline::detail
