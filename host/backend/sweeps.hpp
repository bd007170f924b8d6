// One shape's answer to a sweep: long arithmetic, compiled once for all that search a scene.
#pragma once

#include <sightline/geometry/sweep/sweep_query.hpp>

namespace sightline::detail {

/// The answer of a shape whose gate is not empty.
template <class Mover>
Found found(const SweepQuery<Mover>& q, const ShapesView& shapes, std::uint32_t id,
            float gate_near);
/// The answer for the caller, with the normal if `with_normal`.
template <class Mover>
Hit hit_for(const SweepQuery<Mover>& q, const ShapesView& shapes, const Best& best, const Ray& ray,
            bool with_normal);

}  // namespace sightline::detail
