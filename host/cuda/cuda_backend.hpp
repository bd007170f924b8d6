// The CUDA backend as the door sees it, whether it is built or not.
#pragma once

#include "host/backend/backend.hpp"

#include <sightline/devices.hpp>

namespace sightline::detail {

/// The scene on the device; the view must outlive the backend. Throws Error{device} where there is
/// no such device or it fails, Error{out_of_memory}, and what build_bvh throws.
std::unique_ptr<CastBackend> make_cuda_backend(const ShapesView& shapes,
                                               const CasterOptions& options);

}  // namespace sightline::detail
