// A tree and all cores.
#pragma once

#include "host/backend/backend.hpp"

namespace sightline::detail {

/// Builds the tree; the view must outlive the backend. Throws Error{usage} for a negative number
/// of threads, and what build_bvh throws.
std::unique_ptr<CastBackend> make_cpu_backend(const ShapesView& shapes,
                                              const CasterOptions& options);

}  // namespace sightline::detail
