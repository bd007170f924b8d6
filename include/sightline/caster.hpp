// Caster: the one door to every backend.
#pragma once

#include <sightline/nearest_query.hpp>
#include <sightline/points.hpp>
#include <sightline/scene.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

/// What a cudaStream_t points to.
struct CUstream_st;

namespace sightline {

/// A CUDA stream of the caller's: a cudaStream_t. Null is the default stream.
using CudaStream = CUstream_st*;

enum class Backend {
  automatic,  ///< cuda where a device can hold the scene, else cpu; description() says why
  reference,  ///< brute force over every shape, one thread: the judge
  cpu,        ///< a tree and all cores
  cuda,
};

/// How the cuda backend looks for hits: by brute force over every shape, or by a tree.
enum class Search { automatic, brute_force, tree };

/// Which tree the cuda backend casts in: `fast` is built on the device, `careful` is the cpu
/// backend's, built on the host and uploaded.
enum class TreeBuild { fast, careful };

/// Whether the cuda backend sorts rays by direction and place before it casts them, so that
/// neighbours run through the same boxes; answers stand where they would. `always`: wherever a tree
/// is cast in and a call, or a chunk of one from the host, has fewer than 2^32 rays. `automatic`:
/// calls of *_on_device with 2^20 rays or more over 1,000,000 shapes or more, where the device has
/// the memory. It takes about 24 bytes a ray of the device's memory, in the order of the stream's
/// work.
enum class SortRays { automatic, never, always };

/// The instructions that the cpu backend runs on: sixteen, eight or four lanes at a time, or as
/// many as the processor has.
enum class Lanes { automatic, avx512, avx2, portable };

/// Answers depend on none of these.
struct CasterOptions {
  int threads = 0;  ///< of the cpu backend; 0 = all cores
  int device = 0;   ///< of the cuda backend: an index of cuda_devices(); `automatic` takes the
                    ///< first that can be used where this one cannot
  Search search = Search::automatic;
  TreeBuild tree = TreeBuild::fast;
  /// Rays, points, shapes that ask, or ids, of a chunk on its way to the device and back; 0 =
  /// chosen. Fewer are taken where the device is short of memory.
  std::uint64_t chunk = 0;
  Lanes lanes = Lanes::automatic;       ///< of the cpu backend
  SortRays sort = SortRays::automatic;  ///< of the cuda backend
};

/// What update() does with the tree: `refit` keeps its shape and makes its boxes fit, `rebuild`
/// builds another; `automatic` refits, and rebuilds where the number of shapes of any kind has
/// changed or the boxes have become twice as large in sum.
enum class Update { automatic, refit, rebuild };

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

/// Shapes [first, first + count) of a scene by id; without a count all from the first on.
struct IdRange {
  std::uint32_t first = 0;
  std::uint32_t count = none;
};

/// What a call about overlaps found.
struct OverlapReport {
  std::uint64_t asked = 0;        ///< shapes that asked
  std::uint64_t overlapping = 0;  ///< those that overlap any shape of the scene
  std::uint64_t pairs = 0;        ///< overlaps; 0 where only whether there are any was asked
};

/// Ids in rows of different length: row i is ids[offsets[i]] .. ids[offsets[i + 1] - 1].
struct OverlapRows {
  std::vector<std::uint64_t> offsets;  ///< [n + 1], the first 0
  std::vector<std::uint32_t> ids;      ///< ascending within a row
};

struct NearestOptions {
  std::uint32_t k = 1;     ///< shapes a point, at least 1
  float range = infinity;  ///< shapes further than this are not found; at least 0
};

/// What a call about the nearest shapes found.
struct NearestReport {
  std::uint64_t points = 0;
  std::uint64_t found = 0;       ///< elements that are not none
  std::uint64_t bad_points = 0;  ///< NaN, infinite or outside the domain: find nothing
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
  /// Memory held by the scene and its tree, in bytes. The cpu backend also keeps what its largest
  /// call took for rays: some 50 MB a thread at most.
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

  // Which shapes of the scene overlap the n shapes of another, or of a range of its ids, which ask
  // in the order of their ids: see overlap/overlaps.hpp. Touching overlaps. Two shapes count for
  // each other where their masks have a bit in common. A point asks as a sphere of radius 0. Throws
  // Error{usage} where planes ask, and where a range goes past the end.

  /// Whether any does: bit i % 64 of bits[i / 64]; bits [ceil(n/64)], padding bits are 0.
  OverlapReport overlap_any(const Scene& asking, std::span<std::uint64_t> bits,
                            const IdRange& of = {}) const;
  /// How many do: counts [n].
  OverlapReport overlap_count(const Scene& asking, std::span<std::uint32_t> counts,
                              const IdRange& of = {}) const;
  /// All that do. Takes up to three times the memory of the rows while it runs.
  OverlapRows overlap_all(const Scene& asking, const IdRange& of = {}) const;

  /// The k shapes nearest to each point, by signed distance (negative inside: see
  /// closest/point_box.hpp), ties by id: rows of k in out. A plane is as far as its surface,
  /// negative below it. Masks and exclusions of points count as they do for rays. Throws
  /// Error{usage} for a k of 0, a negative range, and rows of more than 2^59 elements.
  NearestReport nearest(const PointsView& points, const NearestView& out,
                        const NearestOptions& options = {}) const;

  // For rays that are on the device already: every array of the views, the outputs and `counts`
  // (which may be null) lie in memory that the caster's device can read and write. The work is
  // put into `stream` (of that device, which need not be current) and the call returns without
  // waiting for it; the caster and the arrays must live until it is done. `strict` is refused.
  // Throws Error{usage} for a backend other than cuda and for an array that the device cannot
  // reach, naming it.

  /// The same answers as closest_hit, in device memory.
  void closest_hit_on_device(const RaysView& rays, const HitsView& hits, CudaStream stream,
                             const CastOptions& options = {}, CastCounts* counts = nullptr) const;
  /// The same answers as any_hit: blocked [ceil(n/64)] in device memory.
  void any_hit_on_device(const RaysView& rays, std::uint64_t* blocked, CudaStream stream,
                         const CastOptions& options = {}, CastCounts* counts = nullptr) const;

  /// Replaces the scene, its shapes moved, in place. No query may run meanwhile. Where it throws,
  /// the caster answers as before. Throws what the constructor throws, and Error{usage} where
  /// `refit` is asked for and the number of shapes of any kind has changed.
  void update(Scene scene, Update how = Update::automatic);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline
