/// @file
/// Caster: queries of a scene on every backend.
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

/// CUDA stream of the caller's: a cudaStream_t. Null is the default stream.
using CudaStream = CUstream_st*;

/// A device, as the driver describes it.
struct CudaDevice {
  int index = 0;                   ///< value for CudaOptions::device
  std::string name;                ///< name of the device
  int major = 0;                   ///< compute capability before the point
  int minor = 0;                   ///< compute capability after the point
  int multiprocessors = 0;         ///< number of multiprocessors
  std::uint64_t memory_bytes = 0;  ///< total memory in bytes
  std::string problem;             ///< why the device cannot be used; empty if it can
};

/// The devices of this machine.
struct CudaDevices {
  std::vector<CudaDevice> devices;  ///< all devices by index, usable or not
  std::string problem;              ///< why no device can be used; empty if one can
};

/// Returns the devices of this machine.
/// @throws Error{out_of_memory} and no other kind
CudaDevices cuda_devices();

/// What computes the answers.
enum class Backend {
  reference,  ///< brute force on one thread; other backends are compared with it
  cpu,        ///< all cores, with a BVH or by brute force
  cuda,       ///< an NVIDIA GPU
};

/// How a backend searches for hits.
enum class Search {
  automatic,    ///< a BVH; on cuda, brute force for up to 4 shapes with bounds
  brute_force,  ///< every shape, without a build; the cpu tests a vector of shapes at a time
  tree,         ///< a BVH
};

/// How the cuda backend builds its BVH.
enum class TreeBuild {
  fast,     ///< on the device
  careful,  ///< on the host, as the cpu backend does, followed by an upload
};

/// Vector instructions of the cpu backend.
enum class Lanes {
  automatic,  ///< the widest that the processor has
  avx512,     ///< sixteen lanes
  avx2,       ///< eight lanes
  portable,   ///< four lanes
};

/// The reference backend has no options.
struct ReferenceOptions {
  /// Returns true.
  bool operator==(const ReferenceOptions&) const = default;
};

/// Options of the cpu backend.
struct CpuOptions {
  int threads = 0;  ///< 0 to 1024, or to the number of cores if that is larger; 0: all cores. If
                    ///< the system gives fewer threads, Caster::description() says so.
  /// Instructions of 3D; 2D uses those of the compilation. If the processor lacks them, building a
  /// cpu backend throws Error{usage}.
  Lanes lanes = Lanes::automatic;
  Search search = Search::automatic;  ///< BVH or brute force
  /// Returns whether all options are equal.
  bool operator==(const CpuOptions&) const = default;
};

/// Options of the cuda backend.
struct CudaOptions {
  int device = 0;                     ///< index in cuda_devices(); another throws Error{device}
  Search search = Search::automatic;  ///< BVH or brute force
  TreeBuild tree = TreeBuild::fast;   ///< how the BVH is built
  /// Number of rays, points, query shapes or ids that are transferred at a time; 0: chosen by the
  /// library. If the device is short of memory, chunks get smaller.
  std::uint64_t chunk = 0;
  /// Returns whether all options are equal.
  bool operator==(const CudaOptions&) const = default;
};

/// Options of a choice by the library: cuda if a device can hold the scene, else cpu.
/// Caster::description() gives the reason.
struct AutomaticOptions {
  CpuOptions cpu = {};    ///< options if the choice is cpu
  CudaOptions cuda = {};  ///< options if the choice is cuda; an unusable device is replaced
  /// Returns whether all options are equal.
  bool operator==(const AutomaticOptions&) const = default;
};

/// A backend with its options: `Caster(scene, CpuOptions{.threads = 4})`. Options never change
/// answers. An option out of its range throws Error{usage}, with AutomaticOptions for either
/// backend.
using CasterOptions = std::variant<AutomaticOptions, ReferenceOptions, CpuOptions, CudaOptions>;

/// Returns the default options of a backend, for a choice at run time.
/// @param backend  the backend
/// @throws Error{usage} if the value is none of the enumerators
CasterOptions default_options(Backend backend);

/// What Caster::update() does with the BVH.
enum class Update {
  automatic,  ///< refits; rebuilds if a number of shapes changed or the boxes' area has doubled
  refit,      ///< keeps the structure and moves the boxes
  rebuild,    ///< builds a new BVH
};

/// A scene that is ready for queries on one backend.
///
/// Answers are a pure function of (scene, ray, policy): every backend, search, number of threads
/// and chunk size gives the same bytes. docs/reference/contract.md defines them.
///
/// A query whose answers have a fixed size has two forms. One returns the answers in arrays of
/// their own. The other writes the same answers into the caller's arrays, allocates none, and
/// returns the report. Both have the same parameters and errors. If empty braces could be options
/// or arrays, a call does not compile.
///
/// Several threads may query a caster at the same time. A call returns when its answers are
/// written.
///
/// Every call can throw Error{usage}: if the caster was moved from, an array or a column has a
/// wrong size, or an option is out of its range. It can also throw Error{device} if the device
/// fails, and Error{out_of_memory}. Other errors are listed at each call; there are no other
/// exceptions.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_aabb({{-1, -1, 0}, {1, 1, 3}});
/// scene.add_sphere({{4, 0, 1}, 0.5f});
/// const Caster caster(std::move(scene), CpuOptions{.threads = 2});
///
/// const std::vector<Vec3> origins = {{-5, 0, 1}, {4, 0, 9}}, directions = {{1, 0, 0}, {0, 0, -1}};
/// const Hits hits = caster.closest_hit({origins, directions});
/// std::printf("%g %g\n", hits.t[0], hits.t[1]);  // 4 7.5
/// @endcode
class Caster {
 public:
  /// Builds a scene on a backend.
  /// @param scene    the shapes, copied or moved
  /// @param options  backend and its options
  /// @throws Error{device} if the backend is cuda and the device cannot be used
  explicit Caster(Scene scene, const CasterOptions& options = AutomaticOptions{});
  /// Moves a caster. The calls of the other one then throw Error{usage}.
  Caster(Caster&&) noexcept;
  /// Moves a caster. The calls of the other one then throw Error{usage}.
  Caster& operator=(Caster&&) noexcept;
  ~Caster();

  /// Returns the scene, as it was given.
  const Scene& scene() const;
  /// Returns the backend in use.
  Backend backend() const;
  /// Returns one line for the user: backend, device, threads.
  std::string description() const;
  /// Returns the memory of the scene and its BVH in bytes. On the cpu backend it grows by 65 bytes
  /// per shape once the number of overlap and nearest queries reaches the number of shapes. Buffers
  /// that the cpu backend keeps between calls are not counted. They take per thread at most 50 MB
  /// for rays, or 85 MB for matrices. Masks and exclusions add 40 MB.
  std::uint64_t memory_bytes() const;

  /// @name Rays
  /// If `strict` is set, a bad ray throws Error{bad_input} naming its index.
  /// @{

  /// Returns the first hit of one ray, with its normal. Many rays in one call take far less time
  /// per ray.
  Hit closest_hit(const Ray& ray, const CastOptions& options = {}) const;
  /// Returns whether one ray hits a shape.
  bool any_hit(const Ray& ray, const CastOptions& options = {}) const;

  /// Returns the first hit of each ray. A ray with a radius is a sphere that moves along it.
  ///
  /// A radius that is negative, NaN or above 2^40 makes the ray bad. As the call is a
  /// template, `{origin, direction}` of two vectors Vec3 is one Ray.
  /// @param rays     rays [n]
  /// @param options  inside policy, strictness, and whether to return normals
  template <class = void>
  Hits closest_hit(const RaysView& rays, const HitsOptions& options = {}) const;
  /// Writes the first hits into the caller's arrays [n].
  template <class = void>
  CastReport closest_hit(const RaysView& rays, const HitArrays& hits,
                         const CastOptions& options = {}) const;

  /// Returns whether each ray hits a shape, which is the case exactly if closest_hit() hits.
  /// @param rays     rays [n], with or without radii
  /// @param options  inside policy and strictness
  template <class = void>
  Bits<CastReport> any_hit(const RaysView& rays, const CastOptions& options = {}) const;
  /// Writes the bits into `blocked` [bit_words(n)]. Padding bits become 0.
  template <class = void>
  CastReport any_hit(const RaysView& rays, std::span<std::uint64_t> blocked,
                     const CastOptions& options = {}) const;

  /// Returns the number of shapes that each ray hits.
  /// @param rays     rays [n]
  /// @param options  inside policy and strictness
  /// @throws Error{usage} if the rays have radii
  Counts<HitRowsReport> count_hits(const RaysView& rays, const CastOptions& options = {}) const;
  /// Writes the numbers into `counts` [n].
  HitRowsReport count_hits(const RaysView& rays, std::span<std::uint32_t> counts,
                           const CastOptions& options = {}) const;

  /// Returns all hits of each ray, or its nearest. The call takes up to three times the memory of
  /// the rows while it runs, or seven times if one row holds most hits.
  /// @param rays     rays [n]
  /// @param options  inside policy, strictness, and what to return
  /// @throws Error{usage} if the rays have radii, or if options.first is 0
  HitRows all_hits(const RaysView& rays, const HitRowsOptions& options = {}) const;

  /// @}
  /// @name Sweeps
  /// The spheres and capsules of another scene move, in the order of their ids, each along a
  /// direction of its own. Masks count as for overlaps. If `strict` is set, a bad direction throws
  /// Error{bad_input} naming its index.
  /// @{

  /// Returns the first hit of each moving shape, with normals.
  /// @param moving      spheres and capsules, at t = 0
  /// @param directions  one direction [n] for each moving shape, of any finite length
  /// @param options     which shapes move, how far, inside policy and strictness
  /// @throws Error{usage} if a moving shape is of another kind, or a range goes past the last id
  Hits sweep(const Scene& moving, std::span<const Vec3> directions,
             const SweepOptions& options = {}) const;
  /// Writes the first hits into the caller's arrays [n].
  CastReport sweep(const Scene& moving, std::span<const Vec3> directions, const HitArrays& hits,
                   const SweepOptions& options = {}) const;

  /// @}
  /// @name Lines of sight
  /// A pair is visible if both points are good, their distance is within the range, and nothing
  /// meets the segment between them. Except for fields of view, the answer is the same in both
  /// directions.
  /// @{

  /// Returns which viewpoint sees which target.
  /// @param viewpoints  points [V]
  /// @param targets     points [T]
  /// @param options     range, margin and inside policy
  BitMatrix visibility(const PointsView& viewpoints, const PointsView& targets,
                       const VisibilityOptions& options = {}) const;
  /// Writes the matrix into `bits` [V, bit_words(T)], rows as in BitMatrix.
  VisibilityReport visibility(const PointsView& viewpoints, const PointsView& targets,
                              std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// Returns which points of a set see each other: visibility(points, points), each pair computed
  /// once.
  /// @param points   points [n]
  /// @param options  range, margin and inside policy
  BitMatrix visibility(const PointsView& points, const VisibilityOptions& options = {}) const;
  /// Writes the matrix into `bits` [n, bit_words(n)], rows as in BitMatrix.
  VisibilityReport visibility(const PointsView& points, std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// Returns which viewpoint sees which target within its field of view. Targets outside of a field
  /// are not seen, and cost no ray.
  /// @param viewpoints  points [V]
  /// @param fields      fields of view: [V] or one for all viewpoints
  /// @param targets     points [T]
  /// @param options     range, margin and inside policy
  BitMatrix visibility(const PointsView& viewpoints, const FieldsView& fields,
                       const PointsView& targets, const VisibilityOptions& options = {}) const;
  /// Writes the matrix into `bits` [V, bit_words(T)], rows as in BitMatrix.
  VisibilityReport visibility(const PointsView& viewpoints, const FieldsView& fields,
                              const PointsView& targets, std::span<std::uint64_t> bits,
                              const VisibilityOptions& options = {}) const;
  /// Returns whether from[i] sees to[i].
  /// @param from     points [n], or one for all
  /// @param to       points [n], or one for all
  /// @param options  range, margin and inside policy
  Bits<VisibilityReport> visibility_pairs(const PointsView& from, const PointsView& to,
                                          const VisibilityOptions& options = {}) const;
  /// Writes the bits into `bits` [bit_words(n)]. Padding bits become 0.
  VisibilityReport visibility_pairs(const PointsView& from, const PointsView& to,
                                    std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options = {}) const;

  /// @}
  /// @name Overlaps
  /// The query shapes are those of another scene, in the order of their ids. Shapes that touch
  /// overlap. Two shapes count for each other if their masks have a common bit. To query a point,
  /// use a sphere of radius 0. Each call throws Error{usage} if a query shape is a plane, or if a
  /// range goes past the last id.
  /// @{

  /// Returns whether each query shape, or each body of query shapes, overlaps a shape of the scene.
  /// @param queries  query shapes, in n shapes or bodies
  /// @param options  which shapes are queries, and how many make a body
  /// @throws Error{usage} if the query shapes are no whole number of bodies
  Bits<OverlapReport> overlap_any(const Scene& queries,
                                  const OverlapAnyOptions& options = {}) const;
  /// Writes the bits into `bits` [bit_words(n)]. Padding bits become 0.
  OverlapReport overlap_any(const Scene& queries, std::span<std::uint64_t> bits,
                            const OverlapAnyOptions& options = {}) const;
  /// Returns the number of shapes of the scene that each query shape overlaps.
  /// @param queries  query shapes [n]
  /// @param options  which shapes are queries
  Counts<OverlapReport> overlap_count(const Scene& queries,
                                      const OverlapOptions& options = {}) const;
  /// Writes the numbers into `counts` [n].
  OverlapReport overlap_count(const Scene& queries, std::span<std::uint32_t> counts,
                              const OverlapOptions& options = {}) const;
  /// Returns the ids of the shapes that each query shape overlaps. The call takes up to six times
  /// the memory of the rows while it runs.
  /// @param queries  query shapes [n]
  /// @param options  which shapes are queries
  OverlapRows overlap_all(const Scene& queries, const OverlapOptions& options = {}) const;

  /// @}
  /// @name Nearest shapes
  /// Rows are sorted by (distance, id). Masks and exclusions of points count as for rays; a segment
  /// uses the AND of its ends' masks and the exclusions of both. Each call throws Error{usage} if k
  /// is 0, if the range is negative or NaN, or for more than 2^59 elements.
  /// @{

  /// Returns the k shapes nearest to each point by signed distance, which is negative inside a
  /// shape and below a plane.
  /// @param points   points [n]
  /// @param options  number of shapes and greatest distance
  NearestRows nearest(const PointsView& points, const NearestOptions& options = {}) const;
  /// Writes the rows into the caller's arrays [n, k].
  NearestReport nearest(const PointsView& points, const NearestArrays& out,
                        const NearestOptions& options = {}) const;

  /// Returns the k shapes nearest to each segment from[i] .. to[i]. The distance of shapes that
  /// meet the segment is 0.
  /// @param from     points [n], or one for all
  /// @param to       points [n], or one for all
  /// @param options  number of shapes and greatest distance
  ClearanceRows clearance(const PointsView& from, const PointsView& to,
                          const NearestOptions& options = {}) const;
  /// Writes the rows into the caller's arrays [n, k].
  NearestReport clearance(const PointsView& from, const PointsView& to, const ClearanceArrays& out,
                          const NearestOptions& options = {}) const;

  /// @}
  /// @name Winding numbers
  /// @{

  /// Returns how often the triangles of the scene enclose each point, exactly. Of a closed mesh
  /// whose faces run counterclockwise seen from outside, the number is 1 inside and 0 outside.
  /// Where meshes overlap, their numbers add up. A point on a surface has the number of a place
  /// beside it.
  ///
  /// Masks and exclusions count as for rays: they choose the meshes.
  /// @param points  points [n]
  WindingNumbers winding(const PointsView& points) const;
  /// Writes the winding numbers into `numbers` [n].
  WindingReport winding(const PointsView& points, std::span<std::int32_t> numbers) const;

  /// @}
  /// @name Rays in device memory
  /// The arrays of all columns, the answers and `counts` are in memory that the caster's device can
  /// access. A call puts its work into the stream and returns without waiting. The caster and the
  /// arrays must live until the work is done. The device need not be current.
  ///
  /// Each call throws Error{usage} if the backend is not cuda, the rays have radii, or `strict` is
  /// set. It also does if the device cannot access an array, or if an array is misaligned.
  /// @{

  /// Finds the first hit of each ray, with the answers of closest_hit().
  /// @param rays     rays [n]
  /// @param hits     arrays [n]
  /// @param stream   a stream of the caster's device
  /// @param options  inside policy
  /// @param counts   receives the numbers of hits and bad rays; may be null
  void closest_hit_on_device(const RaysView& rays, const HitArrays& hits, CudaStream stream,
                             const CastOptions& options = {}, CastCounts* counts = nullptr) const;
  /// Finds whether each ray hits a shape, with the answers of any_hit().
  /// @param rays     rays [n]
  /// @param blocked  bits [bit_words(n)]
  /// @param stream   a stream of the caster's device
  /// @param options  inside policy
  /// @param counts   receives the numbers of hits and bad rays; may be null
  void any_hit_on_device(const RaysView& rays, std::span<std::uint64_t> blocked, CudaStream stream,
                         const CastOptions& options = {}, CastCounts* counts = nullptr) const;

  /// @}

  /// Replaces the scene. No query may run meanwhile. If the call throws, the caster keeps its
  /// scene.
  /// @param scene  the new shapes, copied or moved
  /// @param how    what to do with the BVH
  /// @throws Error{usage} if `how` is Update::refit and the number of shapes of a kind changed
  void update(Scene scene, Update how = Update::automatic);

 private:
  struct Impl;
  Impl& impl() const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline
