// Checks any binary tree that the device's source builds.
#pragma once

#include "tests/kernels/tree/systems.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/scene.hpp>

#include <algorithm>
#include <string>

namespace sightline::testing {

/// n by SIGHTLINE_TEST_SCALE, but at least so many.
inline std::uint32_t some(std::uint32_t n, std::uint32_t at_least) {
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(at_least, scaled(n)));
}

bool same_tree(const Tree& a, const Tree& b);

/// What is wrong with it; empty when it is a tree of the shapes that can be refitted by its rounds,
/// and bytes that it leaves out are 0.
std::string problem_of(const Tree& tree, const ShapesView& shapes);

/// Builds, checks the tree unless it would be too deep, and builds it again on every system of
/// every Thrust: the same bytes.
Tree check_trees(const Scene& scene, const std::string& name);

}  // namespace sightline::testing
