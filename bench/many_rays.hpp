// Rays by all cores.
#pragma once

#include "host/gen/rays.hpp"

namespace sightline::bench {

/// What gen::make_rays() makes; the caster holds the scene.
gen::RaySet make_many_rays(gen::RayKind kind, const Caster& caster, gen::SceneKind scene_kind,
                           std::uint64_t count, std::uint64_t seed);

/// Both of one kind.
void append_rays(gen::RaySet& to, const gen::RaySet& from);

}  // namespace sightline::bench
