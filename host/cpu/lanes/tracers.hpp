// Which instruction set's code runs.
#pragma once

#include "host/cpu/lanes/trace.hpp"

#include <sightline/caster.hpp>

#include <vector>

namespace sightline::detail {

/// Those that this processor can run, the widest first.
std::vector<Lanes> usable_lanes();

/// The code asked for, or the widest that runs here. Throws Error{usage} for one that does not.
const Tracer& tracer_for(Lanes lanes);

}  // namespace sightline::detail
