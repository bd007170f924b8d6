// Passes over a tree, children first. Children have greater numbers than their node.
#pragma once

#include "host/common/fp_environment.hpp"

#include <sightline/error.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace sightline::detail {

/// Calls visit(i) once for every node i of [0, count), after its children. `waits(i, ready)`
/// returns whether ready(child) is false for any of its inner children. On all threads of the
/// arena, in ranges of nodes: a node is postponed to the end of the pass if a child is in another
/// range, which is rare where subtrees are numbered consecutively. Throws Error{out_of_memory}.
template <class Waits, class Visit>
void for_each_bottom_up(std::uint32_t count, const Waits& waits, const Visit& visit) {
  constexpr std::uint32_t range_size = 1u << 14;
  const std::uint32_t ranges = count / range_size + (count % range_size != 0);
  std::vector<std::uint8_t> done;
  std::vector<std::vector<std::uint32_t>> waiting;
  try {
    done.resize(count);
    waiting.resize(ranges);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "a pass over a tree of " + std::to_string(count) +
                                              " nodes needs more than " + std::to_string(count) +
                                              " bytes");
  }
  tbb::parallel_for(std::uint32_t{0}, ranges, [&](std::uint32_t range) {
    const FpEnvironment environment;
    const std::uint32_t begin = range * range_size,
                        end = std::min(count - begin, range_size) + begin;
    const auto ready = [&](std::uint32_t child) { return child < end && done[child] != 0; };
    for (std::uint32_t i = end; i-- > begin;) {
      if (waits(i, ready)) {
        waiting[range].push_back(i);
      } else {
        visit(i);
        done[i] = 1;
      }
    }
  });
  const FpEnvironment environment;
  for (std::uint32_t range = ranges; range-- > 0;) {
    for (const std::uint32_t i : waiting[range]) visit(i);
  }
}

}  // namespace sightline::detail
