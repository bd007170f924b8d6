// Everything: the device-safe headers and the door.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/devices.hpp>
#include <sightline/flat_caster.hpp>
#include <sightline/headers.hpp>
#include <sightline/nav.hpp>
