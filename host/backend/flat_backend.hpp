// The interface between the door, which has checked sizes, and the backends for 2D.
#pragma once

#include "host/backend/queries.hpp"

namespace sightline::detail {

/// One set on one backend; its queries may be called from many threads at once.
class FlatBackend {
 public:
  FlatBackend() = default;
  FlatBackend(const FlatBackend&) = delete;
  FlatBackend& operator=(const FlatBackend&) = delete;
  virtual ~FlatBackend() = default;

#define SIGHTLINE_ANSWER(Query) virtual Query::Report answer(const Query& query) const = 0;
  SIGHTLINE_FOR_EACH_FLAT_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

  virtual std::string description() const = 0;
  /// Memory held beside the set, in bytes.
  virtual std::uint64_t memory_bytes() const = 0;
};

// The views must outlive the backend; shapes.low is not null.

/// Brute force, one thread: the other backends are compared with it.
std::unique_ptr<FlatBackend> make_reference_flat_backend(const FlatShapesView& shapes);
/// A tree where that is faster, and all cores.
std::unique_ptr<FlatBackend> make_cpu_flat_backend(const FlatShapesView& shapes,
                                                   const CpuOptions& options);
/// Throws as make_cuda_backend does.
std::unique_ptr<FlatBackend> make_cuda_flat_backend(const FlatShapesView& shapes,
                                                    const CudaOptions& options);

}  // namespace sightline::detail
