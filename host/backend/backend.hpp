// The interface between the door, which has checked sizes and options, and the backends.
#pragma once

#include "host/backend/queries.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::detail {

/// One scene on one backend; its queries may be called from many threads at once.
class CastBackend {
 public:
  CastBackend() = default;
  CastBackend(const CastBackend&) = delete;
  CastBackend& operator=(const CastBackend&) = delete;
  virtual ~CastBackend() = default;

#define SIGHTLINE_ANSWER(Query) virtual Query::Report answer(const Query& query) const = 0;
  SIGHTLINE_FOR_EACH_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

  /// See Caster: for backends with a device of their own.
  virtual void closest_hit_on_device(const RaysView& rays, const HitsView& hits, CudaStream stream,
                                     RayPolicy policy, CastCounts* counts) const;
  virtual void any_hit_on_device(const RaysView& rays, std::uint64_t* blocked, CudaStream stream,
                                 RayPolicy policy, CastCounts* counts) const;

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
/// A tree, or by Search::brute_force none, and all cores. Throws Error{usage} for a number of
/// threads that there may not be, and what build_bvh throws.
std::unique_ptr<CastBackend> make_cpu_backend(const ShapesView& shapes, const CpuOptions& options);
/// The scene on the device. Throws Error{device} where there is no such device or it fails,
/// Error{out_of_memory}, and as build_bvh does.
std::unique_ptr<CastBackend> make_cuda_backend(const ShapesView& shapes,
                                               const CudaOptions& options);

inline void CastBackend::closest_hit_on_device(const RaysView&, const HitsView&, CudaStream,
                                               RayPolicy, CastCounts*) const {
  throw Error(ErrorKind::usage, "device arrays are for the cuda backend");
}
inline void CastBackend::any_hit_on_device(const RaysView&, std::uint64_t*, CudaStream, RayPolicy,
                                           CastCounts*) const {
  throw Error(ErrorKind::usage, "device arrays are for the cuda backend");
}

}  // namespace sightline::detail
