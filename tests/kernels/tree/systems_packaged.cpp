#include "tests/kernels/tree/systems.inl"

namespace sightline::testing {

const Thrust packaged_thrust = this_thrust;

}  // namespace sightline::testing
