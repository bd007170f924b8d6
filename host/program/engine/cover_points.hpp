// The points that cover is asked of: a file's, or places along the walls of a navigation map.
#pragma once

#include "host/program/arguments/arguments.hpp"
#include "host/program/engine/inputs.hpp"

namespace sightline::cli {

/// Reads the points, or finds the places, says how many there are and reports them. Where a map
/// says which way is up, so do the options then. On a dry run places are counted, not looked for:
/// all along walls are given.
io::Points cover_points(Job& job, const CoverArguments& a, const Caster& caster,
                        const std::string& scene_hash, CoverOptions& options);

}  // namespace sightline::cli
