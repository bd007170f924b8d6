// All of the library: scenes, casters and bakes. The arithmetic is
// <sightline/geometry/geometry.hpp>.
#pragma once

#include <sightline/areas.hpp>
#include <sightline/caster.hpp>
#include <sightline/cover.hpp>
#include <sightline/cover_places.hpp>
#include <sightline/devices.hpp>
#include <sightline/exposure.hpp>
#include <sightline/flat_caster.hpp>
#include <sightline/nav.hpp>
#include <sightline/probes.hpp>
