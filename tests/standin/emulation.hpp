// How emulated kernels run, and what is counted of them.
#pragma once

#include <cstdint>

namespace sightline::standin {

/// How often a team did what; a kernel's cost in steps, whatever the machine.
struct Steps {
  std::uint64_t each = 0, ballots = 0, exchanges = 0, syncs = 0;
  std::uint64_t nodes = 0, node_lanes = 0;       ///< node tests, and lanes that took part in them
  std::uint64_t leaves = 0, leaf_lanes = 0;      ///< leaf tests
  int depth = 0;                                 ///< the most entries on a lane's stack
  std::uint64_t climbs = 0, climb_lanes = 0;     ///< steps up, and lanes that go on after them
  std::uint64_t rounds = 0, round_clusters = 0;  ///< of merging, and clusters at their beginning
};

/// In which order the lanes do a step; no answer may depend on it.
enum class LaneOrder { upwards, downwards };

/// How an emulated kernel runs: what it counts, and in which order the lanes do a step.
struct Emulation {
  Steps* steps = nullptr;
  LaneOrder order = LaneOrder::upwards;
};

/// Which warps run when; no tree may depend on it.
struct WarpOrder {
  std::uint64_t seed = 0;  ///< 0: one after the other from the first
  int threads = 1;         ///< that share the warps
};

}  // namespace sightline::standin
