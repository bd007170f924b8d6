// Caster: the one door to every backend.
#pragma once

#include <sightline/points.hpp>
#include <sightline/results.hpp>
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

/// One device as the driver tells of it.
struct CudaDevice {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  std::string problem;  ///< why it cannot be used, in words; empty: it can
};

struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string problem;  ///< why none can be used: no driver, no device, none usable; else empty
};

/// Asks the driver. Throws nothing but Error{out_of_memory}.
CudaDevices cuda_devices();

enum class Backend {
  automatic,  ///< cuda where a device can hold the scene, else cpu; description() says why
  reference,  ///< brute force over every shape, one thread: the judge
  cpu,        ///< a tree, or none, and all cores
  cuda,
};

/// How a backend looks for hits: by brute force over every shape, or by a tree. `automatic`: the
/// cpu by a tree, cuda over up to 4 shapes with bounds by brute force. Brute force needs no build;
/// on the cpu it tests a vector of shapes at a time.
enum class Search { automatic, brute_force, tree };

/// Which tree the cuda backend casts in: `fast` is built on the device, `careful` is the cpu
/// backend's, built on the host and uploaded.
enum class TreeBuild { fast, careful };

/// The instructions that the cpu backend runs on: sixteen, eight or four lanes at a time, or as
/// many as the processor has.
enum class Lanes { automatic, avx512, avx2, portable };

/// Answers depend on none of these. What is out of its range, for the backend that it is of, is
/// refused: Error{usage}, and Error{device} for a device that there is not.
struct CasterOptions {
  int threads = 0;  ///< of the cpu backend; 0 = all cores, 1024 at most or as many as there are;
                    ///< fewer where the system gives no more, which description() says
  int device = 0;   ///< of the cuda backend: an index of cuda_devices(); `automatic` takes the
                    ///< first that can be used where this one cannot
  Search search = Search::automatic;
  TreeBuild tree = TreeBuild::fast;
  /// Rays, points, shapes that ask, or ids, of a chunk on its way to the device and back; 0 =
  /// chosen. Fewer are taken where the device is short of memory.
  std::uint64_t chunk = 0;
  Lanes lanes = Lanes::automatic;  ///< of the cpu backend
};

/// What update() does with the tree: `refit` keeps its shape and makes its boxes fit, `rebuild`
/// builds another; `automatic` refits, and rebuilds where the number of shapes of any kind has
/// changed or the boxes have become twice as large in sum.
enum class Update { automatic, refit, rebuild };

/// A built scene that answers queries. Answers are a pure function of (scene, ray, policy):
/// the same bytes from every backend, tree, thread count and chunking.
///
/// A built caster may be queried from many threads at once. The caller owns all arrays; calls
/// return when the answers are written. Throws Error{device} for a backend that is not there,
/// Error{out_of_memory} with the bytes of what was refused where that is one thing, Error{usage}
/// for sizes that do not match, options out of their range, and every call of a caster that has
/// been moved from. Its calls throw nothing else.
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
  /// Memory held by the scene and its tree, in bytes; on the cpu backend 65 bytes a shape more once
  /// as many overlaps or nearest shapes have been asked as the scene has shapes. The cpu backend
  /// also keeps what its largest call took for rays: some 50 MB a thread at most, 85 MB for
  /// matrices, and 40 MB more with masks or exclusions.
  std::uint64_t memory_bytes() const;

  /// The first hit of one ray, its normal included; masks and exclusions count. Many rays in one
  /// call take far less time each.
  Hit closest_hit(const Ray& ray, const CastOptions& options = {}) const;
  /// Whether it hits anything.
  bool any_hit(const Ray& ray, const CastOptions& options = {}) const;

  /// The first hit of each ray, hits [rays.count].
  CastReport closest_hit(const RaysView& rays, const HitArrays& hits,
                         const CastOptions& options = {}) const;

  /// Whether anything is hit: bit i % 64 of blocked[i / 64], true exactly when closest_hit hits.
  /// blocked [ceil(n/64)]; padding bits are 0.
  CastReport any_hit(const RaysView& rays, std::span<std::uint64_t> blocked,
                     const CastOptions& options = {}) const;

  /// The first hit of spheres that move along the rays: radius [n], or one for all; see sweep/. A
  /// radius of 0 is the ray itself. A negative, infinite or NaN radius, or one beyond the domain,
  /// makes a ray bad.
  CastReport closest_hit(const RaysView& rays, const Column<float>& radius, const HitArrays& hits,
                         const CastOptions& options = {}) const;
  /// Whether they hit anything: blocked [ceil(n/64)], as any_hit.
  CastReport any_hit(const RaysView& rays, const Column<float>& radius,
                     std::span<std::uint64_t> blocked, const CastOptions& options = {}) const;

  /// How many shapes each ray hits: counts [n]. Nothing is kept.
  HitRowsReport count_hits(const RaysView& rays, std::span<std::uint32_t> counts,
                           const CastOptions& options = {}) const;
  /// All shapes that each ray hits, or the first of them. Takes up to three times the memory of the
  /// rows while it runs, seven where one row is most of them.
  HitRowsReport all_hits(const RaysView& rays, HitRows& rows,
                         const HitRowsOptions& options = {}) const;

  /// The first hit of spheres and capsules that move, all of a scene or a range of its ids in their
  /// order: shape i along directions[i], from where it is (t = 0) to t_max. Masks count as they do
  /// for overlaps. directions and hits are [n]. Throws Error{usage} for shapes of another kind.
  CastReport sweep(const Scene& moving, std::span<const Vec3> directions, const HitArrays& hits,
                   const SweepOptions& options = {}, const IdRange& of = {}) const;

  /// Line of sight from every viewpoint to every target: bits [V, ceil(T/64)], bit j of row i =
  /// target j is seen from viewpoint i; padding bits are 0. Symmetric: see line_of_sight.hpp.
  VisibilityReport visibility(const PointsView& viewpoints, const PointsView& targets,
                              std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// A set against itself: each pair computed once and mirrored; the same bits as
  /// visibility(points, points).
  VisibilityReport visibility(const PointsView& points, std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// The same within fields of view, one for each viewpoint: what lies outside of it is not seen,
  /// and no ray is cast there. Not symmetric.
  VisibilityReport visibility(const PointsView& viewpoints, const FieldsView& fields,
                              const PointsView& targets, std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// Line of sight from from[i] to to[i]: bits [ceil(n/64)].
  VisibilityReport visibility_pairs(const PointsView& from, const PointsView& to,
                                    std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options = {}) const;

  // Which shapes of the scene overlap the n shapes of another, or of a range of its ids, which ask
  // in the order of their ids: see geometry/overlap/overlaps.hpp. Touching overlaps. Two shapes
  // count for each other where their masks have a bit in common. A point asks as a sphere of radius
  // 0. Throws Error{usage} where planes ask, and where a range goes past the end.

  /// Whether any does: bit i % 64 of bits[i / 64]; bits [ceil(n/64)], padding bits are 0. With
  /// `body`, so many shapes one after the other are a body, such as the spheres of a robot in one
  /// pose: bit i says whether any shape of body i does, and n and the report count bodies. Throws
  /// Error{usage} where the shapes are no whole number of bodies.
  OverlapReport overlap_any(const Scene& queries, std::span<std::uint64_t> bits,
                            const IdRange& of = {}, std::uint32_t body = 1) const;
  /// How many do: counts [n].
  OverlapReport overlap_count(const Scene& queries, std::span<std::uint32_t> counts,
                              const IdRange& of = {}) const;
  /// All that do. Takes up to six times the memory of the rows while it runs.
  OverlapRows overlap_all(const Scene& queries, const IdRange& of = {}) const;

  /// The k shapes nearest to each point, by signed distance (negative inside: see
  /// geometry/distance/point_box.hpp), ties by id: rows of k in out. A plane is as far as its
  /// surface, negative below it. Masks and exclusions of points count as they do for rays. Throws
  /// Error{usage} for a k of 0, a negative range, and rows of more than 2^59 elements.
  NearestReport nearest(const PointsView& points, const NearestArrays& out,
                        const NearestOptions& options = {}) const;

  /// The k shapes nearest to each segment from[i] .. to[i], by distance, 0 where they meet, ties by
  /// id: rows of k in out. A pair uses the masks' AND and both exclusions, as lines of sight do.
  /// Throws as `nearest` does, and where from and to differ in number.
  NearestReport clearance(const PointsView& from, const PointsView& to, const ClearanceArrays& out,
                          const NearestOptions& options = {}) const;

  // For rays that are on the device already: every array of the views, the outputs and `counts`
  // (which may be null) lie in memory that the caster's device can read and write. The work is
  // put into `stream` (of that device, which need not be current) and the call returns without
  // waiting for it; the caster and the arrays must live until it is done. `strict` is refused.
  // Throws Error{usage} for a backend other than cuda and for an array that the device cannot
  // reach, naming it.

  /// The same answers as closest_hit, in device memory.
  void closest_hit_on_device(const RaysView& rays, const HitArrays& hits, CudaStream stream,
                             const CastOptions& options = {}, CastCounts* counts = nullptr) const;
  /// The same answers as any_hit: blocked [ceil(n/64)] in device memory.
  void any_hit_on_device(const RaysView& rays, std::span<std::uint64_t> blocked, CudaStream stream,
                         const CastOptions& options = {}, CastCounts* counts = nullptr) const;

  /// Replaces the scene, its shapes moved, in place. No query may run meanwhile. Where it throws,
  /// the caster answers as before. Throws what the constructor throws, and Error{usage} where
  /// `refit` is asked for and the number of shapes of any kind has changed.
  void update(Scene scene, Update how = Update::automatic);

 private:
  struct Impl;
  Impl& impl() const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline
