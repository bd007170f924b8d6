// Chooses the instruction set's code at run time.
#pragma once

#include "host/cpu/rays/simd_kernels.hpp"

#include <sightline/caster.hpp>

#include <vector>

namespace sightline::detail {

/// The lanes that this processor supports, the widest first.
std::vector<Lanes> usable_lanes();

/// The code of these lanes; `automatic`: of the widest supported ones. Throws Error{usage} for
/// unsupported lanes.
const SimdKernels& choose_simd(Lanes lanes);

}  // namespace sightline::detail
