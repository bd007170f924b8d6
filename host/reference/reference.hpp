// The reference: brute force over every shape, one thread, no tree. What all others are compared
// with.
#pragma once

#include "host/backend/backend.hpp"

namespace sightline::detail {

/// The view must outlive the backend.
std::unique_ptr<CastBackend> make_reference_backend(const ShapesView& shapes);

}  // namespace sightline::detail
