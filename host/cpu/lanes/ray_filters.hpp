// What masks and exclusions say of the rays of a source.
#pragma once

#include "host/cpu/lanes/ray_record.hpp"
#include "host/cpu/lanes/ray_source.hpp"

namespace sightline::detail {

/// Whether some shape's mask is 0, so that it counts for no ray.
bool hides_some(const ShapesView& shapes);
/// Whether masks or exclusions play a part for these rays over this scene.
bool is_filtered(const TraceScene& scene, const RaysView& rays);
bool is_filtered(const TraceScene& scene, const Sights& sights);

RayFilter filter_of(const RaysView& rays, std::uint64_t i);
RayFilter filter_of(const Sights& sights, std::uint64_t i);

}  // namespace sightline::detail
