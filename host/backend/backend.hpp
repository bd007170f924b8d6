// The interface between the door, which has checked sizes and options, and the backends.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/queries/line_of_sight.hpp>
#include <sightline/queries/sweeps.hpp>

namespace sightline::detail {

/// One scene on one backend; its queries may be called from many threads at once. Reports count
/// everything; the door handles `strict`.
class CastBackend {
 public:
  CastBackend() = default;
  CastBackend(const CastBackend&) = delete;
  CastBackend& operator=(const CastBackend&) = delete;
  virtual ~CastBackend() = default;

  virtual CastReport closest_hit(const RaysView& rays, const HitsView& hits,
                                 Inside inside) const = 0;
  /// blocked [bit_words(rays.count)].
  virtual CastReport any_hit(const RaysView& rays, std::uint64_t* blocked, Inside inside) const = 0;

  /// The same for thick rays and sweeps.
  virtual CastReport closest_hit(const SweepsView& sweeps, const HitsView& hits,
                                 Inside inside) const = 0;
  virtual CastReport any_hit(const SweepsView& sweeps, std::uint64_t* blocked,
                             Inside inside) const = 0;

  /// counts [rays.count].
  virtual HitRowsReport count_hits(const RaysView& rays, std::uint32_t* counts,
                                   Inside inside) const = 0;
  virtual HitRowsReport all_hits(const RaysView& rays, HitRows& rows,
                                 const HitRowsOptions& options) const = 0;

  /// bits [viewpoints.count, bit_words(targets.count)].
  virtual VisibilityReport visibility(const PointsView& viewpoints, const PointsView& targets,
                                      std::uint64_t* bits, const SightOptions& options) const = 0;
  /// The same within fields of view; reports how many pairs are in them. The door counts bad
  /// fields.
  virtual VisibilityReport visibility(const PointsView& viewpoints, const FieldsView& fields,
                                      const PointsView& targets, std::uint64_t* bits,
                                      const SightOptions& options) const = 0;
  /// A set against itself: bits [points.count, bit_words(points.count)].
  virtual VisibilityReport visibility(const PointsView& points, std::uint64_t* bits,
                                      const SightOptions& options) const = 0;
  /// bits [bit_words(from.count)].
  virtual VisibilityReport visibility_pairs(const PointsView& from, const PointsView& to,
                                            std::uint64_t* bits,
                                            const SightOptions& options) const = 0;

  // See Caster; planes are no queries.
  /// bits [bit_words(queries.size())].
  virtual OverlapReport overlap_any(const ShapesView& queries, std::uint64_t* bits) const = 0;
  /// counts [queries.size()].
  virtual OverlapReport overlap_count(const ShapesView& queries, std::uint32_t* counts) const = 0;
  virtual OverlapRows overlap_all(const ShapesView& queries) const = 0;

  /// Rows of k > 0 in out.
  virtual NearestReport nearest(const PointsView& points, std::uint32_t k, float range,
                                const NearestView& out) const = 0;

  virtual NearestReport clearance(const PointPairsView& segments, std::uint32_t k, float range,
                                  const ClearanceView& out) const = 0;

  /// See Caster: for backends with a device of their own.
  virtual void closest_hit_on_device(const RaysView& rays, const HitsView& hits, CudaStream stream,
                                     Inside inside, CastCounts* counts) const;
  virtual void any_hit_on_device(const RaysView& rays, std::uint64_t* blocked, CudaStream stream,
                                 Inside inside, CastCounts* counts) const;

  /// Replaces the shapes; the new view must outlive the backend. `refit` comes only with equal
  /// counts of every kind. Where it throws, nothing has changed.
  virtual void update(const ShapesView& shapes, Update how) = 0;

  virtual std::string description() const = 0;
  /// Memory held beside the scene, in bytes, except what is kept for rays.
  virtual std::uint64_t memory_bytes() const = 0;
};

// The views must outlive the backends.

/// Brute force over every shape, one thread: the other backends are compared with it.
std::unique_ptr<CastBackend> make_reference_backend(const ShapesView& shapes);
/// A tree and all cores. Throws Error{usage} for a number of threads that cannot be had, and what
/// build_bvh throws.
std::unique_ptr<CastBackend> make_cpu_backend(const ShapesView& shapes,
                                              const CasterOptions& options);
/// The scene on the device. Throws Error{device} where there is no such device or it fails,
/// Error{out_of_memory}, and as build_bvh does.
std::unique_ptr<CastBackend> make_cuda_backend(const ShapesView& shapes,
                                               const CasterOptions& options);

inline void CastBackend::closest_hit_on_device(const RaysView&, const HitsView&, CudaStream, Inside,
                                               CastCounts*) const {
  throw Error(ErrorKind::usage, "device arrays are for the cuda backend");
}
inline void CastBackend::any_hit_on_device(const RaysView&, std::uint64_t*, CudaStream, Inside,
                                           CastCounts*) const {
  throw Error(ErrorKind::usage, "device arrays are for the cuda backend");
}

}  // namespace sightline::detail
