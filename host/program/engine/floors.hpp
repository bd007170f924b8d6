// What points stand over: on maps from above, floors are drawn fainter than walls.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/math/up_axis.hpp>

#include <vector>

namespace sightline::cli {

/// Whether points stand over a shape [shapes]: a ray down from one of them, begun `lift` above it,
/// meets that shape first. Shapes that hold the ray's beginning do not count.
std::vector<bool> floors_under(const Caster& caster, const PointsView& points, UpAxis up,
                               float lift = 0);

}  // namespace sightline::cli
