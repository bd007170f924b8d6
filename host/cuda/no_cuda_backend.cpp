#include "host/cuda/cuda_backend.hpp"

namespace sightline::cuda {

/// Throws, as this build has no such backend.
std::unique_ptr<detail::CastBackend> make_backend(const ShapesView& shapes,
                                                  const CudaOptions& options, const MatrixLimits&) {
  return detail::make_cuda_backend(shapes, options);
}

}  // namespace sightline::cuda
