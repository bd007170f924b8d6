// The CUDA backend as the door sees it, whether it is built or not.
#pragma once

#include "host/backend.hpp"

namespace sightline::detail {

/// Whether a usable device is present; never throws.
bool cuda_is_present() noexcept;

/// The scene on the device; the view must outlive the backend. Throws Error{device}.
std::unique_ptr<CastBackend> make_cuda_backend(const ShapesView& shapes,
                                               const CasterOptions& options);

}  // namespace sightline::detail
