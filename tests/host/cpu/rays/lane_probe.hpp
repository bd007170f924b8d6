// What the lanes of each instruction set make of numbers: one translation unit per set, compiled
// for it like the traversal, gives plain functions over plain data.
#pragma once

#include "tests/include/base/lane_values.hpp"

#include <cstdint>

namespace sightline::testing {

/// Every operation of a lane type, lane by lane.
struct LaneValues {
  float sum[most_lanes], difference[most_lanes], product[most_lanes], quotient[most_lanes];
  float negative[most_lanes], fused[most_lanes], root[most_lanes], size[most_lanes];
  float least[most_lanes], greatest[most_lanes], chosen[most_lanes], power[most_lanes];
  bool less[most_lanes], greater[most_lanes], at_most[most_lanes], at_least[most_lanes];
  bool equal[most_lanes], both[most_lanes], either[most_lanes], opposite[most_lanes];
  bool chosen_mask[most_lanes], all_set[most_lanes], all_clear[most_lanes];
  bool any_less;
  /// The lanes of `less`, side by side: of a, and the bits of c.
  float compressed[most_lanes];
  std::uint32_t compressed_words[most_lanes];
  int compressed_count;
};

/// So many lanes of one instruction set.
struct LaneProbe {
  const char* name;
  int lanes;
  void (*operations)(const float* a, const float* b, const float* c, LaneValues& out);
  // Of shapes, with as many lanes as the set has; else null.
  void (*aabb)(const Aabb*, const ScaledRay*, const Aabb*, const float*, PairValues&) = nullptr;
  void (*obb)(const ObbFrame*, const ScaledRay*, const Aabb*, const float*, PairValues&) = nullptr;
  void (*sphere)(const Sphere*, const ScaledRay*, const Aabb*, const float*, PairValues&) = nullptr;
  void (*capsule)(const Capsule*, const ScaledRay*, const Aabb*, const float*,
                  PairValues&) = nullptr;
  void (*cylinder)(const Cylinder*, const ScaledRay*, const Aabb*, const float*,
                   PairValues&) = nullptr;
  void (*plane)(const Plane*, const ScaledRay*, const Aabb*, const float*, PairValues&) = nullptr;
};

/// Probes of 4 lanes and more, ended by one without lanes.
const LaneProbe* probes_avx512();
const LaneProbe* probes_avx2();
const LaneProbe* probes_portable();

}  // namespace sightline::testing
