// Everything: the device-safe headers and the door.
#pragma once

#include <sightline/areas.hpp>
#include <sightline/caster.hpp>
#include <sightline/cover.hpp>
#include <sightline/cover_places.hpp>
#include <sightline/devices.hpp>
#include <sightline/exposure.hpp>
#include <sightline/flat_caster.hpp>
#include <sightline/headers.hpp>
#include <sightline/nav.hpp>
#include <sightline/probes.hpp>
