// What gpu_rates measures, each part in a file of its name.
#pragma once

#include "bench/rate_table.hpp"
#include "host/gen/rays.hpp"

#include <algorithm>

namespace sightline::bench {

// ceilings.cpp: what the device's memory and its link to the host can do.

/// Copies within the device (bytes read and written are counted), and with pinned memory to it,
/// from it and both ways at once. Within the device `device_bytes` are copied, over the link a
/// quarter of them.
void measure_ceilings(Table& table, std::uint64_t device_bytes);

// many_rays.cpp: rays by all cores.

/// What gen::make_rays() makes; the caster holds the scene.
gen::RaySet make_many_rays(gen::RayKind kind, const Caster& caster, gen::SceneKind scene_kind,
                           std::uint64_t count, std::uint64_t seed);

// scene_rates.cpp: the rows of one standard scene.

/// How much is asked of each scene.
struct Work {
  std::uint64_t rays;  ///< of each kind
  /// Seen from each other.
  std::uint64_t points() const { return std::clamp<std::uint64_t>(rays / 256, 64, 8192); }
  /// Of a large matrix.
  std::uint64_t large_points() const { return std::clamp<std::uint64_t>(rays / 20, 640, 100'000); }
  /// The cpu gets fewer, so that its rows cost no more time than the others.
  std::uint64_t cpu_rays() const { return rays / 8; }
  std::uint64_t cpu_points() const { return points() / 8; }
  /// Where there are many rows, to compare with each other.
  std::uint64_t small_rays() const { return std::max<std::uint64_t>(64, rays / 8); }
  /// For the copies that rates are held to.
  std::uint64_t copied_bytes() const {
    return std::min<std::uint64_t>(rays * 1024, std::uint64_t{1} << 31);
  }
};

/// Trees over shapes on the device: the build, refit, widening, and all of it from bounds to
/// widened nodes.
void measure_builds(Table& table, gen::SceneKind kind, const Scene& scene);

/// Builds and updates; closest and any hit, from the host and of rays on the device; visibility.
/// Returns how many comparisons of answers found a difference.
std::uint64_t measure_scene(Table& table, const Work& work, gen::SceneKind kind,
                            std::uint64_t shapes, bool cpu);

/// Rays of the host, cast in chunks of 4 to 256 MB. Returns how many sizes answered other than the
/// first.
std::uint64_t measure_chunks(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                             std::uint64_t rays);

// scene_variants.cpp: what may be done in more than one way on the device: schedules of warps, and
// brute force against the tree.

/// `rays` of each kind, on the device, under every schedule. Returns how many variants answered
/// other than the first.
std::uint64_t measure_variants(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                               std::uint64_t rays);

/// Closest hits of incoherent and of a camera's rays and any hit, once each a sample: for a
/// profiler to look into.
void measure_once(Table& table, gen::SceneKind kind, std::uint64_t shapes, std::uint64_t rays);

/// Where the tree overtakes brute force: scenes of 1 to 1024 shapes. Returns as above.
std::uint64_t measure_switch_over(Table& table, gen::SceneKind kind, std::uint64_t rays);

// matrix_rates.cpp: visibility matrices too large to be measured often.

/// A matrix of `points` x `points` over one scene, the bits in host memory, and the set against
/// itself. Returns how many of the two matrices differ.
std::uint64_t measure_matrix(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                             std::uint64_t points);

/// A matrix of about `rays` pairs, beside any hit of the same rays, in the same order, on the
/// device already. Returns 1 where they disagree.
std::uint64_t measure_matrix_and_rays(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                                      std::uint64_t rays);

/// A matrix of about so many pairs, points and bits on the device, rows in the order of the points
/// and in Morton order, as targets always are. Returns how many rows differ.
std::uint64_t measure_rows(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                           std::uint64_t pairs);
/// The same of these points in any scene.
std::uint64_t measure_rows_of(Table& table, const std::string& name, const Scene& scene,
                              const std::vector<Vec3>& points);

/// A matrix of about `pairs` pairs, points and bits on the device: with boxes of targets and pair
/// by pair, each with walks from the targets and from the root. The first row is what a caster
/// does. Returns how many of the other matrices differ from it.
std::uint64_t measure_boxes(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                            std::uint64_t pairs);
/// The same of these points in any scene.
std::uint64_t measure_boxes_of(Table& table, const std::string& name, const Scene& scene,
                               const std::vector<Vec3>& points);

// first_calls.cpp: what a caller waits for once.

/// The first and the second construction of a caster, and calls of its queries with arrays of the
/// host. In a process that has done nothing else, first calls load kernels and pin memory.
void measure_first_calls(Table& table, std::uint64_t shapes, std::uint64_t rays);

// device_rivals.cpp, where scripts/rivals.sh has fetched them: NVIDIA's cuBQL.

/// Trees by its builders, and `rays` of each kind by its walks, as they come and sorted first,
/// beside sightline's. Notes say how many answers differ, which a rival's arithmetic may.
void measure_rivals(Table& table, gen::SceneKind kind, std::uint64_t shapes, std::uint64_t rays);

}  // namespace sightline::bench
