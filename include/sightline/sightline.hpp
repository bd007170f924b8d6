/// @file
/// All of the library: scenes, casters and bakes. The arithmetic for loops and kernels of your own
/// is in `<sightline/geometry/geometry.hpp>`.

/// @namespace sightline
/// Batch ray casting: scenes, casters, and what can be baked from their answers.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/cover.hpp>
#include <sightline/flat.hpp>
#include <sightline/nav.hpp>
#include <sightline/visibility.hpp>
