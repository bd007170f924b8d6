// A second Thrust beside the first in one program: its names lie in a namespace of their own, in
// which `thrust` is found from here on.
namespace sightline_cccl::thrust {}
using namespace sightline_cccl;
#define THRUST_CUB_WRAPPED_NAMESPACE sightline_cccl

#include "tests/kernels/tree/systems.inl"

namespace sightline::testing {

const Thrust* const cccl = &this_thrust;

}  // namespace sightline::testing
