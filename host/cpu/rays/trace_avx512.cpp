// The tracer for AVX-512.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/rays/trace.inl"

namespace sightline::detail {

const Tracer& tracer_avx512() {
  static constexpr Tracer tracer = HWY_NAMESPACE::make_tracer("avx512");
  return tracer;
}

}  // namespace sightline::detail
