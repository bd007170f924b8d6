#include "tests/kernels/tree/systems.hpp"

namespace sightline::testing {

const Thrust* const cccl = nullptr;

}  // namespace sightline::testing
