// The tracer for any processor: four lanes.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/lanes/trace.inl"

namespace sightline::detail {

const Tracer& tracer_portable() {
  static constexpr Tracer tracer = {"portable", HWY_NAMESPACE::scratch_bytes, HWY_NAMESPACE::set_up,
                                    HWY_NAMESPACE::set_up_sights, HWY_NAMESPACE::trace};
  return tracer;
}

}  // namespace sightline::detail
