// The cuda backend, with what no caster chooses.
#pragma once

#include "host/backend/backend.hpp"

namespace sightline::cuda {

/// From which sizes on visibility matrices are traced in other ways (docs/concepts/inside-gpu.md).
/// No answer depends on them.
struct MatrixLimits {
  /// Matrices of so many pairs decide boxes of targets. In smaller ones tiles of boxes have too few
  /// rows to learn from.
  std::uint64_t pairs_for_boxes = std::uint64_t{1} << 25;
  /// Walks begin around their points over so many shapes. In smaller trees the root is close, and
  /// what hides most lies right below it.
  std::uint32_t shapes_to_climb = 4096;
};

/// As detail::make_cuda_backend.
std::unique_ptr<detail::CastBackend> make_backend(const ShapesView& shapes,
                                                  const CudaOptions& options,
                                                  const MatrixLimits& limits);

}  // namespace sightline::cuda
