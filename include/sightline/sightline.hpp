// All of the library: scenes, casters and bakes. The arithmetic is
// <sightline/geometry/geometry.hpp>.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/cover.hpp>
#include <sightline/flat.hpp>
#include <sightline/nav.hpp>
#include <sightline/visibility.hpp>
