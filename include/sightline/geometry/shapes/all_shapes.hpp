// All kinds of shapes, with what is computed of each.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>
#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/cylinder.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/plane.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/geometry/shapes/sphere.hpp>
#include <sightline/geometry/shapes/triangle.hpp>

namespace sightline {

/// The bounds of a bounded shape, computed: shapes.bounds, which has the same bits, is not read.
SIGHTLINE_HD Aabb bounds_of(const ShapesView& shapes, std::uint32_t id) {
  return shapes.visit_bounded(id, [](const auto& s) { return bounds(s); });
}

}  // namespace sightline
