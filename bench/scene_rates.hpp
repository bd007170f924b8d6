// The rows of one standard scene.
#pragma once

#include "bench/rate_table.hpp"
#include "host/gen/rays.hpp"

#include <algorithm>

namespace sightline::bench {

/// How much is asked of each scene.
struct Work {
  std::uint64_t rays;  ///< of each kind
  /// Seen from each other.
  std::uint64_t points() const { return std::max<std::uint64_t>(64, rays / 256); }
  /// Of a large matrix.
  std::uint64_t large_points() const { return std::clamp<std::uint64_t>(rays / 20, 640, 100'000); }
  /// The cpu gets fewer, so that its rows cost no more time than the others.
  std::uint64_t cpu_rays() const { return rays / 8; }
  std::uint64_t cpu_points() const { return points() / 8; }
  /// Made one by one, of scenes whose rates are all that counts.
  std::uint64_t small_rays() const { return std::max<std::uint64_t>(64, rays / 8); }
  /// For the copies that rates are held to.
  std::uint64_t copied_bytes() const { return rays * 1024; }
};

/// Builds and updates; closest and any hit, from the host and of rays on the device; visibility.
/// Returns how many comparisons of answers found a difference.
std::uint64_t measure_scene(Table& table, const Work& work, gen::SceneKind kind,
                            std::uint64_t shapes, bool cpu);

}  // namespace sightline::bench
