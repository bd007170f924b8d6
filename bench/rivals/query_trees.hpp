// The rivals that a build may have, each in a file of its own.
#pragma once

#include "bench/rivals/float_shapes.hpp"
#include "bench/rivals/query_rival.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::rivals {

/// Embree 3: point queries over one user geometry; overlaps by the ball around what asks.
std::unique_ptr<QueryTree> embree_queries(const ShapesView& shapes);
/// Bullet's btDbvt, built from the top down.
std::unique_ptr<QueryTree> bullet_queries(const ShapesView& shapes);
/// FCL's dynamic tree with the plain tests at its leaves, and with its own.
std::unique_ptr<QueryTree> fcl_queries(const ShapesView& shapes);
std::unique_ptr<QueryTree> fcl_own_queries(const ShapesView& shapes);

/// What all of them test at their leaves.
std::vector<FloatShape> float_shapes(const ShapesView& shapes);

}  // namespace sightline::rivals
