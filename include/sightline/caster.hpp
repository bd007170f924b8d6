// Caster: the one door to every backend.
#pragma once

#include <sightline/points.hpp>
#include <sightline/results.hpp>
#include <sightline/scene.hpp>

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// What a cudaStream_t points to.
struct CUstream_st;

namespace sightline {

/// A CUDA stream of the caller's: a cudaStream_t. Null is the default stream.
using CudaStream = CUstream_st*;

/// One device as the driver tells of it.
struct CudaDevice {
  int index = 0;                   ///< for CudaOptions::device
  std::string name;                ///< as the driver calls it
  int major = 0;                   ///< compute capability: the number before the point
  int minor = 0;                   ///< the number after the point
  int multiprocessors = 0;         ///< how many it has
  std::uint64_t memory_bytes = 0;  ///< in all
  std::string problem;             ///< why it cannot be used, in words; empty: it can
};

/// The devices that there are.
struct CudaDevices {
  std::vector<CudaDevice> devices;  ///< by index
  std::string problem;  ///< why none can be used: no driver, no device, none usable; else empty
};

/// Asks the driver. Throws nothing but Error{out_of_memory}.
CudaDevices cuda_devices();

/// What answers.
enum class Backend {
  reference,  ///< brute force over every shape, one thread: the judge
  cpu,        ///< a tree, or none, and all cores
  cuda,       ///< an NVIDIA GPU
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

// The options of each backend. Answers depend on none of them. An option out of its range throws
// Error{usage}, of AutomaticOptions whatever backend it is.

/// Of the reference backend there are none.
struct ReferenceOptions {
  /// Whether all are equal.
  bool operator==(const ReferenceOptions&) const = default;
};

/// Of the cpu backend.
struct CpuOptions {
  int threads = 0;  ///< 0 = all cores, 1024 at most or as many as there are; fewer where the system
                    ///< gives no more, which description() says
  /// Of 3D; 2D takes what the compiler was told. Lanes that the processor lacks throw Error{usage}
  /// where the cpu backend is used.
  Lanes lanes = Lanes::automatic;
  Search search = Search::automatic;  ///< by a tree, or by brute force
  /// Whether all are equal.
  bool operator==(const CpuOptions&) const = default;
};

/// Of the cuda backend.
struct CudaOptions {
  int device = 0;                     ///< an index of cuda_devices(); another throws Error{device}
  Search search = Search::automatic;  ///< by a tree, or by brute force
  TreeBuild tree = TreeBuild::fast;   ///< how the tree is built
  /// Rays, points, shapes that ask, or ids, of a chunk on its way to the device and back; 0 =
  /// chosen. Fewer are taken where the device is short of memory.
  std::uint64_t chunk = 0;
  /// Whether all are equal.
  bool operator==(const CudaOptions&) const = default;
};

/// cuda where a device can hold the scene, else cpu; description() says why.
struct AutomaticOptions {
  CpuOptions cpu = {};    ///< where it is the cpu
  CudaOptions cuda = {};  ///< where it is cuda; of another device where this one cannot be used
  /// Whether all are equal.
  bool operator==(const AutomaticOptions&) const = default;
};

/// The choice of a backend with its options: `Caster(scene, CpuOptions{.threads = 4})`.
using CasterOptions = std::variant<AutomaticOptions, ReferenceOptions, CpuOptions, CudaOptions>;

/// A backend with its options as they are by default, for a choice at run time. Throws Error{usage}
/// for another number than those of the enumerators.
CasterOptions default_options(Backend backend);

/// What update() does with the tree: `refit` keeps its shape and makes its boxes fit, `rebuild`
/// builds another; `automatic` refits, and rebuilds where the number of shapes of any kind has
/// changed or the boxes have become twice as large in sum.
enum class Update { automatic, refit, rebuild };

/// A built scene that answers queries. Answers are a pure function of (scene, ray, policy):
/// the same bytes from every backend, tree, thread count and chunking.
///
/// A query whose answers have a fixed size has two forms. One returns its answers in arrays of
/// their own. The other takes the caller's arrays, writes the same answers there, allocates none,
/// and returns the report. Arrays of another size throw Error{usage}. Braces without anything are
/// neither options nor arrays: a call that could take both does not compile.
///
/// A built caster may be queried from many threads at once. Calls return when the answers are
/// written. Throws Error{device} for a backend that is not there, Error{out_of_memory} with the
/// bytes of what was refused where that is one thing, Error{usage} for sizes that do not match,
/// options out of their range, and every call of a caster that has been moved from. Its calls throw
/// nothing else.
class Caster {
 public:
  /// Builds the scene on a backend.
  explicit Caster(Scene scene, const CasterOptions& options = AutomaticOptions{});
  /// Takes over; what is left throws Error{usage} when it is asked.
  Caster(Caster&&) noexcept;
  /// The same.
  Caster& operator=(Caster&&) noexcept;
  ~Caster();

  /// The scene as it was given.
  const Scene& scene() const;
  /// The backend in use.
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

  /// The first hit of each ray [n]; with a radius, of a sphere that moves along it (see
  /// geometry/sweep/). A radius that is negative, NaN or beyond the domain makes a ray bad. A
  /// template, so that `{origin, direction}` of two vectors of three is one Ray.
  template <class = void>
  Hits closest_hit(const RaysView& rays, const HitsOptions& options = {}) const;
  /// The same into the caller's arrays.
  template <class = void>
  CastReport closest_hit(const RaysView& rays, const HitArrays& hits,
                         const CastOptions& options = {}) const;

  /// Whether each ray [n] hits anything: true exactly when closest_hit hits. `blocked` is
  /// [bit_words(n)]; padding bits are 0.
  template <class = void>
  Bits<CastReport> any_hit(const RaysView& rays, const CastOptions& options = {}) const;
  /// The same into the caller's arrays.
  template <class = void>
  CastReport any_hit(const RaysView& rays, std::span<std::uint64_t> blocked,
                     const CastOptions& options = {}) const;

  /// How many shapes each ray [n] hits. Throws Error{usage} for rays with radii.
  Counts<HitRowsReport> count_hits(const RaysView& rays, const CastOptions& options = {}) const;
  /// The same into the caller's arrays.
  HitRowsReport count_hits(const RaysView& rays, std::span<std::uint32_t> counts,
                           const CastOptions& options = {}) const;

  /// All shapes that each ray hits, or the first of them. Takes up to three times the memory of the
  /// rows while it runs, seven where one row is most of them. Throws Error{usage} for rays with
  /// radii, and for `first` = 0.
  HitRows all_hits(const RaysView& rays, const HitRowsOptions& options = {}) const;

  /// The first hits of the n spheres and capsules of a scene, or of a range of its ids, which move:
  /// shape i along directions[i] [n], from where it is (t = 0) to t_max, with normals. Masks count
  /// as they do for overlaps. Throws Error{usage} for shapes of another kind.
  Hits sweep(const Scene& moving, std::span<const Vec3> directions,
             const SweepOptions& options = {}) const;
  /// The same into the caller's arrays.
  CastReport sweep(const Scene& moving, std::span<const Vec3> directions, const HitArrays& hits,
                   const SweepOptions& options = {}) const;

  // Lines of sight: see geometry/queries/line_of_sight.hpp. `bits` [V, bit_words(T)] are rows as in
  // BitMatrix.

  /// Whether each viewpoint [V] sees each target [T]. Symmetric.
  BitMatrix visibility(const PointsView& viewpoints, const PointsView& targets,
                       const VisibilityOptions& options = {}) const;
  /// The same into the caller's arrays.
  VisibilityReport visibility(const PointsView& viewpoints, const PointsView& targets,
                              std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// A set against itself: the same as visibility(points, points), each pair computed once.
  BitMatrix visibility(const PointsView& points, const VisibilityOptions& options = {}) const;
  /// The same into the caller's arrays.
  VisibilityReport visibility(const PointsView& points, std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// The same within fields of view [V]: what lies outside of a viewpoint's is not seen, and no ray
  /// is cast there. Not symmetric.
  BitMatrix visibility(const PointsView& viewpoints, const FieldsView& fields,
                       const PointsView& targets, const VisibilityOptions& options = {}) const;
  /// The same into the caller's arrays.
  VisibilityReport visibility(const PointsView& viewpoints, const FieldsView& fields,
                              const PointsView& targets, std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// Whether from[i] sees to[i], both [n]: bits [bit_words(n)]. Throws Error{usage} where they
  /// differ in number and neither is one value.
  Bits<VisibilityReport> visibility_pairs(const PointsView& from, const PointsView& to,
                                          const VisibilityOptions& options = {}) const;
  /// The same into the caller's arrays.
  VisibilityReport visibility_pairs(const PointsView& from, const PointsView& to,
                                    std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options = {}) const;

  // Which shapes of the scene overlap the n shapes of another, or of a range of its ids, which ask
  // in the order of their ids: see geometry/overlap/overlaps.hpp. Touching overlaps. Two shapes
  // count for each other where their masks have a bit in common. A point asks as a sphere of radius
  // 0. Throws Error{usage} where planes ask, and where a range goes past the end.

  /// Whether any does, for each shape or body [n]: bits [bit_words(n)]. Throws Error{usage} where
  /// the shapes are no whole number of bodies.
  Bits<OverlapReport> overlap_any(const Scene& queries,
                                  const OverlapAnyOptions& options = {}) const;
  /// The same into the caller's arrays.
  OverlapReport overlap_any(const Scene& queries, std::span<std::uint64_t> bits,
                            const OverlapAnyOptions& options = {}) const;
  /// How many do, for each shape [n].
  Counts<OverlapReport> overlap_count(const Scene& queries,
                                      const OverlapOptions& options = {}) const;
  /// The same into the caller's arrays.
  OverlapReport overlap_count(const Scene& queries, std::span<std::uint32_t> counts,
                              const OverlapOptions& options = {}) const;
  /// All that do, for each shape [n]. Takes up to six times the memory of the rows while it runs.
  OverlapRows overlap_all(const Scene& queries, const OverlapOptions& options = {}) const;

  /// The k shapes nearest to each point [n], by signed distance (negative inside: see
  /// geometry/distance/point_box.hpp), ties by id. A plane is as far as its surface, negative below
  /// it. Masks and exclusions of points count as they do for rays. Throws Error{usage} for a k of
  /// 0, a negative range, and rows of more than 2^59 elements.
  NearestRows nearest(const PointsView& points, const NearestOptions& options = {}) const;
  /// The same into the caller's arrays.
  NearestReport nearest(const PointsView& points, const NearestArrays& out,
                        const NearestOptions& options = {}) const;

  /// The k shapes nearest to each segment from[i] .. to[i], both [n], by distance, 0 where they
  /// meet, ties by id. A pair uses the masks' AND and both exclusions, as lines of sight do. Throws
  /// as `nearest` does, and where from and to differ in number and neither is one value.
  ClearanceRows clearance(const PointsView& from, const PointsView& to,
                          const NearestOptions& options = {}) const;
  /// The same into the caller's arrays.
  NearestReport clearance(const PointsView& from, const PointsView& to, const ClearanceArrays& out,
                          const NearestOptions& options = {}) const;

  // For rays that are on the device already: every array of the views, the outputs and `counts`
  // (which may be null) lie in memory that the caster's device can read and write. The work is
  // put into `stream` (of that device, which need not be current) and the call returns without
  // waiting for it; the caster and the arrays must live until it is done. `strict` and radii are
  // refused.
  // Throws Error{usage} for a backend other than cuda and for an array that the device cannot
  // reach, naming it.

  /// The same answers as closest_hit, in device memory.
  void closest_hit_on_device(const RaysView& rays, const HitArrays& hits, CudaStream stream,
                             const CastOptions& options = {}, CastCounts* counts = nullptr) const;
  /// The same answers as any_hit: blocked [bit_words(n)] in device memory.
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
