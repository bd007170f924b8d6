// Masks and exclusions of the rays of a source.
#pragma once

#include "host/cpu/rays/ray_record.hpp"

namespace sightline::detail {

/// Whether some shape's mask is 0, so that no ray sees it.
bool has_zero_mask(const ShapesView& shapes);
/// Whether masks or exclusions matter for these rays in this scene.
bool is_filtered(const TraceScene& scene, const RaysView& rays);
bool is_filtered(const TraceScene& scene, const Sights& sights);

RayFilter filter_of(const RaysView& rays, std::uint64_t i);
RayFilter filter_of(const Sights& sights, std::uint64_t i);

}  // namespace sightline::detail
