// Validation of trees from any builder.
#pragma once

#include <sightline/geometry/bvh/bvh.hpp>
#include <sightline/geometry/shapes/all_shapes.hpp>

#include <string>

namespace sightline::detail {

/// The problem of the tree, in one sentence, or empty. In a valid tree every bounded shape is
/// exactly one leaf with exactly its own bounds, a box contains the boxes of the node below it, a
/// missing child's box is empty, every node is reached exactly once, and no path is longer than
/// bvh_max_depth.
std::string problem_of(const BvhView& bvh, const ShapesView& shapes);

}  // namespace sightline::detail
