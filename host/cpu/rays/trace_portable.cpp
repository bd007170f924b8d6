// The tracer for any processor: four lanes.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/rays/trace.inl"

namespace sightline::detail {

const Tracer& tracer_portable() {
  static constexpr Tracer tracer = HWY_NAMESPACE::make_tracer("portable");
  return tracer;
}

}  // namespace sightline::detail
