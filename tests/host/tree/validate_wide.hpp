// Validation of trees of eight children a node.
#pragma once

#include "host/tree/wide_bvh.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <string>

namespace sightline::detail {

/// The problem of the tree, in one sentence, or empty: see problem_of(BvhView).
std::string problem_of(const WideBvh& bvh, const ShapesView& shapes);

}  // namespace sightline::detail
