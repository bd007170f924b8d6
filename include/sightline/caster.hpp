// Caster: the one door to every backend.
#pragma once

#include <sightline/ray.hpp>
#include <sightline/scene.hpp>

#include <memory>
#include <span>
#include <string>

namespace sightline {

enum class Backend {
  automatic,  ///< the fastest one present
  reference,  ///< brute force over every shape, one thread: the judge
  cpu,        ///< a tree and all cores
  cuda,
};

struct CasterOptions {
  int threads = 0;  ///< of the cpu backend; 0 = all cores. Answers do not depend on it.
};

struct CastOptions {
  Inside inside = Inside::solid;
  bool strict = false;  ///< a bad ray throws Error{bad_input} naming the first index
};

/// What a call did.
struct CastReport {
  std::uint64_t rays = 0;
  std::uint64_t hits = 0;
  std::uint64_t bad_rays = 0;
  std::uint64_t first_bad_ray = 0;  ///< an index; meaningful when bad_rays > 0
};

/// Points [n] with what they carry: a pair uses the AND of the masks and both exclusions.
struct PointsView {
  std::uint64_t count = 0;
  Vec3Column position;
  Column<std::uint32_t> mask{nullptr, sizeof(std::uint32_t), 0xFFFFFFFFu};
  Column<std::uint32_t> exclude{nullptr, sizeof(std::uint32_t), none};
  Column<std::uint32_t> exclude_group{nullptr, sizeof(std::uint32_t), none};

  PointsView slice(std::uint64_t first, std::uint64_t n) const {
    return {n, position.from(first), mask.from(first), exclude.from(first),
            exclude_group.from(first)};
  }
};

struct VisibilityOptions {
  float range = infinity;  ///< pairs further apart are not visible
  float margin = 0;        ///< m: the segment's part [m, 1-m] counts; 0 <= m < 0.5
  Inside inside = Inside::solid;
};

struct VisibilityReport {
  std::uint64_t pairs = 0;
  std::uint64_t visible = 0;
  std::uint64_t bad_viewpoints = 0;  ///< NaN, infinite or outside the domain: see nothing
  std::uint64_t bad_targets = 0;
  std::uint64_t touching_viewpoints = 0;  ///< lie in or touch a shape; see `margin`
  std::uint64_t touching_targets = 0;
};

/// A built scene that answers queries. Answers are a pure function of (scene, ray, policy):
/// the same bytes from every backend, tree, thread count and chunking.
///
/// A built caster may be queried from many threads at once. The caller owns all arrays; calls
/// return when the answers are written. Throws Error{device} for a backend that is not there,
/// Error{out_of_memory} with the byte count, Error{usage} for sizes that do not match.
class Caster {
 public:
  explicit Caster(Scene scene, Backend backend = Backend::automatic, CasterOptions options = {});
  Caster(Caster&&) noexcept;
  Caster& operator=(Caster&&) noexcept;
  ~Caster();

  const Scene& scene() const;
  /// The backend in use, never `automatic`.
  Backend backend() const;
  /// One line for people: backend, device, threads.
  std::string description() const;
  /// Memory held by the scene and its tree, in bytes.
  std::uint64_t memory_bytes() const;

  /// The first hit of each ray, hits [rays.count].
  CastReport closest_hit(const RaysView& rays, const HitsView& hits,
                         const CastOptions& options = {}) const;

  /// Whether anything is hit: bit i % 64 of blocked[i / 64], true exactly when closest_hit hits.
  /// blocked [ceil(n/64)]; padding bits are 0.
  CastReport any_hit(const RaysView& rays, std::span<std::uint64_t> blocked,
                     const CastOptions& options = {}) const;

  /// Line of sight from every viewpoint to every target: bits [V, ceil(T/64)], bit j of row i =
  /// target j is seen from viewpoint i; padding bits are 0. Symmetric: see line_of_sight.hpp.
  VisibilityReport visibility(const PointsView& viewpoints, const PointsView& targets,
                              std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// A set against itself: each pair computed once and mirrored; the same bits as
  /// visibility(points, points).
  VisibilityReport visibility(const PointsView& points, std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// Line of sight from from[i] to to[i]: bits [ceil(n/64)].
  VisibilityReport visibility_pairs(const PointsView& from, const PointsView& to,
                                    std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline
